# SPDX-License-Identifier: GPL-2.0-or-later
# Touchstone::Suite::Lbt::KernelSource: which source is taken, how it is described, and what a build of it
# needs. The sources are made up; a real one is examined if the system has one.
use 5.014;
use strict;
use warnings;

use Cwd qw(getcwd);
use Digest::SHA qw(sha256_hex);
use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use Files;
use NoWarnings;
use Touchstone::Machine::Command;
use Touchstone::Suite::Lbt::KernelSource;

delete $ENV{KERNEL_SRC};
my $base = getcwd();
my $dir  = File::Temp->newdir;
my $n    = 0;

sub directory {
    my (@names) = @_;
    my $new = "$dir/" . ++$n;
    mkdir $_ or die "cannot make '$_': $!\n" for $new, map { "$new/$_" } @names;
    return $new;
}

my $HEAD =
    "# SPDX-License-Identifier: GPL-2.0\nVERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 158\nEXTRAVERSION =\nNAME = Curry Ramen\n";
my $ARCH =
    { x86_64 => 'x86', i386 => 'x86', sparc64 => 'sparc', parisc64 => 'parisc' }
    ->{ Touchstone::Suite::Lbt::KernelSource::architecture() }
    // Touchstone::Suite::Lbt::KernelSource::architecture();

sub tree {
    my ($makefile) = @_;
    my $tree = directory('arch', "arch/$ARCH", 'include');
    spew("$tree/Makefile", $makefile // $HEAD);
    return $tree;
}

# Makes a tar file of the directory's contents below this name.
sub tar {
    my ($tree, $name, @options) = @_;
    my $at = directory();
    my ($parent, $own) = $tree =~ m{(.*)/(.*)};
    system('tar', '-c', @options, '-f', "$at/$name", '-C', $parent, $own) == 0 or die "cannot make '$name'\n";
    return "$at/$name";
}

# Returns a PATH with only these commands, which do nothing, except that tar is real.
sub only {
    my (@commands) = @_;
    my $bin = directory();
    for my $command (@commands) {
        my $real = $command eq 'tar' ? Touchstone::Machine::Command::find('tar') : undef;
        if (defined $real) { symlink $real, "$bin/$command" or die "cannot link: $!\n"; next }
        spew("$bin/$command", "#!/bin/sh\n");
        chmod 0755, "$bin/$command" or die "cannot change a mode: $!\n";
    }
    return $bin;
}

# Returns the real PATH, followed by commands that may be missing here.
sub with_tools { return "$ENV{PATH}:" . only(qw(flex bison bc make cc)) }

my @ALL = qw(make tar xz gzip bzip2 zstd flex bison bc cc);
my $ANY = sub { return 1 };

sub trouble {
    my ($path, @how) = @_;
    return join ' | ', Touchstone::Suite::Lbt::KernelSource::trouble($path, probe => $ANY, @how);
}
my $has_tar = Touchstone::Machine::Command::find('tar');

subtest 'KERNEL_SRC is taken before anything else, and made absolute' => sub {
    my $src = directory();
    spew("$src/linux-source-6.1.tar.xz", '');
    local $ENV{KERNEL_SRC} = '/some/tree';
    is(Touchstone::Suite::Lbt::KernelSource::find(directory => $src), '/some/tree', 'as it is');
    $ENV{KERNEL_SRC} = 'a tree';
    is(Touchstone::Suite::Lbt::KernelSource::find(), "$base/a tree", 'below the current directory');
    $ENV{KERNEL_SRC} = '';
    is(
        Touchstone::Suite::Lbt::KernelSource::find(directory => $src),
        "$src/linux-source-6.1.tar.xz",
        'an empty one names nothing'
    );
};

subtest 'otherwise it is the newest source of the system' => sub {
    my %newest = (
        '6.9.tar.xz 6.10.tar.xz 5.15.tar.xz'     => '6.10.tar.xz',
        '6.1.tar.xz 6.1.2.tar.gz'                => '6.1.2.tar.gz',
        '6.1.0-9.tar.bz2 6.1.0-10.tar.bz2'       => '6.1.0-10.tar.bz2',
        '6.1.tar.xz 6.2.tar.xz.asc 7.patch.xz 8' => '6.1.tar.xz',
        '4.19.tar.zst'                           => '4.19.tar.zst',
        '6.1.tar.bz2 6.1.tar.xz'                 => '6.1.tar.bz2',
    );
    for my $there (sort keys %newest) {
        my $src = directory();
        spew("$src/linux-source-$_", '') for split ' ', $there;
        is(Touchstone::Suite::Lbt::KernelSource::find(directory => $src),
            "$src/linux-source-$newest{$there}", $there);
    }
    my $src = directory('linux-source-9.9.tar.xz');
    symlink '/nowhere', "$src/linux-source-8.8.tar.xz" or die "cannot link: $!\n";
    spew("$src/linux-6.1.tar.xz", '');
    is(Touchstone::Suite::Lbt::KernelSource::find(directory => $src),
        undef, 'neither directories nor links to nothing nor other names');
    is(Touchstone::Suite::Lbt::KernelSource::find(directory => "$dir/none"),
        undef, 'a system without /usr/src has none');
};

subtest 'no source is a reason to skip, with what to do' => sub {
    is(
        trouble(undef),
        'skipped | there is no Linux kernel source | apt-get install linux-source, or KERNEL_SRC=tree or tar file',
        'both ways'
    );
};

subtest 'a source that is wrong is a failure that names it' => sub {
    local $ENV{PATH} = only(@ALL);
    like(trouble("$dir/none"),
        qr/\Afailures \| the kernel source '\Q$dir\E\/none' cannot be read: No such file/,
        'not there');
    my $empty = directory();
    like(trouble($empty), qr/\Afailures \| '\Q$empty\E' is not a kernel source: it has no Makefile \| /,
        'no Makefile');
    my $other = directory('arch', 'arch/other');
    spew("$other/Makefile", $HEAD);
    like(
        trouble($other),
        qr/\Afailures \| the kernel source '\Q$other\E' has no arch\/\Q$ARCH\E, which this machine needs \| /,
        'of other machines'
    );
    for my $name ('.config', 'include/config', "arch/$ARCH/include/generated") {
        my $tree = tree();
        mkdir "$tree/arch/$ARCH/include";
        spew("$tree/$name", '');
        like(
            trouble($tree),
            qr/\Afailures \| a kernel was configured in the tree '\Q$tree\E' itself: it has \Q$name\E \| make mrproper in a copy/,
            $name
        );
    }
    mkdir "$dir/a tree" or die "cannot make a directory: $!\n";
    like(
        trouble("$dir/a tree"),
        qr/\Afailures \| .* its path has blanks or colons/,
        'a blank, which the kernel refuses'
    );
    POSIX::mkfifo("$dir/fifo", 0600) or die "cannot make a fifo: $!\n";
    like(
        trouble("$dir/fifo"),
        qr/\Afailures \| .* is neither a tree nor a tar file/,
        'something else is not opened'
    );
SKIP: {
        skip 'this user may read everything', 1 if $> == 0;
        spew("$dir/secret.tar", '');
        chmod 0, "$dir/secret.tar" or die "cannot change a mode: $!\n";
        like(
            trouble("$dir/secret.tar"),
            qr/\Afailures \| .* cannot be read: permission denied/,
            'not for this user'
        );
    }
};

subtest 'a good tree is no trouble' => sub {
    local $ENV{PATH} = only(grep { $_ ne 'tar' } @ALL);
    is(trouble(tree()), '', 'and needs no tar');
};

subtest 'a tar file is looked into, and one that is none is a failure' => sub {
    $has_tar or plan skip_all => 'there is no tar';
    my $tree = tree();
    local $ENV{PATH}        = with_tools();
    local $ENV{TAR_OPTIONS} = '--no-such-option';
    for my $name ('x.tar', 'host:x.tar', '-x y.tar') {
        is(
            trouble(
                do { delete local $ENV{TAR_OPTIONS}; tar($tree, $name) }
            ),
            '',
            "'$name'"
        );
    }
    my %wrong = (
        "no tar\n" x 1000 => qr/\Afailures \| '\Q$dir\E.*' is not a tar file that tar can read \| /,
        ''                => qr/\Afailures \| /,
        "\0" x 10240      => qr/is empty/
    );
    for my $text (sort keys %wrong) {
        spew("$dir/wrong.tar", $text);
        like(trouble("$dir/wrong.tar"), $wrong{$text}, length($text) . ' octets of something else');
    }
};

subtest 'of a large tar file only the start is read' => sub {
    $has_tar && Touchstone::Machine::Command::find('gzip') or plan skip_all => 'there is no tar or no gzip';
    my $tree = tree();
    spew("$tree/large", join '', map { sha256_hex($_) } 1 .. 150_000);
    my $tar = tar($tree, 'large.tar.gz', '-z');
    open my $out, '+<', $tar or die "cannot open '$tar': $!\n";
    seek $out, 4_100_000, 0;
    print {$out} "\0" x 100_000;
    close $out or die "cannot write '$tar': $!\n";
    local $ENV{PATH} = with_tools();
    is(trouble($tar), '', 'what is broken behind it is not seen');
};

subtest 'all that is missing is named at once, with its packages' => sub {
    my ($tree, $plain) = (tree(), "$dir/x.tar.xz");
    spew($plain, '');
    {
        local $ENV{PATH} = only();
        is(
            trouble($plain),
            "skipped | make (package make), flex (package flex), bison (package bison), bc (package bc), tar (package tar), "
                . "xz (package xz-utils) and the compiler 'cc' (package gcc) are missing | apt-get install make flex bison bc tar xz-utils gcc",
            'everything'
        );
        unlike(trouble($tree), qr/\btar\b|xz/, 'a tree needs no tar');
    }
    local $ENV{PATH} = only(qw(gmake flex bison cc));
    is(
        trouble($tree),
        'skipped | bc (package bc) is missing | apt-get install bc',
        'one is missing; gmake is a make'
    );
    my %unpacker =
        (xz => 'xz-utils', txz => 'xz-utils', gz => 'gzip', tgz => 'gzip', bz2 => 'bzip2', zst => 'zstd');
    for my $suffix (sort keys %unpacker) {
        spew("$dir/of.$suffix", '');
        like(trouble("$dir/of.$suffix"), qr/apt-get install bc tar $unpacker{$suffix}\z/, $suffix);
    }
    like(
        trouble($tree, cc => 'ccache no-such-cc'),
        qr/bc \(package bc\) and the compiler 'ccache no-such-cc' \(package gcc\)/,
        'a compiler of two words'
    );
};

subtest 'libraries are looked for with the compiler' => sub {
    my $tree = tree();
    local $ENV{PATH} = only(@ALL);
    my @asked;
    my $probe = sub {
        my ($lacks, @ask) = @_;
        push @asked, join ' ', @{ $ask[0] }, @ask[ 1 .. $#ask ];
        return !grep { $_ eq $lacks } @ask;
    };
    is(trouble($tree, cc => 'cc -m64', probe => sub { $probe->('-lelf', @_) }),
        'skipped | libelf (package libelf-dev) is missing | apt-get install libelf-dev', 'libelf');
    is(
        join(', ', @asked),
        'cc -m64 stdlib.h, cc -m64 libelf.h -lelf',
        'nothing else is asked for with tinyconfig'
    );
    is(
        trouble($tree, config => 'defconfig', probe => sub { $probe->('openssl/opensslv.h', @_) }),
        'skipped | libcrypto (package libssl-dev) is missing | apt-get install libssl-dev',
        'libcrypto with another configuration'
    );
    is(
        trouble($tree, config => 'defconfig', probe => sub { return $_[1] eq 'stdlib.h' }),
        'skipped | libelf (package libelf-dev) and libcrypto (package libssl-dev) are missing | apt-get install libelf-dev libssl-dev',
        'both'
    );
    is(
        trouble($tree, config => 'defconfig', probe => sub { return 0 }),
        'skipped | the C library for programs (package libc6-dev) is missing | apt-get install libc6-dev',
        'a compiler that makes no program at all'
    );
};

subtest 'the compiler itself tells what a library is' => sub {
    my ($cc) = grep { Touchstone::Machine::Command::find($_) } qw(cc gcc clang)
        or plan skip_all => 'there is no compiler';
    ok(Touchstone::Suite::Lbt::KernelSource::_compiles("$dir",  [$cc], 'stdio.h'), 'the C library is there');
    ok(!Touchstone::Suite::Lbt::KernelSource::_compiles("$dir", [$cc], 'no/such/header.h'),
        'a header that is not there');
    ok(!Touchstone::Suite::Lbt::KernelSource::_compiles("$dir", [$cc], 'stdio.h', '-lno-such-library'),
        'a library that is not there');
};

subtest 'a directory without room is no missing library' => sub {
    is(
        trouble(tree(), scratch => "$dir/none"),
        "failures | cannot make a directory for small files: No such file or directory | try: UB_TMPDIR=/var/tmp ./Run",
        'not there'
    );
    no warnings 'redefine';
    local *Touchstone::Suite::Lbt::KernelSource::_put =
        sub { die "cannot write 'x': No space left on device\n" };
    is(trouble(tree(), scratch => "$dir"),
        "failures | cannot write 'x': No space left on device | try: UB_TMPDIR=/var/tmp ./Run", 'full');
};

subtest 'what a tar file lacks inside is found before anything is unpacked' => sub {
    $has_tar or plan skip_all => 'there is no tar';
    my $inside = sub {
        my ($tree) = @_;
        return join ' | ', Touchstone::Suite::Lbt::KernelSource::trouble_inside(tar($tree, 'x.tar'));
    };
    my $tree = tree();
    spew("$tree/arch/$ARCH/Makefile", "# of this machine\n");
    is($inside->($tree), '', 'nothing');
    unlink "$tree/arch/$ARCH/Makefile";
    like(
        $inside->($tree),
        qr/\Afailures \| the kernel source '.*' has no arch\/\w+, which this machine needs \| apt-get/,
        'the architecture'
    );
    unlink "$tree/Makefile";
    like($inside->($tree), qr/\Afailures \| '.*' is not a kernel source: it has no Makefile \| apt-get/,
        'the Makefile');
    is(join('', Touchstone::Suite::Lbt::KernelSource::trouble_inside($tree)), '', 'a tree was judged before');
};

subtest 'the space that is needed depends on what is unpacked and configured' => sub {
    my $tree = tree();
    is(Touchstone::Suite::Lbt::KernelSource::space_kb($tree),           300_000,   'a tree');
    is(Touchstone::Suite::Lbt::KernelSource::space_kb("$dir/x.tar.xz"), 2_200_000, 'a tar file');
    cmp_ok(Touchstone::Suite::Lbt::KernelSource::space_kb($tree, config => 'defconfig'),
        '>', 1_000_000, 'a large configuration');
};

subtest 'the version is the one of the Makefile at the top' => sub {
    my %version = (
        $HEAD                                                               => '6.1.158',
        "VERSION=6\nPATCHLEVEL = 12\nSUBLEVEL\t=\t0\nEXTRAVERSION = -rc3\n" => '6.12.0-rc3',
        ''                                                                  => 'unknown',
        "VERSION = 6\n"                                                     => 'unknown',
        $HEAD =~ s/158/\$(shell date)/r            => 'unknown',
        $HEAD =~ s/^EXTRA.*$/EXTRAVERSION = a b/mr => '6.1.158'
    );
    for my $text (sort keys %version) {
        is(Touchstone::Suite::Lbt::KernelSource::facts(tree($text))->{version},
            $version{$text}, $version{$text});
    }
    is(Touchstone::Suite::Lbt::KernelSource::facts(directory())->{version}, 'unknown', 'no Makefile');
};

subtest 'the version of a tar file is that of the Makefile in its leading directory' => sub {
    $has_tar or plan skip_all => 'there is no tar';
    my $tree = tree();
    spew("$tree/include/Makefile", "VERSION = 1\nPATCHLEVEL = 1\nSUBLEVEL = 1\n");
    for my $name ('x.tar', 'host:x.tar', '-x y.tar') {
        is(Touchstone::Suite::Lbt::KernelSource::facts(tar($tree, $name))->{version}, '6.1.158', "'$name'");
    }
    my ($own) = $tree =~ m{/([^/]+)\z};
    my $dotted = directory();
    system('tar', '-c', '-f', "$dotted/x.tar", '-C', "$dir", "./$own") == 0 or die "cannot make a tar file\n";
    is(Touchstone::Suite::Lbt::KernelSource::facts("$dotted/x.tar")->{version}, '6.1.158', 'a dot before it');
    spew("$dotted/no.tar", "no tar\n");
    is(Touchstone::Suite::Lbt::KernelSource::facts("$dotted/no.tar")->{version}, 'unknown', 'no tar file');
};

subtest 'facts are words, and name what is built' => sub {
    my $tree  = tree();
    my $facts = Touchstone::Suite::Lbt::KernelSource::facts($tree, config => 'defconfig');
    is(join(' ', sort keys %$facts),             'architecture configuration path sha256 version', 'these');
    is("$facts->{path} $facts->{configuration}", "$tree defconfig",                  'as they were given');
    is($facts->{architecture}, Touchstone::Suite::Lbt::KernelSource::architecture(), 'and of this machine');
    spew("$dir/file.tar", 'abc');
    is(Touchstone::Suite::Lbt::KernelSource::facts("$dir/file.tar")->{sha256},
        sha256_hex('abc'), 'of a file it is its sum');
};

sub sum { return Touchstone::Suite::Lbt::KernelSource::facts($_[0])->{sha256} }

subtest 'the sum of a tree is that of its files and links, wherever it is' => sub {
    my $tree = directory('a', 'a/b', '.git', 'a/.git');
    spew("$tree/$_", $_) for 'z', 'a/b/c', 'a.c', '.git/x', 'a/.git/x';
    symlink 'z',        "$tree/a/link"     or die "cannot link: $!\n";
    symlink '/nowhere', "$tree/a/dangling" or die "cannot link: $!\n";
    my %of = (
        z            => 'z',
        'a/b/c'      => 'a/b/c',
        'a.c'        => 'a.c',
        'a/link'     => 'link to z',
        'a/dangling' => 'link to /nowhere'
    );
    my $known = sha256_hex(join '', map { sha256_hex($of{$_}) . "  $_\n" } sort keys %of);
    is(sum($tree), $known, 'lines of a sum and a path, sorted');
    rename $tree, "$tree-moved" or die "cannot rename: $!\n";
    is(sum("$tree-moved"), $known, 'elsewhere too');
    $tree = "$tree-moved";
    POSIX::mkfifo("$tree/fifo", 0600) or die "cannot make a fifo: $!\n";
    is(sum($tree), $known, 'what is no file is not read');

    for (
        [ 'other contents'           => sub { spew("$tree/z", 'y') } ],
        [ 'another name'             => sub { rename "$tree/z", "$tree/y" } ],
        [ 'a link elsewhere'         => sub { unlink "$tree/a/link"; symlink 'y', "$tree/a/link" } ],
        [ 'a file instead of a link' => sub { unlink "$tree/a/link"; spew("$tree/a/link", 'y') } ],
        [ 'one file more'            => sub { spew("$tree/a/b/d", '') } ]
    ) {
        my ($what, $change) = @$_;
        my $before = sum($tree);
        $change->();
        isnt(sum($tree), $before, "$what: another tree");
        like(sum($tree), qr/\A[0-9a-f]{64}\z/, "$what: a sum");
    }
    spew("$tree/new\nline", '');
    like(sum($tree), qr/\A[0-9a-f]{64}\z/, 'odd names do no harm');
    is(sum("$dir/none"), 'unknown', 'what cannot be read has none');
};

subtest 'the source of a tree and the directory of a tree stay as they are' => sub {
    my $tree = tree();
    my $list = sub {
        return join "\n", map { join ' ', $_, (stat)[ 7, 9 ] } sort glob "$tree/* $tree/.??* $tree/*/*";
    };
    my $before = $list->();
    local $ENV{PATH} = only(@ALL);
    trouble($tree);
    Touchstone::Suite::Lbt::KernelSource::facts($tree);
    is($list->(), $before, 'nothing is written');
};

subtest 'machines are called as the program calls them' => sub {
    my @program = slurp("$base/src/lbt/kernel/make.c") =~ /^\t\{ "([^"]+)", "([^"]+)", \d+ \},$/mg;
    my $module  = slurp("$base/lib/Touchstone/Suite/Lbt/KernelSource.pm");
    my @module  = map { split /=/ } split ' ', ($module =~ /ARCHITECTURES = [^\n]*qw\((.*?)\)/s)[0];
    cmp_ok(scalar @program, '>', 20, 'there are some');
    is("@module", "@program", 'in the same order');
    my %name = (
        x86_64      => 'x86_64',
        i686        => 'i386',
        i386        => 'i386',
        aarch64     => 'arm64',
        armv7l      => 'arm',
        ppc64le     => 'powerpc',
        riscv64     => 'riscv',
        s390x       => 's390',
        mips64      => 'mips',
        loongarch64 => 'loongarch',
        sparc64     => 'sparc64',
        alpha       => 'alpha',
        'x.86_64'   => 'x.86_64'
    );
    is(Touchstone::Suite::Lbt::KernelSource::architecture($_), $name{$_}, $_) for sort keys %name;
};

done_testing;

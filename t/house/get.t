#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# packaging/get downloads a release from a server on this machine, checks it and unpacks it. A release that
# something is wrong with is refused with a sentence, and nothing of it stays.
use 5.014;
use strict;
use warnings;

use Archive::Tar;
use File::Path qw(make_path);
use File::Temp ();
use IO::Compress::Gzip ();
use POSIX ();
use Test::More;

use lib qw(t/lib packaging/lib);
use Files qw(names_in);
use Packaging qw(has lacking run said slurp spew);
use Packaging::Get ();
use Packaging::Signature qw(key_in);
use Packaging::Sums ();
use Tools;
use Web;

my $lacking = lacking(qw(tar gzip awk));
plan skip_all => $_ for $lacking // (), Tools::lacking(qw(minisign openssl curl));
delete @ENV{ grep { /proxy\z/i } keys %ENV };
$ENV{LC_ALL} = 'C';

my $VERSION = '7.1.0';
my $ARCH    = 'x86_64';
my $place   = File::Temp->newdir;
my $web     = Web->new("$place/web");

# What get needs apart from what downloads, checks, adds up and unpacks.
my @TOOLS = qw(awk cat cut df grep gzip head mkdir mv printf rm sh tail tar tr wc);
my @BEST  = qw(curl minisign sha256sum xz perl);

run('minisign', '-G', '-W', '-s', "$place/$_", '-p', "$place/$_.pub") for qw(ours other);
my $KEY = key_in("$place/ours.pub");
spew("$place/get", Packaging::Get::filled($VERSION, $KEY));

# A machine is a directory of links to tools with a uname of its own.
sub machine {
    my ($name, $system, $arch, @tools) = @_;
    make_path("$place/on/$name");
    for my $tool (@TOOLS, @tools) {
        my $found = has($tool);
        symlink $found, "$place/on/$name/$tool" if $found;
    }
    spew("$place/on/$name/uname", "#!/bin/sh\n[ \"\$1\" = -m ] && echo $arch || echo $system\n");
    chmod 0755, "$place/on/$name/uname";
    return "$place/on/$name";
}

sub signed {
    my ($folder, %how) = @_;
    spew("$folder/SHA256SUMS", Packaging::Sums::sums($folder)) if !$how{as_it_is};
    run(
        'minisign',                             '-S', '-l',                         '-s',
        "$place/" . ($how{key} // 'ours'),      '-x', "$folder/SHA256SUMS.minisig", '-t',
        $how{comment} // "touchstone $VERSION", '-m', "$folder/SHA256SUMS"
    );
    return;
}

# Makes a release in a folder of the server: members are [name, content, { type, linkname }]. Bytes that do
# not compress make it as large as wanted.
sub release {
    my ($folder, @more) = @_;
    my $root = "touchstone-$VERSION-linux-$ARCH";
    srand 1;
    my $tar = Archive::Tar->new;
    $tar->add_data("$root/Run",       "#!/bin/sh\necho this is Touchstone\n",        { mode => oct 755 });
    $tar->add_data("$root/pgms/pipe", pack('C*', map { int rand 256 } 1 .. 400_000), { mode => oct 755 });
    $tar->add_data(@$_) for @more;
    my $archive = "$place/web/$folder/$root.tar";
    make_path("$place/web/$folder");
    $tar->write($archive)                                              or die $tar->error;
    IO::Compress::Gzip::gzip($archive => "$archive.gz", -Minimal => 1) or die "cannot write '$archive.gz'\n";
    has('xz') ? run('xz', '-1', $archive) : unlink $archive;
    signed("$place/web/$folder");
    return "$place/web/$folder";
}

# Runs get: from => folder of the server, home, path, shell, words. Returns its status and what it says.
sub get {
    my (%how) = @_;
    my $home = $how{home} // File::Temp::tempdir(DIR => "$place");
    my ($status, $said) = said(
        { env => { HOME => $home, PATH => $how{path} // "$place/on/best" } },
        @{ $how{shell} // [ has('sh') ] },
        $how{get} // "$place/get",
        '--from',
        $web->address . "/$how{from}",
        @{ $how{words} // [] }
    );
    return { status => $status, said => $said, home => $home };
}

# All that a directory has, hidden files too.
sub inside {
    my ($directory) = @_;
    return join ' ', names_in($directory);
}

sub refused {
    my ($what, $said, %how) = @_;
    my $got = get(%how);
    is("$got->{status} " . inside($got->{home}), '1 ', "$what: refused, and nothing is left");
    like($got->{said}, qr/\Aget: $said/, 'with this sentence');
    unlike($got->{said}, qr/^(?!get: |  ).*\S/m, 'and no other') if !$how{more};
    return;
}

# A copy of the good release that something was done to.
sub changed {
    my ($name, $change) = @_;
    make_path("$place/web/$name");
    run('cp', '-R', "$place/web/good/.", "$place/web/$name");
    $change->("$place/web/$name");
    return $name;
}

# Changes an byte; a letter of base64 becomes another one, since others are no damage but no base64.
sub flip {
    my ($file, $at) = @_;
    my $text = slurp($file);
    for (substr $text, $at, 1) { $_ = m{[A-Za-z0-9+/]} ? /A/ ? 'B' : 'A' : $_ ^ "\x01" }
    spew($file, $text);
    return;
}

machine('best',  'Linux', $ARCH,    @BEST);
machine('other', 'Linux', 'armv7l', @BEST);
release('good');
my $ARCHIVE = "touchstone-$VERSION-linux-$ARCH.tar." . (has('xz') ? 'xz' : 'gz');

subtest 'a good release is unpacked below HOME, whatever tools there are' => sub {
    my @with = (
        \@BEST, [qw(wget openssl)],
        [qw(perl openssl sha256sum)],
        [qw(curl minisign shasum perl)],
        [qw(curl minisign perl xz)]
    );
    for my $tools (@with) {
        my $got = get(from => 'good', path => machine("with @$tools", 'Linux', $ARCH, @$tools));
        is("$got->{status} " . inside($got->{home}), "0 touchstone-$VERSION", "with @$tools")
            or diag($got->{said});
        is(inside("$got->{home}/touchstone-$VERSION"),  'Run pgms',             'all of it');
        is(run("$got->{home}/touchstone-$VERSION/Run"), "this is Touchstone\n", 'and it runs');
        like(
            $got->{said},
            qr{^  cd '\Q$got->{home}\E/touchstone-$VERSION' && ./Run$}m,
            'what to type is said'
        );
        my $type = (grep { $_ eq 'xz' } @$tools) && has('xz') ? 'xz' : 'gz';
        is(
            (grep { /tar/ } $web->asked)[0],
            "good/touchstone-$VERSION-linux-$ARCH.tar.$type",
            ".tar.$type was taken"
        );
    }
};

subtest 'every shell will do, and busybox for every tool' => sub {
    for my $shell (grep { has($_) } qw(dash bash busybox)) {
        my @words = $shell eq 'busybox' ? 'sh' : ();
        my $got   = get(from => 'good', shell => [ has($shell), @words ]);
        is($got->{status}, 0, $shell) or diag($got->{said});
    }
    plan skip_all => $_ for Tools::lacking('busybox');
    my $path = machine('boxed', 'Linux', $ARCH, qw(openssl));
    for my $tool (@TOOLS, qw(wget sha256sum)) {
        unlink "$path/$tool";
        symlink has('busybox'), "$path/$tool";
    }
    my $got = get(from => 'good', path => $path, shell => [ has('busybox'), 'sh' ]);
    is("$got->{status} " . inside($got->{home}), "0 touchstone-$VERSION", 'busybox alone')
        or diag($got->{said});
    like(
        $got->{said},
        qr/^It needs perl, which is not installed here\.$/m,
        'perl is missing, and that is said'
    );
};

subtest 'a folder that exists is left as it is' => sub {
    $web->asked;
    my $home = File::Temp::tempdir(DIR => "$place");
    spew("$home/touchstone-$VERSION/mine", "mine\n");
    my $got = get(from => 'good', home => $home);
    is(
        "$got->{status} $got->{said}",
        "1 get: '$home/touchstone-$VERSION' exists already; it was left as it is\n",
        'it is said'
    );
    is(inside("$home/touchstone-$VERSION") . ' ' . inside($home), "mine touchstone-$VERSION", 'and so it is');
    is_deeply([ $web->asked ], [], 'nothing was downloaded');
    my $to = get(from => 'good', home => $home, words => [ '--to', "$place/web" ]);
    is("$to->{status} " . -x "$place/web/touchstone-$VERSION/Run", '0 1', '--to names another folder');
    $web->asked;
};

subtest 'what cannot begin says why' => sub {
    my @wrong = (
        [ [qw(--version 7;1)],       qr/--version needs a version such as 8\.0\.0, not '7;1'$/m ],
        [ [qw(--from ftp://x)],      qr{--from needs http:// or https://, not 'ftp://x'$}m ],
        [ [qw(--to)],                qr/--to needs a value$/m ],
        [ [qw(--fast)],              qr/'--fast' is not known$/m ],
        [ [ '--to', "$place/none" ], qr/cannot write in '\Q$place\E\/none': .*No such file or directory/ ],
    );
    for my $wrong (@wrong) {
        my $got = get(from => 'good', words => $wrong->[0]);
        is($got->{status}, 1, "@{ $wrong->[0] }");
        like($got->{said}, $wrong->[1], 'a sentence');
        is(inside($got->{home}), '', 'nothing was made');
    }
    my ($status, $said) = said('env', '-u', 'HOME', 'sh', "$place/get", '--from', $web->address . '/good');
    is("$status $said", "1 get: HOME is not set: name a folder with --to DIR\n", 'without HOME');
    ($status, $said) = said('sh', 'packaging/get', '--from', $web->address . '/good');
    is(
        "$status $said",
        "1 get: this copy of get has no key: take the one that a release has\n",
        'without a key'
    );
    ($status, $said) = said({ env => { HOME => "$place/web" } }, 'sh', "$place/get", '--version', '9.9.9');
    is($status, 1, 'without an address');
    is_deeply([ $web->asked ], [], 'nothing was downloaded');
};

subtest 'what nothing here can check is not unpacked' => sub {
    my $path = machine('unable', 'Linux', $ARCH, qw(curl sha256sum perl));
    refused(
        'without minisign and openssl',
        'nothing here can check the signature, and without that nothing is unpacked
get: install minisign, or openssl 3 or newer$',
        from => 'good',
        path => $path
    );
    spew("$path/openssl",
        "#!/bin/sh\n[ \$1 = pkeyutl ] && echo ' -verify   Verify with public key'\nexit 1\n");
    chmod 0755, "$path/openssl";
    refused('with openssl 1.1', 'nothing here can check the signature', from => 'good', path => $path);
    is_deeply([ $web->asked ], [], 'nothing was downloaded');
};

subtest 'a changed signature, list or archive is refused' => sub {
    my $both =
        qr/the signature does not fit SHA256SUMS in '.*': one of them was changed; nothing was unpacked$/;
    my %case = (
        'the list'              => [ 'SHA256SUMS',         3,   $both ],
        'the signature'         => [ 'SHA256SUMS.minisig', 90,  $both ],
        'its comment'           => [ 'SHA256SUMS.minisig', -95, $both ],
        'the second signature'  => [ 'SHA256SUMS.minisig', -30, $both ],
        'the number of its key' =>
            [ 'SHA256SUMS.minisig', 58, qr/the release .* was signed with another key/ ],
        'the archive' =>
            [ $ARCHIVE, 1000, qr/'\Q$ARCHIVE\E' does not have the sum that the release states: it was/ ],
    );
    for my $what (sort keys %case) {
        my ($file, $at, $said) = @{ $case{$what} };
        my $folder = changed($what =~ s/ /-/gr, sub { flip("$_[0]/$file", $at) });
        for my $checker (qw(minisign openssl)) {
            refused(
                "a changed byte in $what, $checker", $said,
                from => $folder,
                path => machine("$checker only", 'Linux', $ARCH, $checker, qw(curl sha256sum xz))
            );
        }
    }
};

subtest 'a release of another key or version is refused' => sub {
    my $other = changed(other => sub { signed($_[0], key => 'other') });
    refused('another key', 'the release .* was signed with another key', from => $other);
    my $older = changed(older => sub { signed($_[0], comment => 'touchstone 7.0.0') });
    refused(
        'an older version',
        qr/'.*' has touchstone 7\.0\.0, not version 7\.1\.0; nothing was unpacked$/,
        from => $older
    );
    my $named = get(from => 'older', words => [qw(--version 7.0.0)]);
    like(
        $named->{said},
        qr/\Aget: version 7\.0\.0 has no bundle for Linux on $ARCH$/m,
        'even where it was asked for'
    );
    refused(
        'no signature',
        qr/cannot download '.*SHA256SUMS\.minisig': .*404/,
        from => changed(unsigned => sub { unlink "$_[0]/SHA256SUMS.minisig" })
    );
};

subtest 'what was cut is refused, noticed or not' => sub {
    my @with = map { machine("cut $_", 'Linux', $ARCH, $_, qw(minisign perl sha256sum xz)) } qw(curl wget);
    for my $file ('SHA256SUMS', 'SHA256SUMS.minisig', $ARCHIVE) {
        my $noticed = changed("cut-$file", sub { $web->cut("cut-$file/$file") });
        refused("half of $file", "cannot download '.*$file': ", from => $noticed, path => $_) for @with;
        my $short = changed("short-$file", sub { $web->cut("short-$file/$file", 1) });
        refused("half of $file that looks whole", '.*nothing was unpacked', from => $short, path => $_)
            for @with;
    }
};

subtest 'a server that sends without end is not waited for, and commands no terminal' => sub {
    my %with =
        map { $_ => machine("hostile $_", 'Linux', $ARCH, $_, qw(minisign sha256sum xz)) } qw(curl wget perl);
    for my $file ('SHA256SUMS', 'SHA256SUMS.minisig') {
        my $endless = changed("endless-$file", sub { $web->endless("endless-$file/$file") });
        refused(
            "$file without end, $_",
            "cannot download '.*/$file': it has more than 100 KB, which no file of this name in a release has\n",
            from => $endless,
            path => $with{$_}
        ) for sort keys %with;
    }
    my $refused = changed('refused', sub { $web->refuse('refused/SHA256SUMS') });
    for my $tool (sort keys %with) {
        my $got = get(from => $refused, path => $with{$tool});
        like($got->{said}, qr/\Aget: cannot download '.*':.* 404/, "$tool: an error");
        unlike($got->{said}, qr/[^\n -~]/, "$tool: and no letter beyond ASCII's");
    }
};

subtest 'no space is said, and nothing stays' => sub {
    my $unshare = has('unshare') && ((said('unshare', '-m', 'true'))[0] == 0 ? '-m' : '-rm');
    my $full    = "$place/full";
    mkdir $full;
    plan skip_all => 'no file system can be mounted here'
        if !$unshare || (said('unshare', $unshare, 'mount', '-t', 'tmpfs', 'none', $full))[0] != 0;
    for my $case ([ 'cannot download', '300k' ], [ 'cannot unpack', '650k' ]) {
        my $script = 'mount -t tmpfs -o size="$1" none "$2"; sh "$3" --to "$2" --from "$4"; ls -A "$2"';
        my ($status, $said) =
            said('unshare', $unshare, 'sh', '-c', $script, 'sh', $case->[1], $full, "$place/get",
            $web->address . '/good');
        like(
            $said,
            qr/\Aget: $case->[0] '.*': no space is left in '\Q$full\E'\nget: name another folder with --to DIR\n\z/,
            $case->[0]
        );
    }
};

subtest 'a machine without a bundle is told how to build' => sub {
    my $how = qr{version 7\.1\.0 has no bundle for Linux on armv7l
get: build it from the sources with a C compiler, make and perl:
get:   curl -fLO \S+/good/touchstone-7\.1\.0\.tar\.gz
get:   tar -xzf touchstone-7\.1\.0\.tar\.gz && cd touchstone-7\.1\.0 && make && \./Run$};
    refused('another architecture', $how, from => 'good', path => "$place/on/other");
    refused(
        'another system', 'version 7\.1\.0 has no bundle for FreeBSD on x86_64',
        from => 'good',
        path => machine('bsd', 'FreeBSD', 'amd64', @BEST)
    );
};

subtest 'an archive that would write elsewhere is refused before it is unpacked' => sub {
    my $root   = "touchstone-$VERSION-linux-$ARCH";
    my %member = (
        'a file above'           => [ "$root/../../evil",      'evil' ],
        'a file next to it'      => [ 'touchstone-other/evil', 'evil' ],
        'a hidden file'          => [ '.profile',              'evil' ],
        'an absolute name'       => [ "$place/evil",           'evil' ],
        'a symbolic link'        => [ "$root/link",            '', { type => 2, linkname => "$place" } ],
        'a link to another file' => [ "$root/link",            '', { type => 1, linkname => "$place/get" } ],
    );
    for my $what (sort keys %member) {
        my $folder = $what =~ s/ /-/gr;
        release($folder, $member{$what});
        refused(
            $what,
            "'.*' (?:has a file outside of its folder, '.*'|is damaged, or has more than files and folders);",
            from => $folder
        );
    }
    ok(!-e "$place/evil", 'nothing was written elsewhere');
};

subtest 'a copy of get that was cut does nothing' => sub {
    my $whole = slurp("$place/get") =~ s/^ADDRESS=$/'ADDRESS=' . $web->address . '\/good'/mer;
    my $home  = "$place/cut-home";
    mkdir $home;
    my $piped = sub {
        spew("$place/cut", $_[0]);
        return said({ env => { HOME => $home } }, 'sh', '-c', 'sh <"$1"', 'sh', "$place/cut");
    };
    $web->asked;
    my @at = ((map { $_ * 200 } 0 .. length($whole) / 200), length($whole) - 60 .. length($whole) - 3);
    for my $at (@at) {
        $piped->(substr $whole, 0, $at);
        my $done = join ' ', inside($home), $web->asked;
        is($done, '', "cut after $at bytes") if length $done;
    }
    is(inside($home) . join(' ', $web->asked), '', scalar(@at) . ' cuts: nothing was downloaded or written');
    my ($status) = $piped->($whole);
    is("$status " . inside($home), "0 touchstone-$VERSION", 'the whole one works in the same way');
};

subtest 'its text is in order' => sub {
    plan skip_all => $_ for Tools::lacking('shellcheck');
    is((said('shellcheck', 'packaging/get'))[1], '', 'shellcheck has nothing to say');
};

done_testing;

#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The recipes of packaging/ say the same of us, and list what make install installs. Their own tools try them:
# packaging/THING/try.
use 5.014;
use strict;
use warnings;

use File::Find qw(find);
use File::Temp ();
use Test::More;

use lib 't/lib', 'packaging/lib';
use Fake;
use NoWarnings;
use Packaging qw($ROOT slurp spew);
use Recipe qw(facts filled recipe_files);
use Tools;
use Touchstone::Machine::Command;
use Touchstone;

my $scratch = File::Temp->newdir;

# Digests are asked of any file: that of the source archive takes git and time.
spew("$scratch/archive", "an archive\n");
my $FACTS = facts("$scratch/archive");

# How each recipe says a fact, once it is filled in.
my %SAID = (
    'packaging/rpm/touchstone.spec' => {
        VERSION  => qr/^Version: +(.+)$/m,
        SUMMARY  => qr/^Summary: +(.+)$/m,
        LICENCE  => qr/^License: +(.+)$/m,
        HOME     => qr/^URL: +(.+)$/m,
        DOWNLOAD => qr/^Source0: +(.+)%\{name\}-%\{version\}\.tar\.gz$/m,
        DAY      => qr/^\* (.+?) Touchstone maintainers </m,
    },
    'packaging/arch/PKGBUILD' => {
        VERSION  => qr/^pkgver=(.+)$/m,
        SUMMARY  => qr/^pkgdesc='(.+)'$/m,
        LICENCE  => qr/^license=\((.+)\)$/m,
        HOME     => qr/^url='(.+)'$/m,
        DOWNLOAD => qr/^source=\("(.+)\$pkgname-\$pkgver\.tar\.gz"\)$/m,
        SHA256   => qr/^sha256sums=\('(.+)'\)$/m,
    },
    'packaging/alpine/APKBUILD' => {
        VERSION  => qr/^pkgver=(.+)$/m,
        SUMMARY  => qr/^pkgdesc="(.+)"$/m,
        LICENCE  => qr/^license="(.+)"$/m,
        HOME     => qr/^url="(.+)"$/m,
        DOWNLOAD => qr/^source="(.+)\$pkgname-\$pkgver\.tar\.gz"$/m,
        SHA512   => qr/^sha512sums="\n(\w+)  touchstone-\Q$Touchstone::VERSION\E\.tar\.gz\n"$/m,
    },
    'packaging/freebsd/Makefile' => {
        VERSION  => qr/^DISTVERSION=\t(.+)$/m,
        SUMMARY  => qr/^COMMENT=\t(.+)$/m,
        LICENCE  => qr/^LICENSE=\t(.+)$/m,
        HOME     => qr/^WWW=\t\t(.+)$/m,
        DOWNLOAD => qr/^MASTER_SITES=\t(.+)$/m,
    },
    'packaging/freebsd/distinfo' => {
        EPOCH   => qr/^TIMESTAMP = (.+)$/m,
        VERSION => qr/^SIZE \(touchstone-(.+)\.tar\.gz\)/m,
        SHA256  => qr/^SHA256 \(touchstone-\Q$Touchstone::VERSION\E\.tar\.gz\) = (.+)$/m,
        SIZE    => qr/^SIZE \(.*\) = (.+)$/m,
    },
    'packaging/nix/default.nix' => {
        VERSION  => qr/^  version = "(.+)";$/m,
        SUMMARY  => qr/^    description = "(.+)";$/m,
        LICENCE  => qr/^    license = lib\.licenses\.(.+);$/m,
        HOME     => qr/^    homepage = "(.+)";$/m,
        DOWNLOAD => qr/^    url = "(.+)\$\{pname\}-\$\{version\}\.tar\.gz";$/m,
        SHA256   => qr/^    sha256 = "(.+)";$/m,
    },
    'packaging/nix/flake.nix'          => { SUMMARY => qr/^  description = "(.+)";$/m },
    'packaging/homebrew/touchstone.rb' => {
        VERSION  => qr/^  url ".*touchstone-(.+)\.tar\.gz"$/m,
        SUMMARY  => qr/^  desc "(.+)"$/m,
        LICENCE  => qr/^  license "(.+)"$/m,
        HOME     => qr/^  homepage "(.+)"$/m,
        DOWNLOAD => qr/^  url "(.+)touchstone-.*"$/m,
        SHA256   => qr/^  sha256 "(.+)"$/m,
    },
    'debian/changelog' => { VERSION => qr/\Atouchstone \((.+)-\d+\) / },
    'debian/control'   => { SUMMARY => qr/^Description: (.+)$/m, HOME => qr/^Homepage: (.+)$/m },
    'debian/copyright' => { LICENCE => qr/^Files: \*\n.*?^License: (.+?)$/ms },
);

# Our licence has these names in systems that do not use SPDX's.
my %LICENCE = ('GPLv2+' => 1, gpl2Plus => 1);

my @RECIPES = grep { -e "$ROOT/$_" } sort keys %SAID;
my %text    = map  { $_ => filled(slurp("$ROOT/$_"), $FACTS) } @RECIPES;

# The facts that a text says in another way than we do, or not at all.
sub wrong {
    my ($recipe, $text) = @_;
    my @wrong;
    for my $fact (sort keys %{ $SAID{$recipe} }) {
        my ($said) = $text =~ $SAID{$recipe}{$fact};
        next if defined $said && ($said eq $FACTS->{$fact} || $fact eq 'LICENCE' && $LICENCE{$said});
        push @wrong, "$fact is '" . ($said // 'not there') . "', not '$FACTS->{$fact}'";
    }
    return @wrong;
}

subtest 'every recipe has the same version, licence, addresses, description and digest' => sub {
    is($FACTS->{VERSION},                $Touchstone::VERSION, 'the version is that of the command');
    is(join("\n", wrong($_, $text{$_})), '',                   $_) for @RECIPES;
};

subtest 'another version, digest or any other fact is found in each recipe' => sub {
    for my $recipe (@RECIPES) {
        for my $fact (sort keys %{ $SAID{$recipe} }) {
            my $other = $text{$recipe};
            $other =~ $SAID{$recipe}{$fact} or next;
            substr $other, $-[1], $+[1] - $-[1], 'other';
            like(join("\n", wrong($recipe, $other)), qr/^$fact is 'other'/m, "$recipe: $fact");
        }
    }
};

subtest 'no recipe is left out, and none is taken for tried where it was not' => sub {
    for my $thing (map { m{([^/]+)/build\z} } glob "\Q$ROOT\E/packaging/*/build") {
        for my $file (grep { /\.(?:spec|nix|rb)\z|BUILD\z|\AMakefile\z|\Adistinfo\z/ } recipe_files($thing)) {
            my $recipe = "packaging/$thing/$file";
            ok($SAID{$recipe}, "$recipe is compared");
            like($text{$recipe} // '', qr/^# .*\bNot tried (?:on|by) \w+/m, "$recipe says where not")
                if $file ne 'distinfo';
        }
    }
};

subtest 'every make of a recipe is portable, and has no flags of a distribution' => sub {
    for my $recipe (grep { $SAID{$_}{LICENCE} && !/\Adebian/ } @RECIPES) {
        my $text = $text{$recipe} =~ s/^\s*#.*\n//mgr =~ s{\\\n\s*|\n\s+(?=["\]])}{ }gr;
        my @makes =
            $text =~ /^(?:\tmake\b|%make_\w+|MAKE_ARGS=|  makeFlags = |    system "make")([^;]*?)(?:;|$)/mg;
        cmp_ok(scalar @makes, '>', 0, "$recipe calls make");
        for my $make (@makes) {
            like($make, qr/\bFLAVOUR=portable\b/, "$recipe: portable") or next;
            my @flags = ($make, $text =~ /^    flags = (.*)$/m);
            like("@flags", qr/\bCFLAGS=(?:"?(?:[\s,]|\z)|-I)/, "$recipe: no flags but those of the suites");
        }
    }
};

# Returns the files that make install installs below PREFIX, without building anything.
sub installed {
    my ($make) = grep { Touchstone::Machine::Command::find($_) } qw(gmake make);
    plan skip_all => 'there is no make' if !$make;
    plan skip_all => 'nothing is built' if !-e "$ROOT/pgms/pipe" || !-e "$ROOT/pgms/build.facts";
    delete local @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS BUILD DESTDIR PREFIX MANDIR)};
    my ($status, $said) = Touchstone::Machine::Command::output(
        [ $make, '-s', '-C', $ROOT, '-o', 'all', 'install', "DESTDIR=$scratch/stage", 'PREFIX=/usr' ],
        errors => 1);
    is("$status $said", '0 ', 'make install');
    my @files;
    find({ no_chdir => 1, wanted => sub { push @files, $_ if -l || -f } }, "$scratch/stage");
    return sort map { s{\A\Q$scratch\E/stage/usr/}{}r } @files;
}

# What is listed, as patterns of paths below PREFIX: %files of the spec, without what rpm copies by itself.
sub of_rpm {
    my ($list) = $text{'packaging/rpm/touchstone.spec'} =~ /^%files\n(.*?)\n\n/ms;
    my %macro = (bindir => 'bin', mandir => 'share/man', datadir => 'share');
    return map { s/\*\z/.*/r =~ s{/\z}{/.+}r }
        map    { s{\A%\{_prefix\}/}{}r =~ s/\A%\{_(bindir|mandir|datadir)\}/$macro{$1}/r =~ s/\./\\./gr }
        grep   { !/\A%(?:license|doc) / } split /\n/, $list;
}

# Those of the port: a list, and what find lists in addition.
sub of_freebsd {
    my $port = $text{'packaging/freebsd/Makefile'} =~ s/\\\n\s*//gr;
    my ($list) = $port =~ /^PLIST_FILES=\s*(.*)$/m;
    return (map ({ s/\.gz\z//r =~ s/\./\\./gr } split ' ', $list),
        map { "$_/.+" } $port =~ /^\tcd \$\{STAGEDIR\}\$\{PREFIX\} && \$\{FIND\} (\S+) -type f \|/m);
}

# Files that are in no pattern or in two, and patterns without a file.
sub unlisted {
    my ($files, @patterns) = @_;
    my %hits = map {
        my $pattern = $_;
        ($_ => scalar grep { /\A$pattern\z/ } @$files)
    } @patterns;
    my @none = grep { !$hits{$_} } @patterns;
    for my $file (@$files) {
        my $times = grep { $file =~ /\A$_\z/ } @patterns;
        push @none, $file if $times != 1;
    }
    return @none;
}

subtest 'the lists of files are what make install installs' => sub {
    my @files = installed();
    cmp_ok(scalar @files, '>', 300, 'many files');
    my %list = (rpm => [ of_rpm() ], freebsd => [ of_freebsd() ]);
    for my $thing (sort keys %list) {
        my @patterns = @{ $list{$thing} };
        is(join("\n", unlisted(\@files, @patterns)), '', $thing);
        for my $left_out (0 .. $#patterns) {
            my @others = @patterns[ grep { $_ != $left_out } 0 .. $#patterns ];
            ok(scalar(unlisted(\@files, @others)), "$thing: not without $patterns[$left_out]");
        }
        ok(scalar(unlisted(\@files, @patterns, 'share/other')), "$thing: nor with a file that is not there");
    }
};

# All that is installed goes into these packages, so they list nothing.
subtest 'the other recipes install by make install alone' => sub {
    my %words = (
        'arch/PKGBUILD'          => qr/^\tmake .* install DESTDIR="\$pkgdir" PREFIX=\/usr$/m,
        'alpine/APKBUILD'        => qr/^\tmake .* install DESTDIR="\$pkgdir" PREFIX=\/usr$/m,
        'nix/default.nix'        => qr/^    "PREFIX=\$\{placeholder "out"\}"$/m,
        'homebrew/touchstone.rb' => qr/^    system "make", .*"PREFIX=#\{prefix\}", "install"$/m,
    );
    for my $recipe (sort keys %words) {
        my $text = $text{"packaging/$recipe"};
        like($text, $words{$recipe}, $recipe);
        unlike($text, qr/^\s*(?:install |cp |mv |bin\.install|installPhase)/m, "$recipe: nothing by itself");
    }
};

subtest 'a trial that is interrupted ends what it has started, and removes its scratch' => sub {
    my $trial = <<'END';
my $scratch = scratch();
$| = 1;
print "$scratch\n";
run('sh', '-c', 'sleep 600 & echo $! >"$1/new"; mv "$1/new" "$1/child"; wait', 'sh', "$scratch");
END
    my $pid = open my $said, '-|', $^X, '-Ipackaging/lib', '-MPackaging=run,scratch', '-e',
        "open STDERR, '>&', STDOUT; $trial"
        or die "cannot start the trial: $!\n";
    chomp(my $its_scratch = <$said>);
    select undef, undef, undef, 0.05 while !-e "$its_scratch/child" && kill 0, $pid;
    my $child = slurp("$its_scratch/child") + 0;
    kill TERM => $pid;
    is(<$said>, "interrupted by SIGTERM\n", 'it says why it ends');
    close $said;
    ok(!-e $its_scratch, 'its scratch is gone');

    # Each look waits five seconds.
    my $gone;
    for (1 .. 6) { last if $gone = Fake::gone($child) }
    ok($gone, 'and what it has started');
    kill KILL => $child if !$gone;
};

subtest 'a tree has the same sources without git and without MANIFEST' => sub {
    my $tree = "$scratch/tree";
    my %text = (
        '.gitignore'      => slurp("$ROOT/.gitignore"),
        'Run'             => '',
        'README.md'       => '',
        'pgms/multi.sh'   => '',
        'pgms/index.base' => '',
        't/obj/x'         => '',
        'src/pipe.c'      => ''
    );
    my %made = map { $_ => '' } qw(.git/HEAD obj/pipe.o pgms/pipe pgms/fsdisk.d/x results/.runs/a.json
        tmp/x testdir/large.txt dist/x.sh);
    my %all = (%text, %made, 'packaging/lib/Packaging.pm' => slurp("$ROOT/packaging/lib/Packaging.pm"));
    spew("$tree/$_", $all{$_}) for keys %all;
    my ($status, $said) = Packaging::said({ env => { PATH => '/nowhere' } },
        $^X, "-I$tree/packaging/lib", '-MPackaging', '-e', 'print map { "$_\n" } sort(Packaging::sources())');
    is($said,   join('', map { "$_\n" } sort keys %text, 'packaging/lib/Packaging.pm'), 'without git');
    is($status, 0,                                                                      'and nothing fails');
    spew("$tree/MANIFEST", "Run\nsrc/pipe.c\n");
    ($status, $said) = Packaging::said($^X, "-I$tree/packaging/lib", '-MPackaging', '-e',
        'print join " ", Packaging::sources()');
    is($said, 'Run src/pipe.c', 'MANIFEST of a source archive is the list');
};

subtest 'git and .gitignore agree on the sources of this tree' => sub {
    my ($status, $tracked) =
        Packaging::said('git', '-C', $ROOT, '-c', "safe.directory=$ROOT", 'ls-files', '-z');
    plan skip_all => $_ for Tools::lacking('git');
    plan skip_all => 'this tree is no clone' if $status != 0 || !-e "$ROOT/.git";
    my %found = map { $_ => 1 } Packaging::found();
    is_deeply([ grep { !$found{$_} && -e "$ROOT/$_" } split /\0/, $tracked ], [],
        'all that git has is found');
    my ($built) = grep { -e "$ROOT/$_" } 'pgms/pipe', 'obj/pipe.o';
    ok(!$found{$built}, 'and what make has built is not') if defined $built;
};

done_testing;

#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The man page that is made from the manual at the end of Run.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use List::Util qw(max);
use Test::More;

use lib 't/lib';
use Fake;
use NoWarnings;
use Tools;
use Touchstone::Cli::Manual;
use Touchstone::Cli::Commands;
use Touchstone::Cli::Options;
use Touchstone::Machine::Command;
use Touchstone;

plan skip_all => 'there is no Pod::Man' if !eval { require Pod::Man };

my $pod  = Fake::read_file("$Fake::BASE/Run");
my $page = Touchstone::Cli::Manual::page($pod);
my $temp = File::Temp->newdir;
Fake::write_file("$temp/page", $page);

# Returns both streams of a command.
sub said {
    my (@command) = @_;
    plan skip_all => $_ for Tools::lacking($command[0]);
    return (Touchstone::Machine::Command::output(\@command, errors => 1))[1];
}

subtest 'the page is that of the installed command' => sub {
    like($page, qr/^touchstone \\- measure /m, 'its name');
    unlike($page, qr{\./Run\b|^Run \\- }m, 'and no other');
    my @sections = $page =~ /^\.SH "?([A-Z ]+?)"?$/mg;
    is(
        join(', ', @sections),
        'NAME, SYNOPSIS, EXAMPLES, EXIT STATUS, DESCRIPTION, COMMANDS, OPTIONS, ENVIRONMENT, FILES, SEE ALSO',
        'its sections'
    );
    for my $name (map { $_->[-1] } Touchstone::Cli::Options::names()) {
        my $dashed = "--$name" =~ s/-/\\\\-/gr;
        like($page, qr/^\.IP .*$dashed\b/m, "--$name");
    }
};

subtest 'the manual has the headings of help, and the same options below each' => sub {
    my ($options) = $pod =~ /^=head1 OPTIONS\n(.*?)^=head1/ms;
    my (@told, @shown);
    while ($options =~ /^=head2 (.*)|^=item (?:B<-\w>, )?B<(--[\w-]+)>/mg) { push @told, $1 // $2 }
    for my $option (Touchstone::Cli::Options::described()) {
        push @shown, $option->{heading} if !grep { $_ eq $option->{heading} } @shown;
        push @shown, "--$option->{name}";
    }
    is_deeply(\@told, \@shown, 'in one order');
    my ($commands) = $pod =~ /^=head1 COMMANDS\n(.*?)^=head1/ms;
    is(
        join("\n", map { s/[BI]<([^>]*)>/$1/gr } $commands =~ /^=item (.*)/mg),
        join("\n", map { "$_->{name} $_->{pattern}" =~ s/ \z//r } Touchstone::Cli::Commands::all()),
        'and the commands with their operands'
    );
};

subtest 'as text it is no wider than the window' => sub {
    for my $columns (40, 60, 80, 120, undef) {
        my @lines = split /\n/, Touchstone::Cli::Manual::text($pod, $columns);
        cmp_ok(max(map { length } @lines), '<=', $columns // 80, ($columns // 'unknown') . ' columns');
    }
};

subtest 'the page is the same on every day' => sub {
    like(
        $page,
        qr/^\.TH TOUCHSTONE 1 "" "Touchstone \Q$Touchstone::VERSION\E" "Touchstone"$/m,
        'version, and no date'
    );
    is(Touchstone::Cli::Manual::page($pod), $page, 'made again');
};

subtest 'groff understands all of the page' => sub {
    is(said('groff', '-ww', '-man', '-Tascii', '-z', "$temp/page"), '', 'no remark');
};

subtest 'mandoc understands all of the page' => sub {
    my @remarks = grep { /: (?:WARNING|ERROR|UNSUPP)/ } split /\n/,
        said('mandoc', '-T', 'lint', "$temp/page");

    # Every page of Pod::Man has some of these remarks, and the date is left out on purpose.
    @remarks = grep { !/missing date|skipping paragraph macro: br before sp/ } @remarks;
    is(join("\n", @remarks), '', 'no remark');
};

subtest 'the page fits into 80 columns' => sub {
    my $text = said('groff', '-man', '-Tascii', '-P-cbou', '-rLL=80n', "$temp/page");
    like($text, qr/^ +touchstone \[options\] \[test or group \.\.\.\]$/m, 'it is there');
    is(join("\n", grep { length > 80 } split /\n/, $text), '', 'no longer line');
};

subtest 'make man makes it, and make clean removes it' => sub {
    my ($make) = grep { Touchstone::Machine::Command::find($_) } qw(gmake make);
    plan skip_all => 'there is no make' if !$make;
    my $tree = "$temp/a 'tree'";
    mkdir $tree or die "cannot make '$tree': $!\n";
    symlink "$Fake::BASE/$_", "$tree/$_" or die "cannot make a link: $!\n" for qw(Run Makefile lib);
    delete local @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS BUILD)};
    my ($status, $said) =
        Touchstone::Machine::Command::output([ $make, '-s', '-C', $tree, 'man' ], errors => 1);
    is("$status $said",                       '0 ',  'make man');
    is(Fake::read_file("$tree/touchstone.1"), $page, 'its page');
    ($status, $said) =
        Touchstone::Machine::Command::output([ $make, '-s', '-C', $tree, 'clean' ], errors => 1);
    is("$status $said", '0 ', 'make clean');
    ok(!-e "$tree/touchstone.1", 'the page is gone');
    mkdir "$temp/$_" or die "cannot make '$temp/$_': $!\n" for qw(lib lib/Pod);
    Fake::write_file("$temp/lib/Pod/Man.pm", "die;\n");
    local $ENV{PERL5LIB} = "$temp/lib";
    ($status, $said) = Touchstone::Machine::Command::output([ $make, '-s', '-C', $tree, 'man' ], errors => 1);
    isnt($status, 0, 'without Pod::Man it fails');
    like($said, qr/^there is no Pod::Man, which makes the page for man$/m, 'and says why');
    is(join(' ', glob "\Q$tree\E/touchstone*"), '', 'and makes no page');
};

done_testing;

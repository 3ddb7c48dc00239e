#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# ./Run in an environment that changes the user's Perl: layers and encodings set there for all programs do
# not affect it.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Amount;
use Fake;
use Touchstone::Base::Text;

my @SETTINGS = ('PERLIO=:crlf', 'PERL5OPT=-CSDAL', 'PERLIO=:utf8', 'PERLIO=:unix', 'PERL_UNICODE=SDA');
@SETTINGS = @SETTINGS[ 0 .. Amount::of(1, $#SETTINGS) ];
my $ODD = "gr\xc3\xbcn\r\n\xe9";

# A record with names beyond ASCII, in UTF-8 and in bytes that are no valid text.
my $dir  = File::Temp->newdir;
my $text = Fake::read_file("$Fake::BASE/t/golden/record.json");
$text =~ s/("title": "Pipe)/$1 \xc3\xbc\\u20ac/g;
Fake::write_file("$dir/record.json", $text);
Fake::write_file("$dir/octets.json", $text =~ s/("title": "Pipe)/$1 \xe9/gr);

my $fake  = Fake->new;
my @asked = (
    (map { [ 'report', "$dir/$_", '--format', 'markdown' ] } 'record', 'octets'),
    [ 'report', "$dir/record.json", '--format', 'html' ],
    [qw(completion zsh)], [$ODD]
);

# One perl for all questions: each is a fork of it that has the words up to the next empty one.
my $EACH = <<'PERL';
    require shift @ARGV;
    require Touchstone::Cli::Report;
    my @questions = [];
    for (@ARGV) { if (length) { push @{ $questions[-1] }, $_ } else { push @questions, [] } }
    for my $words (@questions) {
        exit main(@$words) if !fork;
        wait;
        my $end = "\nexit status " . ($? >> 8) . "\n--\n";
        POSIX::write($_, $end, length $end) for 1, 2;
    }
PERL
my @COMMAND = (@Fake::RUN[ 0 .. 3 ], '-e', $EACH, "$Fake::BASE/Run");

# What is printed on both streams, and the exit status, a text for each question.
sub said {
    my ($setting) = @_;
    my @words     = map { ('', @$_) } @asked;
    my $got       = $fake->run(
        [ @words[ 1 .. $#words ] ],
        command => \@COMMAND,
        env     => { split(/=/, $setting // '', 2) }
    );
    my ($out, $err) = map { [ split /^--\n/m, $got->{$_} ] } qw(out err);
    return map { "$out->[$_]$err->[$_]" } 0 .. $#asked;
}

my @plain = said();

subtest 'without any setting all questions are answered, and odd words refused' => sub {
    is(join(' ', map { /^exit status (\d+)$/mg } @plain), '0 0 0 0 0 0 0 0 2 2', 'exit statuses');
    ok(Touchstone::Base::Text::is_utf8($_), 'no octets that are no text are shown') for @plain;
};

for my $setting (@SETTINGS) {
    subtest "with $setting the same octets are printed, of words and records alike" => sub {
        my @said = said($setting);
        ok($said[$_] eq $plain[$_], join(' ', @{ $asked[$_] }) =~ s/[^ -~]/?/gr) for 0 .. $#asked;
    };

    subtest "with $setting a run is what it is without" => sub {
        my $other = Fake->new;
        my $got   = $other->run(
            [qw(--quick --seed 1 -c 2 pipe syscall)],
            command => \@Fake::RUN,
            env     => { split /=/, $setting, 2 }
        );
        is("$got->{status} $got->{signal}", '0 0', 'exit status 0') or diag($got->{err});
        like($got->{out}, qr/^Pipe Throughput .*\nSystem Call Overhead /m, 'with all results');
        my ($name) = $other->names;
        is(
            $other->run([ 'report', $name ])->{out},
            Fake::report($got->{out}),
            'its record gives the same report'
        );
        is(Fake::read_file("$other->{results}/$name"), Fake::report($got->{out}), 'and so does the file');
    };
}

subtest 'every file is opened as octets' => sub {
    for my $file (sort split /\n/, `find lib/ -name '*.pm'`) {
        my @bare = Fake::read_file($file) =~ /\bopen\b[^;]*?, '[<>+]+'(?:,|\))/g;
        is("@bare", '', $file);
    }
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;

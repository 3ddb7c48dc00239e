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
use Fake;

my @SETTINGS = ('PERLIO=:utf8', 'PERLIO=:crlf', 'PERLIO=:unix', 'PERL_UNICODE=SDA', 'PERL5OPT=-CSDAL');
my $ODD      = "gr\xc3\xbcn\r\n\xe9";

# A record with names beyond ASCII, in UTF-8 and in bytes that are no valid text.
my $dir  = File::Temp->newdir;
my $text = Fake::read_file("$Fake::BASE/t/golden/record.json");
$text =~ s/("title": "Pipe)/$1 \xc3\xbc\\u20ac/g;
Fake::write_file("$dir/record.json", $text);
Fake::write_file("$dir/octets.json", $text =~ s/("title": "Pipe)/$1 \xe9\r/gr);

# Returns what is printed, and the exit status.
sub said {
    my ($fake, $setting, @words) = @_;
    my $got = $fake->run(\@words, command => \@Fake::RUN, env => { split(/=/, $setting // '', 2) });
    return "$got->{status}\n$got->{out}\n$got->{err}";
}

my $fake  = Fake->new;
my @asked = (
    (map { [ '--report', "$dir/$_", '--format', 'markdown' ] } 'record', 'octets'),
    [ '--report', "$dir/record.json", '--format', 'html' ],
    [qw(--completion zsh)], [$ODD]
);
my @plain = map { said($fake, undef, @$_) } @asked;

for my $setting (@SETTINGS) {
    subtest "with $setting the same octets are printed, of words and records alike" => sub {
        for my $i (0 .. $#asked) {
            ok(
                said($fake, $setting, @{ $asked[$i] }) eq $plain[$i],
                join(' ', @{ $asked[$i] }) =~ s/[^ -~]/?/gr
            );
        }
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
            $other->run([ '--report', $name ])->{out},
            Fake::report($got->{out}),
            'its record gives the same report'
        );
        is(Fake::read_file("$other->{results}/$name"), Fake::report($got->{out}), 'and so does the file');
    };
}

subtest 'every file is opened as octets' => sub {
    for my $file (sort split /\n/, `find lib -name '*.pm'`) {
        my @bare = Fake::read_file($file) =~ /\bopen\b[^;]*?, '[<>+]+'(?:,|\))/g;
        is("@bare", '', $file);
    }
};

subtest 'nothing of this makes Perl complain' => sub { is_deeply(\@Fake::PERL_WARNINGS, [], 'no warning') };

done_testing;

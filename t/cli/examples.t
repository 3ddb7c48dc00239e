#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of --help and of the manual, run: what measures says only what it would do.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Fake;
use NoWarnings;
use Stub;
use Touchstone::Cli::Help;

# Two stored runs are called A and B.
my $stub = Stub->new;
for my $name (qw(A B)) {
    my $got = $stub->run([qw(-c 1 pipe syscall)], env => { UB_OUTPUT_FILE_NAME => $name });
    is($got->{status}, 0, "the run $name") or diag($got->{err});
}

# These measure nothing; their status is that of a comparison where they are one.
my $ANSWERS = qr/\A(?:list|report|compare|browse|help)\z/;

sub check {
    my ($text) = @_;
    my @examples = $text =~ m{^ +\./Run((?: \S+)*)(?:  .*)?$}mg;
    cmp_ok(scalar @examples, '>=', 4, 'there are some');
    for my $example (@examples) {
        my @words = split ' ', $example;
        push @words, '--dry-run' if !grep { /$ANSWERS/ } @words;
        my $got = $stub->run(\@words);
        like($got->{status}, $example =~ / compare / ? qr/\A(?:0|1|125)\z/ : qr/\A0\z/, "./Run$example")
            or diag($got->{err});
        ok(length $got->{out}, 'it has an answer');
    }
    return;
}

subtest 'those of --help' =>
    sub { check(Touchstone::Cli::Help::text(undef, './Run') =~ s/\A.*?\n\n(.*?)\n\n.*/$1/sr) };

subtest 'those of the manual' => sub {
    my ($text) = Fake::read_file("$Fake::BASE/Run") =~ /^=head1 EXAMPLES\n(.*?)^=head1/ms;
    check($text);
};

done_testing;

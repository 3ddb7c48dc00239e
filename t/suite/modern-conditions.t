# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Modern::Conditions: results that were found by different means, or with pages of different sizes, are
# not those of one test, and a comparison says so.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Runs;
use Stub;
use Touchstone::Record::Json;
use Touchstone::Suite::Modern::Conditions;

my $stub = Stub->new;
my $runs = "$stub->{results}/.runs";
mkdir $_ or die "cannot make '$_': $!\n" for $stub->{results}, $runs;

# Stores a run of a test with these fields in each pass.
sub store {
    my ($name, $test, %also) = @_;
    my $record = Runs::record($name, { "1 $test" => [ Runs::steady(1000) ] });
    $_->{suite} = 'modern' for @{ $record->{tests} };
    %$_ = (%$_, %also) for @{ $record->{passes} };
    Fake::write_file("$runs/$name.json", Touchstone::Record::Json::encode($record));
    return;
}

# What a comparison of two of them says.
sub said {
    my (@names) = @_;
    my $got = $stub->run([ 'compare', @names ]);
    is($got->{err}, '', "@names: a comparison is made");
    return $got->{out} =~ s/\s+/ /gr;
}

store('by-epoll',    'events', how => 'epoll');
store('epoll-again', 'events', how => 'epoll');
store('by-poll',     'events', how => 'poll');
store('untold',      'events');
store('page-4k',     'fault', figures => [ { page => 4096 } ]);
store('page-4k-too', 'fault', figures => [ { page => 4096 } ]);
store('page-64k',    'fault', figures => [ { page => 65_536 } ]);

subtest 'what the results have decides' => sub {
    my $of = sub { Touchstone::Suite::Modern::Conditions::conditions({}, {}, $_[0]) };
    is_deeply($of->({ how => 'epoll' }), { 'mechanism' => 'epoll', 'page size' => undef }, 'the means');
    is_deeply(
        $of->({ figures => { page => 4096, huge => 1 } }),
        { 'mechanism' => undef, 'page size' => 4096 },
        'the page'
    );
    is_deeply($of->({}), { 'mechanism' => undef, 'page size' => undef }, 'nothing');
};

subtest 'results by different means are not compared, and those by the same are' => sub {
    like(said('by-epoll', 'by-poll'), qr/another mechanism/, 'epoll and poll');
    like(said('by-epoll', 'untold'),  qr/another mechanism/, 'one that does not tell');
    unlike(said('by-epoll', 'epoll-again'), qr/another|not tested/, 'epoll twice');
};

subtest 'faults of pages of different sizes are not compared, and those of one size are' => sub {
    like(said('page-4k', 'page-64k'), qr/another page size/, '4 KB and 64 KB');
    unlike(said('page-4k', 'page-4k-too'), qr/another|not tested/, '4 KB twice');
};

is(join("\n", @Fake::PERL_WARNINGS), '', 'Perl warned of nothing');

done_testing;

# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::FactAssociation: which facts and labels go with the difference between hosts, and in what a
# slow host differs from all others.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use Fleetful;
use Touchstone::Base::Random qw(normal);
use Touchstone::Pack::Fleet::FactAssociation;
use Touchstone::Pack::Fleet::Store;

my @warnings;
local $SIG{__WARN__} = sub { push @warnings, @_ };

# Returns so many hosts with what a sub of their number says of them, and a known scatter besides its ratio.
sub hosts {
    my ($many, $of, $scatter) = @_;
    my $random = Touchstone::Base::Random::generator(7);
    return [
        map {
            my %said = %{ $of->($_) };
            my $y    = log($said{ratio} // 1) + ($scatter // 0.01) * normal($random);
            +{ host_id => "id$_", facts => {}, labels => {}, slot => undef, %said, ratio => exp $y }
        } 1 .. $many
    ];
}

sub goes_with {
    my ($hosts) = @_;
    return Touchstone::Pack::Fleet::FactAssociation::goes_with($hosts,
        Touchstone::Base::Random::generator(11));
}

subtest 'a kernel with which hosts are slower goes with the difference' => sub {
    my ($line, @more) = goes_with(
        hosts(
            30,
            sub {
                my ($n) = @_;
                return $n <= 12
                    ? { ratio => 0.95, facts => { 'h release' => '6.1', 'h governor' => $n % 2 ? 'a' : 'b' } }
                    : { facts => { 'h release' => '6.8', 'h governor' => $n % 2 ? 'a' : 'b' } };
            }
        )
    );
    is_deeply($line->{associated}, ['kernel'], 'the kernel');
    cmp_ok($line->{part}, '>', 0.7,  'most of the variance') || diag $line->{part};
    cmp_ok($line->{p},    '<', 0.01, 'hardly by chance, though two were tried');
    is_deeply(
        [ map { [ @$_{qw(text hosts)} ] } @{ $line->{values} } ],
        [ [ '6.1', 12 ], [ '6.8', 18 ] ],
        'the slower value first'
    );
    cmp_ok(abs($line->{values}[0]{ratio} / $line->{values}[1]{ratio} - 0.95), '<', 0.01, 'by 5 %');
    is(scalar @more, 0, 'the governor does not');
};

subtest 'one bad host does not hide what goes with the others' => sub {
    my ($line) = goes_with(
        hosts(
            24,
            sub {
                my ($n) = @_;
                return { ratio => 0.6, facts => { 'h release' => '6.8' } } if $n == 24;
                return $n <= 8
                    ? { ratio => 0.98, facts => { 'h release' => '6.1' } }
                    : { facts => { 'h release' => '6.8' } };
            }
        )
    );
    is_deeply($line && $line->{associated}, ['kernel'], 'the kernel');
    cmp_ok(abs($line->{values}[0]{ratio} / $line->{values}[1]{ratio} - 0.98),
        '<', 0.01, 'and how slow hosts are with it');
};

subtest 'what divides the hosts alike is one line' => sub {
    my ($line, @more) = goes_with(
        hosts(
            20,
            sub {
                my $old = $_[0] <= 8;
                return {
                    ratio  => $old ? 0.9 : 1,
                    facts  => { 'h release' => $old ? '6.1' : '6.8', 'h microcode' => $old ? '0x1' : '0x2' },
                    labels => { ring        => $old ? 'one' : 'two' }
                };
            }
        )
    );
    is_deeply(
        $line->{associated},
        [ 'microcode', 'kernel', 'label ring' ],
        'they always change together here'
    );
    is_deeply([ map { $_->{text} } @{ $line->{values} } ], [ '0x1; 6.1; one', '0x2; 6.8; two' ],
        'all values');
    is(scalar @more, 0, 'no other line');
};

subtest 'slots and labels are looked at' => sub {
    my @lines = goes_with(
        hosts(
            24,
            sub {
                my $slot = int(($_[0] - 1) / 4);
                return { ratio => $slot == 2 ? 0.9 : 1, slot => "hv$slot", labels => { odd => $_[0] % 2 } };
            }
        )
    );
    is_deeply([ map { $_->{associated} } @lines ],           [ ['slot'] ], 'the slot');
    is_deeply([ @{ $lines[0]{values}[0] }{qw(text hosts)} ], [ 'hv2', 4 ], 'of the slow ones');
};

subtest 'values of fewer than three hosts, and unknown ones, say nothing' => sub {
    my @lines = goes_with(
        hosts(
            12,
            sub {
                my ($n) = @_;
                return {
                    ratio => $n <= 2 ? 0.8 : 1,
                    facts => {
                        'h release' => $n <= 2 ? '6.1' : '6.8',
                        'h smt'     => $n <= 2 ? 'off' : 'unknown',
                        'h boost'   => $n <= 6 ? 'on'  : 'unknown',
                        'h name'    => "web$n"
                    }
                };
            }
        )
    );
    is_deeply(\@lines, [], 'no line');
};

subtest 'facts that have nothing to do with it are found in few fleets' => sub {
    my $random = Touchstone::Base::Random::generator(5);
    my $found  = 0;
    for (1 .. 40) {
        my $dealt = sub {
            return { labels => { map { ("l$_" => int 3 * $random->()) } 1 .. 8 } };
        };
        my $hosts = hosts(25, $dealt, 0);
        $_->{ratio} = exp(0.02 * normal($random)) for @$hosts;
        $found++ if Touchstone::Pack::Fleet::FactAssociation::goes_with($hosts, $random);
    }
    cmp_ok($found, '<=', 6, 'in 5 of 100, corrected for their number') || diag $found;
};

subtest 'a slow host says in what it alone differs' => sub {
    my $hosts = hosts(
        10,
        sub {
            my ($n) = @_;
            return {
                ratio => $n == 3 ? 0.8 : 1,
                slot  => "hv$n",
                facts => {
                    'h name'      => "web$n",
                    'h cpu_quota' => $n == 3            ? '0.85'    : 'none',
                    'h release'   => $n == 3 || $n == 5 ? '6.1'     : '6.8',
                    'h microcode' => $n == 3            ? 'unknown' : '0x1'
                },
                labels => $n == 3 ? { new => 1 } : {}
            };
        }
    );
    is_deeply(
        Touchstone::Pack::Fleet::FactAssociation::unique_to($hosts, ['id3']),
        { id3 => [ { thing => 'CPU quota', its => '0.85', others => 'none' } ] },
        'the quota, and not its name, its slot, or the kernel that another has'
    );
    is_deeply(
        [
            map { $_->{thing} }
                @{ Touchstone::Pack::Fleet::FactAssociation::unique_to($hosts, [ 'id3', 'id5' ])->{id3} }
        ],
        [ 'CPU quota', 'kernel' ],
        'another slow host does not hide what they share'
    );
    is_deeply(Touchstone::Pack::Fleet::FactAssociation::unique_to($hosts, []), {}, 'nobody is asked for');
    is_deeply(
        Touchstone::Pack::Fleet::FactAssociation::unique_to([ @$hosts[ 2, 3 ] ], ['id3']),
        { id3 => [] },
        'too few others'
    );
};

subtest 'a judged group gets all of it' => sub {
    my $hosts = hosts(
        10,
        sub {
            my ($n) = @_;
            return {
                verdict => $n == 3 ? 'bad' : $n == 4 ? 'cleared' : '',
                ratio   => $n == 3 ? 0.8   : 1,
                figures => { '1 pipe'      => { ratio => $n == 3 ? 0.5 : 1, interval => [ 0.49, 0.51 ] } },
                facts   => { 'h cpu_quota' => $n == 3 ? '0.85' : 'none' }
            };
        }
    );
    my $group = { judged => 1, hosts => $hosts };
    Touchstone::Pack::Fleet::FactAssociation::add_associations($group,
        Touchstone::Base::Random::generator(1));
    is_deeply($group->{goes_with}, [], 'one host is not enough for a line');
    is($hosts->[2]{signature}{id},        'mixed', 'the bad host has a signature');
    is($hosts->[2]{unique_facts}[0]{its}, '0.85',  'and says in what it is alone');
    is_deeply([ grep { $hosts->[$_]{signature} || $hosts->[$_]{unique_facts} } 0 .. 9 ], [2],
        'no other host');
};

subtest 'members of a campaign can be asked' => sub {
    my $dir = File::Temp->newdir;
    Fleetful::campaign(
        "$dir",
        hosts  => 12,
        tests  => ['pipe'],
        copies => [1],
        host   => { map { +"web$_" => { mitigations => 'off' } } 1 .. 6 },
        effect => { map { +"web$_" => 0.1 } 1 .. 6 }
    );
    my @members = @{ Touchstone::Pack::Fleet::Store::read("$dir")->{members} };
    $_->{ratio} = exp($_->{figures}{'1 pipe'}{y} - 13.8) for @members;
    my @lines = goes_with(\@members);
    is_deeply([ map { $_->{associated} } @lines ],           [ ['mitigations'] ],  'mitigations');
    is_deeply([ map { $_->{text} } @{ $lines[0]{values} } ], [ 'default', 'off' ], 'the slower first');
};

is_deeply(\@warnings, [], 'nothing warns');
done_testing();

# SPDX-License-Identifier: GPL-2.0-or-later
# Run::Needs looks for what tests need beside programs only if one of them needs it.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Touchstone::Machine::Command;
use Touchstone::Machine::Resources;
use Touchstone::Run::Needs;
use Touchstone::Suite;

my $suite = Touchstone::Suite::load();
my $fake  = Fake->new;
my %said;
my @asked;

# Returns what was found. The programs answer with [status, text] by "program --option".
sub found {
    my ($want, @names) = @_;
    my @copies = ref $names[0] ? @{ shift @names } : 1;
    @asked = ();
    no warnings 'redefine';
    local *Touchstone::Machine::Command::output = sub {
        my ($command) = @_;
        my ($program) = $command->[0] =~ m{([^/]+)\z};
        push @asked, "$program @$command[1 .. $#$command]";
        return @{ $said{"$program $command->[1]"} || [ 0, '' ] };
    };
    return Touchstone::Run::Needs::find(
        want     => $want,
        places   => { bin => $fake->{bin} },
        cc       => 'cc',
        stopped  => sub { 0 },
        progress => undef,
        copies   => \@copies,
        sides    => 1,
        tests    => [ $suite->expand(@names) ]
    );
}

subtest 'nothing is asked for tests that need nothing' => sub {
    is_deeply(
        found({}, qw(pipe net-unix)),
        { values => {}, facts => {}, space => {}, trouble => {}, held => [] },
        'nothing found'
    );
    is("@asked", '', 'nobody asked');
    is_deeply(
        found({}, 'net')->{facts},
        { peer => { address => 'this machine' } },
        'a network of this machine'
    );
    is("@asked", '', 'nor without a peer');
};

subtest 'one server is asked for all X tests' => sub {
    local $ENV{DISPLAY} = ':3';
    $said{'x11 --facts'} = [ 0, "display=:3\nserver=A\tB\nversion=12\nrubbish\n" ];
    my $found = found({}, 'x11');
    is("@asked", 'x11 --facts :3', 'once');
    is_deeply(
        $found->{facts}{display},
        { display => ':3', server => 'A?B', version => 12 },
        'its facts as plain text'
    ) or diag(explain($found));
    is($found->{values}{display}, ':3', 'for the arguments');
    found({ 'x-display' => 'here:0' }, '2d-text');
    is("@asked", 'x11 --facts here:0', 'the one that is named');
    delete local $ENV{DISPLAY};
    found({}, '2d-text');
    is("@asked", 'x11 --facts xvfb', 'or one of our own');
};

# Returns what Run::Needs says of the large array on a machine with so many KB, or why there is none.
sub array_with {
    my ($all, $free, @names) = @_;
    no warnings 'redefine';
    local *Touchstone::Machine::Resources::memory = sub { return { all => $all, free => $free } };
    my $found = found({}, @names);
    my ($trouble) = values %{ $found->{trouble} };
    return $trouble ? "$trouble->[0]: $trouble->[1]; $trouble->[2]" : $found->{values}{array};
}

subtest 'the large array is as large as the machine can spare' => sub {
    is(array_with(24e6,      20e6,  'm-vir4.c'), 65536, '64 MB');
    is(array_with(1_048_576, 1e6,   'm-vir4.c'), 65536, 'of a GB');
    is(array_with(524_288,   5e5,   'm-vir4.c'), 32768, 'a sixteenth of less');
    is(array_with(undef,     undef, 'm-vir4.c'), 65536, 'where nobody tells');
    is(array_with(1000,      undef, 'm-vir4.c'), 256,   'never none');
    is(array_with(undef,     undef, 'pipe'),     undef, 'of no use to others');
};

subtest 'arrays for which there is no room are not tried' => sub {
    my $remedy = 'end other programs, or run fewer copies (-c)';
    is(array_with(24e6, 87_300, 'm-vir4.c'),
        "skipped: 86 MB of memory are needed for the large array, 85 MB are free; $remedy", 'one');
    is(array_with(24e6, 87_400, 'm-vir4.c'), 65536, 'one that just fits');
    is(
        array_with(24e6, 5_000_000, [ 1, 64 ], 'm-nmemvir1.c'),
        "skipped: 5462 MB of memory are needed for 64 large arrays, 4882 MB are free; $remedy",
        'one for each copy'
    );
    is(
        array_with(24e6, 300_000, [ 1, 64 ], 'load1997'),
        "skipped: 342 MB of memory are needed for 4 large arrays, 292 MB are free; $remedy",
        'the four of the load, which is one copy'
    );
    is(array_with(24e6, 350_000, [ 1, 64 ], 'load1997'), 65536, 'and has room for them');
};

subtest 'trouble has a kind, a reason and what to do' => sub {
    $said{'net --check'} =
        [ 1 << 8, "ERROR|it is another version: 9; use the same version on both machines\n" ];
    is_deeply(
        found({ peer => 'h' }, 'net-tcp')->{trouble},
        { peer => [ 'failures', 'it is another version: 9', 'use the same version on both machines' ] },
        'a failure'
    );
    $said{'net --check'} = [ 77 << 8, "SKIP|no network here\n" ];
    is_deeply(
        found({ peer => 'h' }, 'net-tcp')->{trouble},
        { peer => [ 'skipped', 'no network here', undef ] },
        'a skip without a remedy'
    );
    $said{'net --check'} = [ 9, '' ];
    like(found({ peer => 'h' }, 'net-tcp')->{trouble}{peer}[1], qr/status/, 'one that was killed');
    delete $said{'net --check'};
};

subtest 'an option that chooses nothing is found' => sub {
    is(
        join(' ',
            Touchstone::Run::Needs::idle_options({ peer => 'h', 'x-display' => ':0' }, $suite->expand('net'))
        ),
        'x-display',
        'one of two'
    );
    is(
        join(
            ' ',
            Touchstone::Run::Needs::idle_options(
                { map { $_ => 'x' } Touchstone::Run::Needs::options() },
                $suite->expand(qw(lbt platform truth))
            )
        ),
        '',
        'none with all tests'
    );
    is(
        Touchstone::Run::Needs::belongs_to('peer'),
        'it is for the tests of the group net',
        'and where it belongs'
    );
};

done_testing;

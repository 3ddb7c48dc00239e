# SPDX-License-Identifier: GPL-2.0-or-later
# A clock that was never set, or is set while a run goes on, costs no record: what a record cannot hold is
# refused before anything is measured, and held at the nearest time later.
use 5.014;
use strict;
use warnings;

use File::Temp ();
use POSIX ();
use Test::More;

use lib 't/lib';
use NoWarnings;
use Example;
use Touchstone::Base::Time;
use Touchstone::Record::Journal;
use Touchstone::Record;
use Touchstone::Run::RecordHeader;
use Touchstone::Run::Survey;
use Touchstone::Score;

# What is done when the clock says so.
sub at {
    my ($time, $done) = @_;
    no warnings 'redefine';
    local *Time::HiRes::time = sub { $time };
    return $done->();
}

subtest 'a clock that no record can hold is refused before anything is measured' => sub {
    my %says = (-1 => '1969-12-31', -3e8 => '1960-06-29', 1e11 => '5138-11-16', 2e11 => '8307-10-01');
    for my $time (sort keys %says) {
        at(
            $time,
            sub {
                eval { Touchstone::Run::Survey::take({ places => {} }) }
            }
        );
        is(
            $@,
            "the clock says $says{$time}, and a record holds times from 1970 to 5138\nset the clock, see date(1)\n",
            $says{$time}
        );
    }
    for my $time (0, 1, 1.8e9, 1e11 - 1) {
        ok(
            at(
                $time,
                sub {
                    eval { Touchstone::Base::Time::check_clock(); 1 }
                }
            ),
            "$time is a time"
        );
    }
};

subtest 'and one that is set so later is held at the nearest time' => sub {
    is(at($_->[0], \&Touchstone::Base::Time::now), $_->[1], "at $_->[0]")
        for [ -5, 0 ], [ 1.8e9, 1.8e9 ], [ 1e11 - 1, 1e11 - 1 ], [ 1e11, 1e11 - 1 ], [ 9e11, 1e11 - 1 ];
    my %head = Example::head();
    for my $time (-5, 9e11) {
        my $dir    = File::Temp->newdir;
        my $record = Touchstone::Record::Journal->create("$dir", \%head, names => ['vm-01']);
        at(
            $time,
            sub {
                $record->end_block($record->add(@{ (Example::events())[0] }));
                $record->end('complete');
                $record->finish(Touchstone::Score::score_run($record->data));
            }
        );
        my $facts = eval { Touchstone::Record->load('vm-01', "$dir") };
        ok($facts && $facts->{ended} >= 0, "a record that ends at $time is one") or diag($@);
    }
};

subtest 'the distance of local time from UTC is known in any year' => sub {
    local $ENV{TZ} = 'UTC';
    POSIX::tzset();
    is(Touchstone::Run::RecordHeader::utc_offset($_), 0, "at $_") for 0, 1.8e9, 4e10, 1e11 - 1;
};

done_testing;

# SPDX-License-Identifier: GPL-2.0-or-later
# What reports say of the time that disturbances took, in every form.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Touchstone::Base::Symbols qw($MINUS);
use Touchstone::Compare;
use Touchstone::Report::Csv;
use Touchstone::Report::Run::Indexes;
use Touchstone::Report::Run::Results;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Run::Brief;
use Touchstone::Report::Summary;
use Touchstone::Report::Undisturbed;

use NoWarnings;
use Runs;
use Scored;

my %INDEX = (
    score               => 1093,
    interval            => [ 1080, 1110 ],
    undisturbed         => 1390,
    undisturbed_low     => 1375,
    undisturbed_high    => 1405,
    lost                => 0.2137,
    lost_low            => 0.19,
    lost_high           => 0.234,
    shows_loss          => 1,
    undisturbed_unknown => [],
    took                => ['other guests']
);

sub said { return Touchstone::Report::Undisturbed::of_index({ %INDEX, @_ }) }

subtest 'one sentence says what was lost' => sub {
    is(
        said(),
        "measured 1093; would have been about 1390 without other guests (\xe2\x88\x9221 %, \xe2\x88\x9223 to \xe2\x88\x9219 %)",
        'to other guests'
    );
    is(
        Touchstone::Report::Undisturbed::of_index({%INDEX}, brief => 1),
        "measured 1093; would have been about 1390 without other guests (\xe2\x88\x9221 %)",
        'in a line of a terminal'
    );
    like(said(took => []),                         qr/without interference \(/, 'to an unknown cause');
    like(said(took => [ 'heat', 'other guests' ]), qr/without heat and other guests \(/, 'to two');
    like(said(took => ['the CPU quota']),          qr/without the CPU quota \(/,         'to the quota');
    is(
        said(undisturbed_unknown => [qw(spawn shell1)]),
        "measured 1093; would have been at least 1390 without other guests (at least \xe2\x88\x9221 %, \xe2\x88\x9223 to \xe2\x88\x9219 %); unknown for spawn, shell1",
        'or at least so much'
    );
    like(said(undisturbed_unknown => [ 'a' .. 'e' ]), qr/; unknown for 5 tests\z/, 'many tests are counted');
};

subtest 'a loss that is small or uncertain is not said' => sub {
    is(said(shows_loss => 0),                                     undef, 'nor worked out');
    is(Touchstone::Report::Undisturbed::of_index({ score => 5 }), undef, 'where nothing is known');
};

# A run of two tests whose slices tell of a loss: each second slice is four times as slow.
sub run_with_loss {
    my $record =
        Runs::record('r', { '1 pipe' => [ Runs::steady(1000) ], '1 syscall' => [ Runs::steady(1000) ] });
    for my $pass (@{ $record->{passes} }) {
        my ($count, @slices) = (0);
        for my $slice (1 .. 100) {
            $count += 1000 * ($slice % 2 ? 1 : 0.25) * (1 + 0.002 * sin 7 * $slice);
            push @slices, join ':', $slice * 1e7, sprintf('%.0f', $count), $slice * 1e4;
        }
        @$pass{qw(starts slices counts times)} = ([0], ["@slices"], [ sprintf '%.0f', $count ], [1]);
        $pass->{slept} = [0];
    }
    return $record;
}

subtest 'every form of a report has it' => sub {
    my $record = run_with_loss();
    my $model  = Scored::model($record);
    my ($test) = @{ $model->{blocks}[0]{exact} };
    ok($test->{shows_loss}, 'the test lost something');
    my $sentence = qr/measured .*; would have been about .* without interference \(\S+38 %/i;
    like(join("\n", Touchstone::Report::Summary::lines($model)), $sentence, 'the summary');
    like(Touchstone::Report::Render::Markdown::render(Touchstone::Report::Run::Brief::parts($model)),
        $sentence, 'Markdown')
        if Touchstone::Report::Model::indexes($model->{blocks}[0]);
    like(Touchstone::Report::Render::Html::fragment(Touchstone::Report::Run::Indexes::parts($model)),
        $sentence, 'the page')
        if Touchstone::Report::Model::indexes($model->{blocks}[0]);
    my $page = Touchstone::Report::Render::Html::fragment(Touchstone::Report::Run::Results::parts($model));
    like($page, qr/Undisturbed.*Consistency/s,         'columns of the page');
    like($page, qr/title="38 % lost to interference"/, 'with what was lost');
    my ($head, $line) = split /\n/, Touchstone::Report::Csv::text(Touchstone::Report::Csv::rows($model));
    my %csv;
    @csv{ split /,/, $head } = split /,/, $line;
    cmp_ok($csv{undisturbed_low},  '<=', $csv{undisturbed}, 'the table has the interval');
    cmp_ok($csv{undisturbed_high}, '>=', $csv{undisturbed}, 'on both sides');
    cmp_ok($csv{consistency},      '<',  50,                'and the consistency');
    like(Scored::report('log', $record), qr/undisturbed: .*38 % lost\n  consistency: \d+ of 100/, 'the log');
};

subtest 'the columns go where slices tell nothing' => sub {
    my $model = Scored::model(Runs::record('r', { '1 pipe' => [ Runs::steady(1000) ] }));
    unlike(Touchstone::Report::Render::Html::fragment(Touchstone::Report::Run::Results::parts($model)),
        qr/Undisturbed|Consistency/, 'none of both');
};

subtest 'a comparison says which tests were less even in one of the runs' => sub {
    my @runs = map {
        { %{ Scored::run($_) }, from => $_->{name} }
    } run_with_loss(), run_with_loss();
    my $notes = sub { return join "\n", @{ Touchstone::Compare::compare(runs => [@_])->{pairs}[0]{notes} } };
    unlike($notes->(@runs), qr/consistency/, 'none');
    $_->{consistency} += 40 for values %{ $runs[1]{tests} };
    like($notes->(@runs),
        qr/consistency differs between .* and .*: pipe with 1 copy has \d+ % and \d+ %, syscall/, 'both');
};

done_testing();

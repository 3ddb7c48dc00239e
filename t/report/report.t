# SPDX-License-Identifier: GPL-2.0-or-later
# Report: figures with as many digits as they deserve, in units that read well.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use Example;
use NoWarnings;
use Scored;

use Touchstone::Base::Symbols qw($MICRO);
use Touchstone::Base::Figure;
use Touchstone::Record;
use Touchstone::Report::Classic;
use Touchstone::Report::Csv;
use Touchstone::Report::Run;
use Touchstone::Report::Log;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Run::Brief;
use Touchstone::Report::Summary;
use Touchstone::Score;

subtest 'seconds have a unit that reads well, and three digits at most' => sub {
    my @table = (
        [ 534.4e-6,  "534 ${MICRO}s" ],
        [ 1.3249e-3, '1.32 ms' ],
        [ 4.1,       '4.10 s' ],
        [ 41.26,     '41.3 s' ],
        [ 412.6,     '413 s' ],
        [ 12_345,    '12300 s' ],
        [ 999.6e-6,  '1.00 ms' ],
        [ 0.9996,    '1.00 s' ],
        [ 0.5,       '500 ms' ],
        [ 3.3e-7,    '330 ns' ],
        [ 1e-9,      '1.00 ns' ],
        [ 1.5e-10,   '0.150 ns' ],
        [ 999.4,     '999 s' ],
        [ -0.00123,  '-1.23 ms' ],
        [ 0,         '0 ns' ]
    );
    for my $case (@table) {
        my ($seconds, $text) = @$case;
        is(Touchstone::Base::Figure::seconds($seconds), $text, $text);
        is(Touchstone::Base::Figure::seconds($seconds, [ $seconds - 1e-15, $seconds + 1e-15 ]),
            $text, "$text, surely");
    }
    is(Touchstone::Base::Figure::seconds(0.00234, undef, 'us'), "2340 ${MICRO}s", 'a unit that is asked for');
};

subtest 'seconds have no more digits than their interval supports' => sub {
    is(
        Touchstone::Base::Figure::seconds(534.4e-6, [ 530e-6, 539e-6 ]),
        "534 ${MICRO}s",
        'two of its uncertain'
    );
    is(Touchstone::Base::Figure::seconds(534.4e-6, [ 300e-6, 800e-6 ]), "530 ${MICRO}s", 'less sure');
    is(Touchstone::Base::Figure::seconds(1.234e-3, [ 0.3e-3, 8e-3 ]),   '1.2 ms',        'still less');
    is(Touchstone::Base::Figure::seconds(1.234e-3, [ 0.3e-3, 0.9 ]),    '1 ms',          'but never 0');
};

subtest 'a figure has no more digits than its interval supports' => sub {
    my @table = (
        [ 3481930.4, 3481000, 3483000, '3481900' ],
        [ 3481930.4, 3380000, 3580000, '3480000' ],
        [ 1.02345,   1.01,    1.03,    '1.023' ],
        [ 5,         5,       5,       '5.0' ]
    );
    is(Touchstone::Base::Figure::figure($_->[0], [ @$_[ 1, 2 ] ]), $_->[3], "figure $_->[3]") for @table;
    is(Touchstone::Base::Figure::figure(17.26),                    '17.3',  'without an interval');
};

subtest 'the seconds of a test have one unit in all blocks' => sub {
    is(
        join(' ',
            map { Touchstone::Base::Figure::unit_for($_)->[0] } 412,
            100, 99, 0.1, 0.099, 1e-4, 9e-5, 1e-12, 0),
        's s ms ms us us ns ns ns',
        'of which there are a hundred or more'
    );
    my $in = Touchstone::Base::Figure::in_unit(
        {
            name        => 'a',
            unit        => 's',
            score       => 0.5,
            interval    => [ 0.4, 0.6 ],
            baseline    => 3,
            clean_score => undef
        },
        [ ms => 1000 ]
    );
    is_deeply(
        $in,
        {
            name        => 'a',
            unit        => 'ms',
            score       => 500,
            interval    => [ 400, 600 ],
            baseline    => 3000,
            clean_score => undef
        },
        'everything is in it'
    );
    is_deeply(Touchstone::Base::Figure::in_unit({ score => 5 }, undef), { score => 5 }, 'other scores stay');
};

subtest 'scores that are not comparable with UnixBench\'s are named wherever they are explained' => sub {
    my $record = Example::record();
    $_->{unlike} = 'it does <another> work' for grep { $_->{name} eq 'hanoi' } @{ $record->{tests} };
    my $model = Scored::model($record);
    my $said  = "not comparable with UnixBench's: hanoi (it does <another> work)";
    is_deeply($model->{unlike}, [$said], 'once for all copy counts');
    my %text = (
        log      => Touchstone::Report::Log::render($model, $record, Touchstone::Score::score_run($record)),
        terminal => join("\n", Touchstone::Report::Summary::lines($model)),
        page     => Touchstone::Report::Render::Html::whole(Touchstone::Report::Run::document($model))
    );
    is(scalar(() = $text{$_} =~ /^\Q$said\E$/mg), 1, $_) for qw(log terminal);
    is(
        scalar(
            () =
                $text{page} =~
                m{^<p>Not comparable with UnixBench&#39;s: hanoi \(it does &lt;another&gt; work\)\.</p>$}mg
        ),
        1, 'page'
    );
    like(Touchstone::Report::Render::Markdown::render(Touchstone::Report::Run::Brief::parts($model)),
        qr/^- not comparable with UnixBench's: hanoi/m, 'markdown');
    $record->{passes} = [ grep { $_->{test} ne 'hanoi' } @{ $record->{passes} } ];
    is_deeply(Scored::model($record)->{unlike}, [], 'nothing of what was not measured');
};

subtest 'a build that is not for this CPU says what it can be compared with' => sub {
    my $said_of = sub {
        my $record = Example::record();
        $record->{build}{isa} = $_[0];
        my $model = Scored::model($record);
        return {
            log => Touchstone::Report::Log::render($model, $record, Touchstone::Score::score_run($record)),
            terminal => join("\n", Touchstone::Report::Summary::lines($model), ''),
            page     => Touchstone::Report::Render::Html::whole(Touchstone::Report::Run::document($model)),
            markdown =>
                Touchstone::Report::Render::Markdown::render(Touchstone::Report::Run::Brief::parts($model)),
            text => Touchstone::Report::Classic::render($model)
        };
    };
    my $portable = $said_of->('baseline');
    like($portable->{$_}, qr/^portable build: compare with portable builds only$/m, $_) for qw(log terminal);
    like($portable->{page}, qr{<p class="machine">Portable build: compare with portable builds only</p>},
        'page');
    like($portable->{markdown}, qr/^- Machine: .*\n- Portable build: compare with /m, 'markdown');
    like(
        $portable->{text},
        qr/Index Score.*^Portable build: compare with portable builds only$/ms,
        'the text, behind all that other programs read'
    );
    my $named = $said_of->('x86-64-v3');
    like($named->{$_}, qr/[Bb]uild for x86-64-v3: compare with builds for the same only/, "$_, named")
        for sort keys %$named;
    my ($native, $unknown) = map { $said_of->($_) } 'native', undef;

    for my $form (sort keys %$native) {
        unlike($_->{$form}, qr/compare with/, "nothing in the $form of others") for $native, $unknown;
    }
    is_deeply($native->{text}, $unknown->{text}, 'and the text of a native build is as it was');
    unlike($said_of->("<odd>\n")->{page}, qr/<odd>/, 'a strange value is no markup');
};

subtest 'CSV, log and JSON say whether the scores are valid, and log and JSON why not' => sub {
    my $record = Example::record();
    my @made   = map {
        my $results = Touchstone::Score::score_run($_);
        [ Scored::model($_), $_, $results ]
        } $record,
        { %$record, warnings => [ { id => 'battery', text => 'it runs on its battery', invalid => 1 } ] };
    my ($valid, $invalid) =
        map { Touchstone::Report::Csv::text(Touchstone::Report::Csv::rows($_->[0])) } @made;
    like(
        $valid,
        qr{\A[^\n]*,index,valid,undisturbed\w*(?:,\w+){10}\n(?:[^\n]*,yes,[^\n]*\n)+\z},
        'a column of each line'
    );
    is($invalid, $valid =~ s/,yes,/,no,/gr, 'and nothing else differs');
    my ($log, $bad) = map { Touchstone::Report::Log::render(@$_) } @made;
    unlike($log, qr/not valid/, 'the log of a valid run says nothing of it');
    like($bad, qr/\A[^\n]*\nnot valid: it runs on its battery\n/, 'that of another in its second line');
    my @documents = map { Touchstone::Record::document(@$_[ 1, 2 ]) } @made;
    is_deeply([ map { $_->{valid} } @documents ],         [ 1,     0 ],                        'in JSON');
    is_deeply([ map { $_->{why_not_valid} } @documents ], [ undef, 'it runs on its battery' ], 'and why');
    is_deeply([ grep { /valid/ } keys %{ Touchstone::Record::facts($documents[1]) } ],
        [], 'which is no fact but follows from them');
};

done_testing;

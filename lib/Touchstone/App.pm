# SPDX-License-Identifier: GPL-2.0-or-later
# App - what the command does: measure, or show something. Run alone catches what dies here.
package Touchstone::App;
use 5.014;
use strict;
use warnings;

use IO::Handle;
use POSIX ();
use Time::HiRes qw(time);
use Time::Local qw(timegm);

use Touchstone;
use Touchstone::Baseline;
use Touchstone::Command;
use Touchstone::Cpus;
use Touchstone::Machine;
use Touchstone::Options;
use Touchstone::Output;
use Touchstone::Places;
use Touchstone::Plan;
use Touchstone::Preflight;
use Touchstone::Progress;
use Touchstone::Record;
use Touchstone::Runner;
use Touchstone::Score;
use Touchstone::Suite;
use Touchstone::Workdir;

my $QUIET_WAIT = 5;
my %SIGNAL = (INT => 2, TERM => 15, HUP => 1);
my %USAGE  = (exit => 2);

# Exit status for the words of the command line. `manual`: the file whose POD is the manual; `base`: the tree it is in.
sub main {
    my ($manual, $base, @words) = @_;
    my ($want, $suite, @tests) = eval { _understand(@words) } or die { %USAGE, message => $@ };
    return _say(Touchstone::Options::help())               if $want->{help};
    return _say("Touchstone $Touchstone::VERSION\n")       if $want->{version};
    return _manual($manual)                                if $want->{man};
    return _say(Touchstone::Output::list($suite, $want->{json})) if $want->{list};
    my $places = Touchstone::Places::find($base);
    return _report($places, $want) if defined $want->{report};
    my $setup = _setup($want, $suite, $places, @tests);
    return _say(Touchstone::Output::dry_run($setup->{plan}, $setup->{cpus})) if $want->{'dry-run'};
    return _or_abort(sub { _measure($setup) });
}

# Wrappers of UnixBench look for this word when a run fails.
sub _or_abort {
    my ($work) = @_;
    my $status = eval { $work->() };
    return $status if defined $status;
    my $trouble = ref $@ eq 'HASH' ? $@ : { exit => 1, message => $@ };
    $trouble->{message} =~ s/$/; aborting/m;
    die $trouble;
}

sub _understand {
    my (@words) = @_;
    my $want  = Touchstone::Options::parse(@words);
    my $suite = Touchstone::Suite::load();
    return ($want, $suite, $suite->expand(@{ $want->{tests} } ? @{ $want->{tests} } : 'index'));
}

sub _say {
    my ($text) = @_;
    print $text and STDOUT->flush or die "cannot write to standard output: $!\n";
    return 0;
}

sub _manual {
    my ($file) = @_;
    require Pod::Text;
    my $text = '';
    my $parser = Pod::Text->new(width => 100);
    $parser->output_string(\$text);
    $parser->parse_file($file);
    return _say($text);
}

sub _report {
    my ($places, $want) = @_;
    my $record = Touchstone::Record->load($want->{report}, $places->{runs});
    return _say(Touchstone::Output::render($want->{format} // 'text', Touchstone::Score::complete($record)));
}

# Everything that is known before anything is written or run.
sub _setup {
    my ($want, $suite, $places, @tests) = @_;
    my $cpus   = Touchstone::Cpus::read_all();
    my @copies = _copies($want, $cpus);
    my %usable = map { $_ => 1 } @{ $cpus->{usable} };
    my @absent = grep { !$usable{$_} } Touchstone::Cpus::list_of($want->{pin} // '');
    die { %USAGE, message => "option --pin names CPU $absent[0], usable are: @{ $cpus->{usable} }\n" } if @absent;
    my $kind = $want->{quick} ? 'quick' : $want->{classic} || $want->{iterations} ? 'classic' : 'default';
    my %plan = (copies => \@copies, schedule => $kind, iterations => $want->{iterations}, seed => $want->{seed} // int(time * 1e6 + $$) % 1e9);
    return {
        want => $want, suite => $suite, places => $places, cpus => $cpus, tests => \@tests, plan_wanted => \%plan,
        plan => Touchstone::Plan::make(%plan, tests => \@tests), cc => length($ENV{CC} // '') ? $ENV{CC} : 'cc',
    };
}

# One copy, and as many as there are usable CPUs; or what -c says, each once.
sub _copies {
    my ($want, $cpus) = @_;
    my %seen;
    return grep { !$seen{$_}++ } @{ $want->{copies} } ? map { $_ + 0 } @{ $want->{copies} } : (1, $cpus->{usable_count});
}

sub _measure {
    my ($setup) = @_;
    my ($want, $places) = @$setup{qw(want places)};
    my $progress = Touchstone::Progress->new(out => \*STDERR, quiet => $want->{quiet}, verbose => $want->{verbose});
    my $signal;
    my $stopped = sub { $signal };
    local @SIG{ keys %SIGNAL } = map { my $name = $_; ($SIG{$name} // '') eq 'IGNORE' ? 'IGNORE' : sub { $signal //= $name } } keys %SIGNAL;
    local $SIG{PIPE} = 'IGNORE';
    my $baselines = Touchstone::Baseline::load(_baseline_file($places));
    Touchstone::Places::prepare_results($places);
    $setup->{name} = Touchstone::Places::fixed_name($places);
    my $workdir = Touchstone::Workdir->new($places->{tmp});
    eval { Touchstone::Preflight::build($places, $progress, $stopped, @{ $setup->{tests} }); 1 } or $signal or die $@;
    my ($good, $bad) = $signal ? ([], []) : Touchstone::Preflight::sort_out($places, (split ' ', $setup->{cc})[0], _most(@{ $setup->{plan_wanted}{copies} }), @{ $setup->{tests} });
    my $plan = @$good ? Touchstone::Plan::make(%{ $setup->{plan_wanted} }, tests => $good) : { %{ $setup->{plan} }, blocks => [], seconds => 0 };
    my $record = _record($setup, $baselines, $plan);
    _begin($setup, $progress, $record, $plan, $bad);
    $record->add(warnings => _load_warning()) if @$good && !Touchstone::Machine::wait_for_quiet($QUIET_WAIT, $stopped) && !$signal;
    _runner($setup, $record, $progress, $workdir, $stopped)->run($plan);
    $progress->finish;
    $workdir->remove;
    return _finish($setup, $progress, $record, $signal);
}

sub _most {
    my ($most) = sort { $b <=> $a } @_;
    return $most;
}

sub _baseline_file {
    my ($places) = @_;
    my ($file) = grep { -e } map { "$_/index.base" } $places->{bin}, "$places->{base}/pgms";
    return $file // "$places->{base}/pgms/index.base";
}

sub _record {
    my ($setup, $baselines, $plan) = @_;
    my ($want, $places, $suite) = @$setup{qw(want places suite)};
    my $host  = Touchstone::Machine::host_facts($setup->{cpus});
    my $build = Touchstone::Machine::build_facts($places->{bin});
    $build->{measured_compiler} = Touchstone::Machine::measured_compiler($setup->{cc}) if grep { $_->{name} eq 'C' } @{ $setup->{tests} };
    my $now   = time;
    my %head = (
        tool => { name => 'Touchstone', version => $Touchstone::VERSION }, started => $now, utc_offset => timegm(localtime $now) - int $now,
        host => $host, build => $build, locale => Touchstone::Machine::locale_facts(), status => 'running',
        schedule => { kind => $plan->{schedule}, seed => $plan->{seed}, rounds => $plan->{rounds}, iterations => $want->{iterations} },
        pin => $want->{pin} // 'none', brief => $want->{brief} ? 1 : 0,
        tests => [ map { _test_facts($_, $baselines) } @{ $setup->{tests} } ], categories => [ _categories($suite) ],
    );
    my $fixed = $setup->{name};
    my @names = length $fixed ? $fixed : Touchstone::Places::names($places, $host->{name}, POSIX::strftime('%Y-%m-%d', localtime $now));
    return Touchstone::Record->create($places->{runs}, \%head, names => \@names, replace => length $fixed);
}

sub _test_facts {
    my ($test, $baselines) = @_;
    return { baseline => $baselines->{ $test->{name} }, map { $_ => $test->{$_} } qw(name title category suite) };
}

sub _categories {
    my ($suite) = @_;
    return map { my ($key, $title) = @$_;
        { key => $key, title => $title, index => [ map { $_->{name} } grep { $_->{index} && $_->{category} eq $key } $suite->tests ] } } $suite->categories;
}

sub _load_warning {
    return { id => 'load', text => 'other processes were running when the run began', remedy => 'stop them, or wait until they are done' };
}

sub _begin {
    my ($setup, $progress, $record, $plan, $bad) = @_;
    for my $lost (@$bad) {
        my %entry = %$lost;
        $record->add(delete $entry{kind}, \%entry);
        $progress->trouble("$lost->{test} " . ($lost->{kind} eq 'skipped' ? 'skipped' : 'failed') . ": $lost->{why}" . (defined $lost->{remedy} ? "; $lost->{remedy}" : ''));
    }
    return if !@{ $plan->{blocks} };
    $progress->note(Touchstone::Output::announcement($plan));
    $progress->plan($plan);
    return;
}

sub _runner {
    my ($setup, $record, $progress, $workdir, $stopped) = @_;
    my $places = $setup->{places};
    my $locale = $record->data->{locale}{name};
    return Touchstone::Runner->new(
        record => $record, progress => $progress, workdir => $workdir, cpus => $setup->{cpus}, pin => $setup->{want}{pin} // 'none',
        places => { bin => $places->{bin}, testdir => $places->{testdir}, cc => $setup->{cc} }, stopped => $stopped,
        env => { LC_ALL => $locale, LANG => $locale, UB_BINDIR => $places->{bin}, UB_TESTDIR => $places->{testdir}, UB_TMPDIR => $workdir->path },
    );
}

# Reports of what was measured, whatever happened. Exit 0 only when that is everything.
sub _finish {
    my ($setup, $progress, $record, $signal) = @_;
    my ($want, $data) = ($setup->{want}, Touchstone::Score::complete($record->data));
    @$data{qw(ended status)} = (time, $signal ? 'stopped' : 'complete');
    my @trouble = eval { $record->finish; () } ? () : $@ ? $@ : ();
    my ($files, @unwritten) = Touchstone::Output::write_reports($setup->{places}{results}, $data, csv => ($ENV{UB_OUTPUT_CSV} // '') eq 'true');
    push @trouble, @unwritten;
    $progress->note($_) for Touchstone::Output::summary($data, $files);
    push @trouble, $@ if !$want->{quiet} && !defined eval { _say('=' x 72 . "\n" . Touchstone::Output::render('text', $data)) };
    push @trouble, _lost($data, $signal);
    chomp @trouble;
    die { exit => $signal ? 128 + $SIGNAL{$signal} : 1, message => join('; ', @trouble) . "\n" } if @trouble;
    return 0;
}

sub _lost {
    my ($data, $signal) = @_;
    my (%seen, @words);
    push @words, "stopped by SIG$signal" if $signal;
    push @words, "$_->{test} failed" for grep { !$seen{ $_->{test} }++ } @{ $data->{failures} };
    push @words, "$_->{test} was skipped" for grep { !$seen{ $_->{test} }++ } @{ $data->{skipped} };
    return join ', ', @words if @words;
    return;
}

1;

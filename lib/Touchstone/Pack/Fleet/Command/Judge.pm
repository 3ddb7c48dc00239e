# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Command::Judge - the command fleet judge: the hosts of a campaign, judged, or what changed
# between two campaigns. The answer goes to standard output; the pages are written into the campaign, and
# their place is the last line on standard error. --format status says who is where: it judges nothing and
# writes nothing.
package Touchstone::Pack::Fleet::Command::Judge;
use 5.014;
use strict;
use warnings;

use Cwd ();

use Touchstone::Base::Directories;
use Touchstone::Base::Text qw(plain plural);
use Touchstone::Base::Trouble qw(or_refuse refuse);
use Touchstone::Cli::Output;
use Touchstone::Pack::Fleet::Campaign;
use Touchstone::Pack::Fleet::RecordIndex;
use Touchstone::Pack::Fleet::Status;
use Touchstone::Machine::File;
use Touchstone::Machine::Sysfile;
use Touchstone::Pack::Fleet::Report::Phrases;
use Touchstone::Pack::Fleet::Report;
use Touchstone::Report::Forms;
use Touchstone::Terminal;

# The columns of a text where there is not a terminal.
my $COLUMNS = 80;

# How the words that matter look on a terminal.
my @LOOKS = (
    [ qr/^\S.*(?: is slow| are slow).*/m          => 'bad' ],
    [ qr/(?: {2}|\()\Kbad(?=$|\))/m               => 'bad' ],
    [ qr/(?: {2}|\()\Ksuspect(?=$|\))/m           => 'doubt' ],
    [ qr/^\S.* (?:missing: |suspect and not ).*/m => 'doubt' ]
);

sub run {
    my ($options, %at) = @_;
    _check($options, @{ $options->{operands} });
    my $places      = Touchstone::Base::Directories::find($at{base});
    my @directories = map { _directory($places, $_) } @{ $options->{operands} };
    my %with        = (
        smallest      => $options->{smallest},
        group_by      => $options->{'group-by'} || [],
        allow_missing => $options->{'allow-missing'} // 0
    );
    my $reader = _reader($places);
    my $status = eval {
              ($options->{format} // '') eq 'status' ? _standing($reader, $directories[0], %with)
            : @directories == 1                      ? _of_one($options, $reader, $directories[0], %with)
            : _of_two(
            $options, @directories, %with,
            control => $options->{control},
            wave    => $options->{wave}
            );
    };
    die Touchstone::Base::Trouble::of_judge($@) if !defined $status;
    return $status;
}

# Where the reader is, for the commands that a report names. Elsewhere ./Run has its path.
sub _reader {
    my ($places)     = @_;
    my $command_line = Touchstone::Base::Directories::command_line($places);
    my $home         = Cwd::getcwd() eq $places->{base} ? '' : "$places->{base}/";
    return {
        run => $command_line eq './Run'
            && length $home ? Touchstone::Pack::Fleet::Report::Phrases::quoted("${home}Run") : $command_line,
        here => Cwd::getcwd(),
        home => $home
    };
}

# What only a change can have needs a campaign before it and one after it.
sub _check {
    my ($options, @directories) = @_;
    my ($of_two) = grep { defined $options->{$_} } qw(control wave);
    my @wrong = (
        @directories < 2
            && defined $of_two ? "--$of_two needs two campaigns, one before the change and one after it\n"
        : (),
        @directories > 1 && ($options->{format} // '') eq 'status'
        ? "--format status takes one campaign: '$directories[1]' is one too many\n"
        : ()
    );
    refuse($wrong[0]) if @wrong;
    return;
}

# Returns the directory of what the user names: a directory, or a campaign that is stored with the results.
sub _directory {
    my ($places, $name) = @_;
    my $directory = Touchstone::Pack::Fleet::Campaign::title($places->{results}, $name);
    opendir my $dir, $directory or refuse("cannot open '$directory': $!\n");
    closedir $dir;
    return $directory =~ s{(?<=.)/+\z}{}r;
}

sub _of_one {
    my ($options, $reader, $directory, %with) = @_;
    require Touchstone::Pack::Fleet::Judge;
    my $judgement =
        { %$reader, %{ or_refuse(sub { Touchstone::Pack::Fleet::Judge::judge($directory, %with) }) } };
    _refuse_empty($directory, @{ $judgement->{damaged} })
        if !$judgement->{campaign} && !@{ $judgement->{groups} };
    my $format = $options->{format} // 'text';
    _say($format,
        Touchstone::Pack::Fleet::Report::render($format, fleet => $judgement, ascii => _is_ascii()));
    my $place = _place($directory, $judgement->{campaign});
    my @files = Touchstone::Pack::Fleet::Report::files($judgement, $judgement->{campaign} ? '' : '../');
    Touchstone::Machine::File::write_file("$place/$_->[0]", $_->[1]) for @files;
    _remove_old($place, map { $_->[0] } @files);
    Touchstone::Pack::Fleet::Campaign::write_summary($place,
        Touchstone::Pack::Fleet::Campaign::summary($judgement))
        if $judgement->{campaign};
    print STDERR plain("$place/index.html"), "\n";
    return $judgement->{status};
}

# Records that cannot be read are counted, with the reason of the first.
sub _refuse_empty {
    my ($directory, @damaged) = @_;
    my $first = @damaged && "cannot read '" . plain($damaged[0]{file}) . "': " . plain($damaged[0]{why});
    refuse(
        @damaged
        ? "no valid records in '$directory': " . plural(scalar @damaged, 'file') . " refused\n$first\n"
        : "no records in '$directory'\n"
            . "fleet judge reads the directory of a campaign, or one of records, such as results/.runs\n"
    );
}

sub _standing {
    my ($reader, $directory, %with) = @_;
    my $manifest  = or_refuse(sub { Touchstone::Pack::Fleet::Campaign::expect($directory) });
    my $standing  = Touchstone::Pack::Fleet::Status::read_status($directory, manifest => $manifest);
    my $judgement = {
        %$reader,
        campaign  => $manifest,
        directory => $directory,
        standing  => $standing,
        warnings  => $standing->{warnings},
        groups    => []
    };
    _say('text',
        Touchstone::Pack::Fleet::Report::render('text', standing => $judgement, ascii => _is_ascii()));
    return Touchstone::Pack::Fleet::Status::is_short($standing, $with{allow_missing}) ? 1 : 0;
}

sub _of_two {
    my ($options, $before, $after, %with) = @_;
    require Touchstone::Pack::Fleet::Rollout;
    my $rollout = or_refuse(sub { Touchstone::Pack::Fleet::Rollout::judge($before, $after, %with) });
    my $format  = $options->{format} // 'text';
    _say($format,
        Touchstone::Pack::Fleet::Report::render($format, rollout => $rollout, ascii => _is_ascii()));
    my $place = _place($after, Touchstone::Pack::Fleet::Campaign::read($after));
    Touchstone::Machine::File::write_file("$place/rollout.html",
        Touchstone::Pack::Fleet::Report::render($Touchstone::Report::Forms::PAGE, rollout => $rollout));
    print STDERR plain("$place/rollout.html"), "\n";
    return $rollout->{status};
}

# The pages stand in the directory of a campaign, where what a killed one was writing goes. That of mere
# records may have a page of its own, so they get a folder there.
sub _place {
    my ($directory, $campaign) = @_;
    Touchstone::Pack::Fleet::RecordIndex::sweep($directory) if $campaign;
    return $directory                                       if $campaign;
    my $place = "$directory/fleet";
    Touchstone::Machine::File::make_directory($place);
    Touchstone::Machine::File::sweep($place);
    return $place;
}

# A fleet that had more hosts when it was judged last has left more pages.
sub _remove_old {
    my ($place, @names) = @_;
    my %new = map { $_ => 1 } @names;
    unlink map { "$place/$_" }
        grep { /\Ahosts-\d+\.html\z/ && !$new{$_} } Touchstone::Machine::Sysfile::names($place);
    return;
}

sub _is_ascii { return !Touchstone::Terminal->detect(\*STDOUT)->is_utf8 }

sub _say {
    my ($format, $report) = @_;
    return Touchstone::Cli::Output::say($format eq 'text' ? _wrapped($report) : $report);
}

# Rows of tables and commands, which begin with two blanks, stay whole: who copies a command wants one line.
sub _wrapped {
    my ($report) = @_;
    my $terminal = Touchstone::Terminal->detect(\*STDOUT);
    my $columns  = $terminal->columns // $COLUMNS;
    return join '', map { "$_\n" } map {
        /\A {2}[^ -]/
            ? $_
            : Touchstone::Base::Text::wrapped($_, width => $columns, hang => /\A {2}/ ? '    ' : '  ')
    } split /\n/, $terminal->painted_by(\@LOOKS, $report);
}

1;

# SPDX-License-Identifier: GPL-2.0-or-later
# Damaged reports of every shape: each is read or refused with a sentence that names a line, in time and
# without a warning of Perl, and a figure that is read stands in the line that the reader names.
use 5.014;
use strict;
use warnings;

use File::Basename qw(dirname);
use File::Glob qw(bsd_glob);
use Test::More;

use lib 't/lib';
use Amount;
use CpuTime;
use Mutation;
use Touchstone::Record::ClassicReader;
use Touchstone::Suite;

my @warned;
$SIG{__WARN__} = sub { push @warned, @_ };

my %titles  = %{ Touchstone::Suite::load()->titles };
my %samples = map { $_ => Mutation::text_of($_) } bsd_glob(dirname(__FILE__) . '/../classic/*.{txt,html}');

# A report in a wrapped line or in cells of a page has its figures within this number of lines.
my $LINES = 9;

# The source as a terminal or a browser shows it, without separators of thousands.
sub shown {
    my ($line) = @_;
    $line =~ s/\e(?:\[[0-?]*[ -\/]*[@-~]|\][^\a\e\n]*(?:\a|\e\\)?|[()*+#][0-9A-Za-z]|[0-9=>A-Za-z\\])//g;
    1 while $line =~ s/[^\x08]\x08//;
    $line         =~ s/\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbb\xbf|\xc2\xad|<[^<>]*>//g;
    $line         =~ s/&#?\w+;/ /g;
    $line         =~ s/(?<=\d)(?:[,'_]|\xe2\x80\x99|\xc2\xa0|\xe2\x80[\x87\x89\xaf])(?=\d{3})//ga;
    return $line;
}

# The figures of a report with their lines.
sub figures {
    my ($data) = @_;
    my @figures;
    for my $block (@{ $data->{blocks} }) {
        for my $test (@{ $block->{tests} }) {
            push @figures, [ $test->{line}, $test->{score} ];
            push @figures, map { [ $test->{row}, $_ ] } grep { defined } @$test{qw(baseline index)};
        }
        push @figures, map { [ @$_{qw(line score)} ] } @{ $block->{indexes} };
    }
    return @figures;
}

# The figures that do not stand where the reader found them.
sub invented {
    my ($text, @figures) = @_;
    my @lines = split /\n/, $text =~ s/\r+\n/\n/gr, -1;
    my %shown;
    return grep {
        my ($number, $figure) = @$_;
        $shown{$number} //= {
            map  { 0 + $_ => 1 }
            map  { shown($_) =~ /(\d+\.\d+)/ga }
            grep { defined } @lines[ $number - 1 .. $number + $LINES - 2 ]
        };
        !$shown{$number}{$figure};
    } @figures;
}

# Returns the fault in the reading of a text, or nothing.
sub fault_of {
    my ($name, $text, $counted) = @_;
    @warned = ();
    my @reports = CpuTime::within(
        $name,
        sub {
            my @read = eval { Touchstone::Record::ClassicReader::reports($text, \%titles) };
            return @read ? @read : { why => $@ };
        }
    );
    return "warning: $warned[0]" if @warned;
    for my $report (@reports) {
        $counted->{ $report->{data} ? 'read' : 'refused' }++;
        if (!$report->{data}) {
            return "refused with '$report->{why}'" if $report->{why} !~ /\Aline \d+: \S[^\n]*\n\z/;
            next;
        }
        my @invented = invented($text, figures($report->{data}));
        return "line $invented[0][0] has no $invented[0][1]" if @invented;
    }
    return;
}

subtest 'every figure of the examples stands in its line' => sub {
    for my $name (sort keys %samples) {
        my %counted;
        is(fault_of($name, $samples{$name}, \%counted), undef, $name =~ s{.*/}{}r);
        ok($counted{read} && !$counted{refused}, 'each report in it is read');
    }
};

subtest 'and of damaged ones, if they are read' => sub {
    my %reader = (%{ Mutation::of_reports() }, samples => [ map { $samples{$_} } sort keys %samples ]);
    my (@faults, %counted);
    Mutation::seed(36);
    for my $n (1 .. Amount::of(300, 10_000)) {
        my $text  = Mutation::mutated(\%reader);
        my $fault = fault_of("mutation $n", $text, \%counted) // next;
        push @faults, "mutation $n: $fault\n";
    }
    is(join('', @faults), '', 'no fault');
    cmp_ok($counted{$_}, '>', 50, "some were $_") for qw(read refused);
    note("$counted{read} reports were read, $counted{refused} refused");
};

done_testing;

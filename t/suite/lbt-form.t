# SPDX-License-Identifier: GPL-2.0-or-later
# The report form of the toolkit on four machines must equal t/golden/lbt-*, and every form keeps certain
# rules. `make golden` writes the forms anew.
use 5.014;
use strict;
use warnings;

use Test::More;

use lib 't/lib';
use NoWarnings;
use Fake;
use Forms;
use Scored;
use Touchstone::Base::Text;
use Touchstone::Record::Json;
use Touchstone::Record;
use Touchstone::Report::Render::Html;
use Touchstone::Report::Render::Markdown;
use Touchstone::Report::Render::Text;
use Touchstone::Score;
use Touchstone::Suite::Lbt::Parts;
use Touchstone::Suite::Lbt::Tables;

# The headings of the specification, in its order.
my @HEADINGS = (
    'CPU',                     'Vendor',
    'Model',                   'Core clock',
    'Motherboard vendor',      'Mbd. model',
    'Mbd. chipset',            'Bus type',
    'Bus clock',               'Cache total',
    'Cache type/speed',        'SMP (number of processors)',
    'RAM',                     'Total',
    'Type',                    'Speed',
    'Disk',                    'Vendor',
    'Model',                   'Size',
    'Interface',               'Driver/Settings',
    'Video board',             'Vendor',
    'Model',                   'Bus',
    'Video RAM type',          'Video RAM total',
    'X server vendor',         'X server version',
    'X server chipset choice', 'Resolution/vert. refresh rate',
    'Color depth',             'Kernel',
    'Version',                 'Swap size',
    'gcc',                     'Version',
    'Options',                 'libc version'
);

my %files = Forms::files();

# The last digits of a figure depend on the machine's arithmetic.
sub _rounded { my ($text) = @_; return $text =~ s/(\d+\.\d{6,})/sprintf '%.6g', $1/ger }

for my $file (sort keys %files) {
    subtest "t/golden/$file is what comes out" => sub {
        my ($got, $want) = map { [ split /\n/, _rounded($_), -1 ] } $files{$file},
            Fake::read_file("$Fake::BASE/t/golden/$file");
        is_deeply($got, $want, 'line by line');
    };
}

for my $machine (Forms::MACHINES()) {
    subtest "the form of the $machine has every heading in its place" => sub {
        my $form = Touchstone::Suite::Lbt::Tables::form(Scored::parted(Forms->can($machine)->()));
        is_deeply(
            [
                map {
                    ($_->{title}, map { $_->[0] } @{ $_->{lines} })
                } @{ $form->{blocks} }
            ],
            \@HEADINGS,
            'as the toolkit asks for them'
        );
        is(join(' ', grep { !length } map { $_->[1] } map { @{ $_->{lines} } } @{ $form->{blocks} }),
            '', 'and none is empty');
    };
}

subtest 'no line of text is wider than 100 columns' => sub {
    for my $file (grep { /\.txt\z/ } sort keys %files) {
        my @wide = grep { Touchstone::Base::Text::width($_) > 100 } split /\n/, $files{$file};
        is("@wide", '', $file);
    }
};

# Returns the form of a run that has this text wherever a run has free text.
sub form_of {
    my ($text) = @_;
    return Touchstone::Suite::Lbt::Tables::form(
        Forms::run(
            { %{ Forms::container()->{host} }, vendor => $text, drive_model => $text, caches => $text },
            { 'pipe 1'                                => 5 },
            name => 'n',
            lbt  => { 'test-notes' => $text, comments => $text, nonsense => $text, 'ram-type' => [$text] },
            equipment => { kernel => { version => $text }, display => $text },
            build     => { compiler_version => $text, flags_lbt => $text, libc => [] },
            failures  => [ { test => 'kernel', why => $text } ]
        )
    );
}

subtest 'a stranger\'s record does no harm to text, page and JSON' => sub {
    for my $hostile (
        "<b>\"x'&amp;</b>",    "\e]0;gotcha\a\e[31mred\x00\x7f",
        "\xff\xfe\xc3(broken", "C1 \xc2\x9b31m",
        "two\nlines\r\n",      '```` $(reboot)',
        'x' x 100_000,         "\xe6\x97\xa5" x 5000,
        ' ',                   ''
    ) {
        my $what  = substr($hostile, 0, 12) =~ s/[^ -~]/?/gr;
        my $form  = form_of($hostile);
        my $text  = Touchstone::Suite::Lbt::Parts::text($form);
        my @parts = ([ form => split /\n/, $text ]);
        ok($text !~ /[\x00-\x09\x0b-\x1f\x7f]/ && Touchstone::Base::Text::is_utf8($text),
            "'$what': no control characters");
        is(scalar(grep { Touchstone::Base::Text::width($_) > 100 } split /\n/, $text),
            0, "'$what': no wide line");
        unlike(Touchstone::Report::Render::Html::fragment(@parts),
            qr/<b>|[\e\0]/, "'$what': escaped on a page");
        my ($fence) = Touchstone::Report::Render::Markdown::render(@parts) =~ /\A(`{3,})\n/;
        ok(defined $fence && $text !~ /^\Q$fence\E/m, "'$what': no name ends the block of Markdown");
        ok(ref eval { Touchstone::Record::Json::decode(Touchstone::Suite::Lbt::Parts::json($form)) },
            "'$what': the JSON can be read");
    }
};

subtest 'odd shapes in a record are as if they were not there' => sub {
    for my $odd (
        undef, 'x', [],
        [ 1, 2 ],
        { kernel => 7,                 display => [] },
        { kernel => { version => {} }, display => { depth => [] } }
    ) {
        my $record = Forms::run(
            Forms::container()->{host}, { 'kernel 1' => 100, 'xbench 1' => 5, 'net-tcp 1' => 5 },
            equipment   => $odd,
            lbt         => $odd,
            form_wanted => 1
        );
        $_->{figures} = $_->{missing} = $odd for @{ $record->{results}[0]{tests} };
        my $tables = Scored::tables(Lbt => $record);
        like(
            Touchstone::Suite::Lbt::Parts::text($tables->{form}),
            qr/^Linux kernel \(unknown version\) Compilation Time:  1m40s, 1 job/m,
            'the form'
        );
        ok(length Touchstone::Report::Render::Text::render(Touchstone::Suite::Lbt::Parts::parts($tables)),
            'the parts');
    }
};

subtest 'any stored run has a form' => sub {
    for my $file (qw(record sure fixed)) {
        my $record = Scored::document(Touchstone::Record->load("$Fake::BASE/t/golden/$file.json", 'nowhere'));
        my $text   = Touchstone::Suite::Lbt::Parts::text(
            Touchstone::Suite::Lbt::Tables::form(Scored::parted($record)));
        like($text, qr/^Xbench: +not measured$/m, "$file.json");
        is(Scored::tables(Lbt => $record), undef, 'but not in its reports: it is none of the toolkit');
    }
};

subtest 'the form reads and says the same twice' => sub {
    my $record = Forms::desktop();
    is(
        Touchstone::Suite::Lbt::Parts::text(Touchstone::Suite::Lbt::Tables::form(Scored::parted($record))),
        Touchstone::Suite::Lbt::Parts::text(Touchstone::Suite::Lbt::Tables::form(Scored::parted($record))),
        'the same bytes'
    );
};

done_testing;

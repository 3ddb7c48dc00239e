# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::Options - the words of the command line that choose what the toolkit's tests work on, and those
# of its report form.
package Touchstone::Suite::Lbt::Options;
use 5.014;
use strict;
use warnings;

# The group of tests with which a run asks for the form in its reports.
our $GROUP = 'lbt';

# The word for an X server that a test starts itself.
our $OWN_DISPLAY = 'xvfb';

my @TABLE = (
    [ 'peer HOST[:PORT]',   'peer',    'network peer: a host with pgms/net --serve' ],
    [ 'x-display NAME',     'display', 'X server to measure: :0, or xvfb to start one' ],
    [ 'kernel-config NAME', 'config',  'configuration of the test kernel, such as defconfig' ],
);

my %VALUE = (
    peer    => { is => \&_is_peer, allowed => 'a host such as name, 10.0.0.2:7117 or [fe80::1]:7117' },
    display => {
        is      => \&is_display,
        allowed => 'a display such as :0 or host:0, or xvfb',
        words   => [$OWN_DISPLAY]
    },
    config => {
        is      => sub { $_[0] =~ /\A\w[\w.-]{0,80}config\z/a },
        allowed => 'a target of the kernel such as tinyconfig or defconfig',
        words   => [qw(tinyconfig defconfig)]
    },
    field => {
        is      => sub { length $_[0] },
        allowed => 'FIELD=VALUE',
        many    => 1,
        keys    => \&_keys
    },
);

my @FORM = (
    'form RUN', "print the Linux Benchmarking Toolkit's report form",
    formats => [qw(text markdown html json)],
    output  => 'the form',
    answer  => \&_form
);

my @FIELD =
    ('lbt FIELD=VALUE', 'field', 'fill in a field of the report form; may be repeated', also => ['form']);

sub options {
    return {
        table    => \@TABLE,
        headings => [ [ 'Only for the suite lbt', [@FIELD] ] ],
        commands => [ [@FORM] ],
        values   => \%VALUE,
        keys     => { 'lbt?' => { '*' => 'text' }, 'form_wanted?' => 'number' },
    };
}

# The record of a run keeps what its words say of the form. They ask for it in the reports by the group of
# tests, or by what it is to say.
sub asked {
    my ($options) = @_;
    my @fields = @{ $options->{lbt} || [] };
    require Touchstone::Suite::Lbt::Field if @fields;
    my $given  = @fields ? Touchstone::Suite::Lbt::Field::given(@fields) : {};
    my $wanted = @fields || grep { $_ eq $GROUP } @{ $options->{tests} };
    return { lbt => %$given ? $given : undef, form_wanted => $wanted ? 1 : 0 };
}

# Few commands want the form or its fields, and it takes many modules.
sub _keys {
    require Touchstone::Suite::Lbt::Field;
    no warnings 'once';
    return @Touchstone::Suite::Lbt::Field::KEYS;
}

sub _form {
    require Touchstone::Suite::Lbt::ReportForm;
    return Touchstone::Suite::Lbt::ReportForm::answer(@_);
}

# An X server can be called so, or the word for one that a test starts.
sub is_display {
    my ($name) = @_;
    return $name eq $OWN_DISPLAY || length $name <= 60 && $name =~ /\A(?!-)\S*:\S+\z/;
}

sub _is_peer {
    my ($value) = @_;
    my ($port)  = $value =~ /\A(?!-)(?:[\w.-]+|\[[\w:.%]+\])(?::(\d{1,5}))?\z/a or return 0;
    return !defined $port || $port >= 1 && $port <= 65535;
}

1;

# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Options - the commands and options with which many hosts are measured and judged together.
package Touchstone::Pack::Fleet::Options;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Campaign;

my $COMMAND  = 'Pack::Fleet::Command';
my %STATE    = (module   => "${COMMAND}::State");
my %MEASURES = (measures => 1);

#<<< a row is a line
my @COMMANDS = (
    [ 'fleet plan FILE [TEST ...]',     'create a campaign of the hosts in a file, or continue one',
        module => "${COMMAND}::Plan", %MEASURES ],
    [ 'fleet turn HOST',                q(wait for this host's slot), module => "${COMMAND}::Turn" ],
    [ 'fleet mark HOST=STATE ...',      'record the state of hosts',     module => "${COMMAND}::Turn" ],
    [ 'fleet collect FROM ...',         'take records into the campaign, each once',
        module => "${COMMAND}::Collect" ],
    [ 'fleet judge DIR [DIR]',          'judge the hosts of a campaign, or compare two campaigns',
        module => "${COMMAND}::Judge", formats => sub { return (_formats(), 'status') },
        output => 'a fleet' ],
    [ 'fleet confirm DIR',              'plan retests of suspects and controls',
        module => "${COMMAND}::Plan" ],
    [ 'fleet once CAMPAIGN [TEST ...]', 'measure this host for a campaign, once',
        module => "${COMMAND}::Once", %MEASURES ],
    [ 'fleet wait CAMPAIGN',            'wait until this measurement has ended', %STATE ],
    [ 'fleet state CAMPAIGN',           'print its progress as a line of JSON',  %STATE ],
    [ 'fleet give CAMPAIGN',            'print SHA-256, size and path of its record', %STATE ],
);
my @HOST = map { "fleet $_" } qw(once wait state give);
my @ONE  = ('fleet judge');
my @ON_HOSTS = (
    [ 'run N',         'nth',    'the number of its run for the campaign; default 1', for => [@HOST] ],
    [ 'as HOST',       'host',   'the name of this host in the campaign', for => [ @HOST, 'fleet collect' ] ],
    [ 'label K=V',     'labels', 'a label of this host, such as rack=b4', for => ['fleet once'] ],
    [ 'detach',        undef,    'return as soon as the measurement has begun', for => ['fleet once'] ],
    [ 'whole',         undef,    'print the record itself, in lines for a log', for => ['fleet give'] ],
);
my @CONTROLLER = (
    [ 'campaign DIR',     'place',   'the directory of the campaign',
        for => [ map { "fleet $_" } qw(plan turn mark collect) ] ],
    [ 'within MINUTES',   'minutes', 'plan retests of new suspects, if they take no longer',
        for => ['fleet confirm'] ],
    [ 'group-by LABEL',   'texts',   'judge hosts with different values separately', for => [@ONE] ],
    [ 'smallest P%',      'percent', 'ignore differences below P %', for => [@ONE] ],
    [ 'allow-missing P%', 'percent', 'exit 0 even if P % of the hosts are missing', for => [@ONE] ],
    [ 'control LABEL=V',  'control', 'hosts without the change, in both campaigns', for => [@ONE] ],
    [ 'wave K/N',         'wave',    'this is wave K of N of a roll-out', for => [@ONE] ],
);
#>>>

my %VALUES = (
    campaign => {
        is      => \&Touchstone::Record::Campaign::is_id,
        allowed => "the name of a campaign: $Touchstone::Record::Campaign::ID_ALLOWED"
    },
    host => {
        is      => \&Touchstone::Record::Campaign::is_host,
        allowed => 'the name of a host, of at most 200 characters'
    },
    labels => {
        is      => sub { $_[0] =~ /\A[A-Za-z_][\w.-]{0,63}=[^\x00-\x1f\x7f]{0,200}\z/a },
        allowed => 'LABEL=VALUE, such as rack=b4',
        hint    => 'LABEL begins with a letter and may have letters, digits and _ . -',
        many    => 1
    },
    marks => {
        is      => sub { $_[0] =~ /\A.+=(?:running|over|unreachable(?:: \S.*)?|failed: \S.*)\z/s },
        allowed =>
            "HOST=STATE, with the state running, over, unreachable, 'unreachable: why' or 'failed: why'",
    },
    nth => {
        is      => sub { $_[0] =~ /\A[1-9]\d{0,2}\z/ },
        allowed => 'a whole number from 1 to 999',
        as      => sub { $_[0] + 0 }
    },
    minutes => {
        is      => sub { $_[0] =~ /\A\d{1,6}\z/ },
        allowed => 'a whole number of minutes',
        as      => sub { $_[0] + 0 }
    },
    path    => { is => sub { length $_[0] }, allowed => 'the path of a file or a directory' },
    texts   => { is => sub { length $_[0] }, allowed => 'the name of a label', many => 1 },
    control => {
        is      => sub { $_[0] =~ /\A[^=]+(?:=.+)?\z/s },
        allowed => 'LABEL or LABEL=VALUE, such as ring=control'
    },
    wave => {
        is      => sub { $_[0] =~ /\A([1-9]\d?)\/([1-9]\d?)\z/ && $1 <= $2 },
        allowed => 'K/N, such as 2/4: the second of four waves'
    },
);

# Only the commands need the forms of reports.
sub _formats {
    require Touchstone::Report::Forms;
    return Touchstone::Report::Forms::names('fleet');
}

sub options {
    return {
        headings => [ [ 'Fleet: on each host', @ON_HOSTS ], [ 'Fleet: on the controller', @CONTROLLER ] ],
        commands => \@COMMANDS,
        family   => { fleet    => 'measure and judge many machines' },
        operands => { CAMPAIGN => 'campaign', HOST => 'host', 'HOST=STATE' => 'marks', FROM => 'path' },
        values   => \%VALUES,
        statuses => [ [ 75 => 'fleet once: another process measures this host' ] ],
    };
}

1;

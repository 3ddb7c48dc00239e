# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Fleet::Options - the commands and options with which many hosts are measured and judged together.
package Touchstone::Pack::Fleet::Options;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Campaign;

my $VALUE = 'no words but its value';
my %STATE = (module => 'Pack::Fleet::Command::State', takes => $VALUE);
my %PLAN  = (module => 'Pack::Fleet::Command::Plan');
my %TURN  = (module => 'Pack::Fleet::Command::Turn',    takes    => $VALUE);
my %ONCE  = (module => 'Pack::Fleet::Command::Once',    measures => 1);
my %TAKE  = (module => 'Pack::Fleet::Command::Collect', operands => 'file');
my %JUDGE = (
    module   => 'Pack::Fleet::Command::Judge',
    operands => 'directory',
    with     => ['format'],
    formats  => sub { return (_formats(), 'standing') },
    called   => 'a fleet'
);
my %LIKE = (
    module   => 'Pack::Fleet::Command::Place',
    operands => 'run',
    with     => ['format'],
    formats  => \&_formats,
    called   => '--like'
);

#<<< a row is a line
my @ON_HOSTS = (
    [ 'once CAMPAIGN',  'campaign', 'measure this host for a campaign, once', verb => \%ONCE ],
    [ 'run N',          'nth',      'its Nth run for the campaign; default 1',
        for => 'once state wait give' ],
    [ 'as HOST',        'host',     'the name of this host in the campaign',
        for => 'once state wait give collect' ],
    [ 'label K=V',      'labels',   'a label of this host, such as rack=b4', for => 'once' ],
    [ 'detach',         undef,      'return as soon as the measurement has begun', for => 'once' ],
    [ 'wait CAMPAIGN',  'campaign', 'wait until it has ended, and say how', verb => \%STATE ],
    [ 'state CAMPAIGN', 'campaign', 'how far it is, as a line of JSON', verb => \%STATE ],
    [ 'give CAMPAIGN',  'campaign', 'SHA-256, size and path of its record', verb => \%STATE ],
    [ 'whole',          undef,      'with --give: the record itself, in lines for a log', for => 'give' ],
);
my @TOGETHER = (
    [ 'plan FILE',            'file',    'make a campaign of these hosts, or read it',
        verb => { %PLAN, measures => 1 } ],
    [ 'campaign DIR',         'place',   'the directory of the campaign',
        for => 'plan turn mark collect' ],
    [ 'turn HOST',            'host',    'wait until this host may measure', verb => \%TURN ],
    [ 'mark HOST=WHAT',       'marks',   'note what became of a host; may be repeated', verb => \%TURN ],
    [ 'collect FROM ...',     undef,     'take records into the campaign, each once', verb => \%TAKE ],
    [ 'fleet DIR [DIR]',      undef,     'judge the hosts of a campaign, or two in turn',
        verb => \%JUDGE ],
    [ 'group-by LABEL',       'texts',   'judge hosts with different values apart', for => 'fleet' ],
    [ 'smallest P%',          'percent', 'differences below P % are of no interest', for => 'fleet' ],
    [ 'allow-missing P%',     'percent', 'exit 0 though P % of the hosts are missing', for => 'fleet' ],
    [ 'control LABEL=V',      'control', 'hosts without the change, in both campaigns', for => 'fleet' ],
    [ 'wave K/N',             'wave',    'this is wave K of N of a roll-out', for => 'fleet' ],
    [ 'confirm DIR',          'place',   'plan new runs of suspects and controls',
        verb => { %PLAN, takes => $VALUE } ],
    [ 'like FILE-OR-DIR RUN', undef,     'where a run stands among others of its kind', verb => \%LIKE ],
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
        is      => sub { $_[0] =~ /\A.+=(?:running|over|unreachable|failed: \S.*)\z/s },
        allowed => "HOST=WHAT, where WHAT is running, over, unreachable or 'failed: why'",
        many    => 1
    },
    nth => {
        is      => sub { $_[0] =~ /\A[1-9]\d{0,2}\z/ },
        allowed => 'a whole number from 1 to 999',
        as      => sub { $_[0] + 0 }
    },
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

# The commands alone need the forms of reports.
sub _formats {
    require Touchstone::Report::Forms;
    return Touchstone::Report::Forms::names('fleet');
}

sub options {
    return {
        headings => [
            [ 'Many machines: on each of them',          @ON_HOSTS ],
            [ 'Many machines: where all comes together', @TOGETHER ]
        ],
        values   => \%VALUES,
        statuses => [ [ 75 => '--once: another process measures this host' ] ],
    };
}

1;

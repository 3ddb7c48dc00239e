# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Surroundings - facts of a rented machine that other runs do not need: the distribution, and the
# cloud and region, as cloud-init has left them in a file. Nothing asks a network.
package Touchstone::Pack::Check::Surroundings;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Untrusted qw(as_hash as_text);
use Touchstone::Machine::Sysfile;
use Touchstone::Record::Json;

my $LETTERS   = 60;
my @RELEASES  = ('/etc/os-release', '/usr/lib/os-release');
my $CLOUDINIT = '/run/cloud-init/instance-data.json';

# { distribution?, cloud? }; `root` stands before the paths, for tests.
sub facts {
    my ($root) = @_;
    my %found = (distribution => _distribution($root // ''), cloud => _cloud($root // ''));
    return map { $_ => $found{$_} } grep { defined $found{$_} } keys %found;
}

sub _distribution {
    my ($root) = @_;
    my ($text) = grep { defined } map { Touchstone::Machine::Sysfile::text("$root$_") } @RELEASES;
    my ($name) = ($text // '') =~ /^PRETTY_NAME=(?|"([^"\n]*)"|'([^'\n]*)'|(\S*))/m;
    return as_text($name, $LETTERS);
}

# "aws, eu-west-1"
sub _cloud {
    my ($root) = @_;
    my $text   = Touchstone::Machine::Sysfile::text("$root$CLOUDINIT") // return undef;
    my $data   = eval { Touchstone::Record::Json::decode($text) };
    my $about  = as_hash(as_hash($data)->{v1});
    my @known  = grep { defined && $_ !~ /\A(?:unknown|none|None|null)\z/ }
        map { as_text($about->{$_}, $LETTERS) } qw(cloud_name region);
    return @known ? join ', ', @known : undef;
}

1;

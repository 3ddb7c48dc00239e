# SPDX-License-Identifier: GPL-2.0-or-later
# Suite::Lbt::Needs - what the toolkit's tests need: the source of a kernel, an X server, and perhaps another
# machine.
package Touchstone::Suite::Lbt::Needs;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Text qw(plain short);
use Touchstone::Machine::Command;
use Touchstone::Suite::Lbt::KernelSource;
use Touchstone::Suite::Lbt::Options;

my $CONFIGURATION = 'tinyconfig';

sub needs {
    return {
        kernel => {
            find    => \&_kernel,
            options => { 'kernel-config' => 'the test kernel' },
            lacks   => \&_lacks_source
        },
        display => {
            find    => \&_display,
            options => { 'x-display' => 'the tests of the group x11' },
            lacks   => \&_lacks_server
        },
        peer => { find => \&_peer, options => { peer => 'the tests of the group net' } },
    };
}

sub _kernel {
    my ($program, %setup) = @_;
    my $config  = $setup{want}{'kernel-config'} // $CONFIGURATION;
    my $source  = Touchstone::Suite::Lbt::KernelSource::find();
    my @trouble = Touchstone::Suite::Lbt::KernelSource::trouble(
        $source,
        config  => $config,
        cc      => $setup{cc},
        scratch => $setup{scratch}
    );

    # The make of a kernel takes neither a blank nor a colon.
    @trouble = (
        failures => "no kernel can be built in '$setup{places}{tmp}', whose name has a blank or a colon",
        'try: UB_TMPDIR=/var/tmp ./Run'
    ) if !@trouble && $setup{places}{tmp} =~ /[\s:]/;
    return { trouble => \@trouble } if @trouble;
    $setup{progress}->note("reading the kernel source, $source");
    @trouble = Touchstone::Suite::Lbt::KernelSource::trouble_inside($source, scratch => $setup{scratch});
    return { trouble => \@trouble } if @trouble;
    return {
        values => { kernel => $source, config => $config, kernel_cc => $setup{cc} },
        space  => Touchstone::Suite::Lbt::KernelSource::space_kb($source, config => $config),
        facts  => Touchstone::Suite::Lbt::KernelSource::facts(
            $source,
            config  => $config,
            scratch => $setup{scratch}
        ),
    };
}

sub _lacks_source {
    return defined Touchstone::Suite::Lbt::KernelSource::find()
        ? ()
        : Touchstone::Suite::Lbt::KernelSource::trouble(undef);
}

sub _lacks_server {
    return if length($ENV{DISPLAY} // '') || Touchstone::Machine::Command::find('Xvfb');
    return (skipped => q('Xvfb' is not installed), 'install the package xvfb');
}

# The X server is the one that is named, that of the session, or one that a test starts.
sub _display {
    my ($program, %setup) = @_;
    my ($display) = grep { length } map { $_ // '' } $setup{want}{'x-display'}, $ENV{DISPLAY},
        $Touchstone::Suite::Lbt::Options::OWN_DISPLAY;
    return {
        trouble => [
            failures => "DISPLAY is '" . short(plain($display), 60) . "', which is not a display such as :0",
            '--x-display xvfb measures a server of its own'
        ]
        }
        if !Touchstone::Suite::Lbt::Options::is_display($display);
    my ($text, @trouble) = $setup{ask}->($program, '--facts', $display);
    return { trouble => \@trouble } if @trouble;
    my %facts = $text =~ /^(\w+)=(.*)$/mg;
    return {
        values => { display => $display },
        facts  => { map { $_ => plain($facts{$_}) } keys %facts }
    };
}

# Without a peer the tests talk to a process of this machine.
sub _peer {
    my ($program, %setup) = @_;
    my $peer = $setup{want}{peer} // return { facts => { address => 'this machine' } };
    my ($text, @trouble) = $setup{ask}->($program, '--check', $peer);
    return { trouble => \@trouble } if @trouble;
    return { values  => { peer => $peer }, facts => { address => $peer } };
}

1;

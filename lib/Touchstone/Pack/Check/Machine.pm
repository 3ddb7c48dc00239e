# SPDX-License-Identifier: GPL-2.0-or-later
# Pack::Check::Machine - the machine of a check in four lines: its reports about itself beside the findings of
# the probes.
package Touchstone::Pack::Check::Machine;
use 5.014;
use strict;
use warnings;

use Touchstone::Base::Figure qw(memory);
use Touchstone::Base::Text qw(plural);
use Touchstone::Base::Untrusted qw(as_hash as_hashes as_number as_text as_word);
use Touchstone::Machine::Identity;

my $NONE    = qr/\A(?:none|unknown|)\z/;
my $LETTERS = 48;

# The facts of a line, as texts; those that are not known are undef.
sub data {
    my ($facts) = @_;
    my $host = as_hash($facts->{host});
    my $text =
        sub { my $t = as_text($host->{ $_[0] }, $_[1] // $LETTERS); defined $t && $t !~ $NONE ? $t : undef };
    my ($cpu) = as_hashes($host->{cpus});
    my $count = sub { as_number($host->{ $_[0] }, 1, 1e6) };
    my $guest = $text->('virtualisation');
    return {
        model => as_word(as_hash($cpu)->{model}) !~ $NONE
        ? as_text(Touchstone::Machine::Identity::cpu_name($cpu->{model}), $LETTERS)
        : undef,
        (map { $_ => scalar $count->($_) } qw(online_cpus usable_cpus cores threads threads_per_core)),
        caches      => $text->('caches', 80),
        memory_kb   => as_number($host->{memory_kb},       1, 1e15),
        limit_kb    => as_number($host->{memory_limit_kb}, 1, 1e15),
        swap_kb     => as_number($host->{swap_kb},         0, 1e15),
        file_system => $text->('file_system'),
        device      => $text->('device'),
        drive => join(', ', grep { defined } map { $text->($_) } qw(drive_model drive_interface drive_size))
            || undef,
        kernel       => join(' ', grep { defined } map { $text->($_) } qw(kernel release)) || undef,
        architecture => $text->('machine'),
        hypervisor   => defined $guest ? Touchstone::Machine::Identity::hypervisor_name($guest) : undef,
        container    => $text->('container'),
        distribution => as_text($facts->{check}{distribution}, $LETTERS),
        cloud        => as_text($facts->{check}{cloud},        $LETTERS),
        quota        => as_number($host->{cpu_quota}, 0, 1e6),
        clock_ghz    => undef
    };
}

# [ [ 'CPU', 'a text' ], ... ]; `result` has the probes.
sub lines {
    my ($facts, $result) = @_;
    my $machine = data($facts);
    my %verdict = map { $_->{key} => $_->{verdict} } @{ $result->{probes} };
    my %probe   = map { $_->{key} => $_->{sentence} } @{ $result->{probes} };
    my @lines   = (
        [ CPU    => _cpu($machine, $probe{vcpu}     // '') ],
        [ Caches => _caches($machine, $probe{cache} // '', $verdict{cache}) ],
        [ Memory => _memory($machine) ],
        [
            System => join ', ',
            grep { defined } @$machine{qw(distribution kernel)}, _guest($machine),
            @$machine{qw(cloud architecture)}
        ]
    );
    return grep { length $_->[1] } @lines;
}

sub _cpu {
    my ($machine, $sentence) = @_;
    my $online = $machine->{online_cpus};
    my @texts  = ($machine->{model} // 'unknown CPU');
    push @texts, plural($online, 'CPU') . ($online > 1 ? ' on ' . _cores($machine, $sentence) : '')
        if $online;
    push @texts, "$1 GHz found" if $sentence =~ /\bruns at ([\d.]+) GHz/;
    return join ', ', @texts;
}

# Cores as they are reported and as the probe found them.
sub _cores {
    my ($machine, $sentence) = @_;
    return 'an unknown number of cores' if !$machine->{cores};
    my $cores = plural($machine->{cores}, 'core');
    return "$cores (found)"               if $sentence =~ /as reported\./;
    return "$cores (reported, not found)" if $sentence =~ /contrary to the reported topology/;
    return "$cores (reported)";
}

sub _caches {
    my ($machine, $sentence, $verdict) = @_;
    my $reported = join ', ', grep { !/\AL1i/ } split /, /, $machine->{caches} // '';
    my ($size, $range) = $sentence =~ /\buse about ([\d.,]+ [KMG]B)(?: \(([^()]*)\))?/;
    $range =~ s/ [KMG]B(?= to [\d.,]+ MB)// if defined $range && $range =~ / MB to /;
    undef $range if defined $range && $range =~ /\A([\d.,]+)(?: [KMG]B)? to \1 /;
    my $measured = defined $size ? ($range // $size) . ' found' : undef;
    $measured .= ', unclear' if defined $measured && $verdict eq 'unclear';
    return join '; ', (length $reported ? "$reported reported" : ()), $measured // ();
}

sub _memory {
    my ($machine) = @_;
    my @texts = $machine->{memory_kb} ? memory($machine->{memory_kb}) : ();
    push @texts, 'limit ' . memory($machine->{limit_kb})
        if $machine->{limit_kb} && $machine->{memory_kb} && $machine->{limit_kb} < $machine->{memory_kb};
    push @texts, 'swap ' . memory($machine->{swap_kb}) if $machine->{swap_kb};
    my $disk = join ' on ', grep { defined } @$machine{qw(file_system device)};
    push @texts,
        "disk $disk" . (defined $machine->{drive} && defined $machine->{device} ? " ($machine->{drive})" : '')
        if length $disk;
    return join ', ', @texts;
}

sub _guest {
    my ($machine) = @_;
    my ($under, $in) = @$machine{qw(hypervisor container)};
    return ((defined $under ? $under =~ /\Aunknown/ ? "guest of an $under" : "$under guest" : ()),
        (defined $in ? "$in container" : ()));
}

1;

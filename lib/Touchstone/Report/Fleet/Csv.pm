# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Fleet::Csv - a judgement as a line for each host and figure, and one for the mean of all figures:
#
#   group,host,host_id,slot,runs,figure,copies,suite,ratio,low,high,p,far,verdict,fast,disturbed_percent,passport
#   1,web09,9f31c07d5a64b2e8,hv02,1,mean,,,0.9006,0.8889,0.9123,0.0002,,bad,no,1.4,9c1f31d07d5a64b2
package Touchstone::Report::Fleet::Csv;
use 5.014;
use strict;
use warnings;

use Touchstone::Report::Csv;

my @HEAD = qw(group host host_id slot runs figure copies suite ratio low high p far verdict fast
    disturbed_percent passport);

sub render {
    my ($judgement) = @_;
    my @lines       = join ',', @HEAD;
    for my $group (@{ $judgement->{groups} }) {
        for my $host (@{ $group->{hosts} }) {
            push @lines, _line($group, $host, [ 'mean', '', '' ], { %$host, far => undef });
            for my $figure (@{ $group->{figures} }) {
                my $of = $host->{figures}{ $figure->{key} } or next;
                push @lines, _line($group, $host, [ @$figure{qw(name copies suite)} ], $of);
            }
        }
    }
    return join '', map { "$_\n" } @lines;
}

sub _line {
    my ($group, $host, $which, $is) = @_;
    return join ',', map { Touchstone::Report::Csv::field($_ // '') } $group->{number},
        @$host{qw(host host_id slot)}, scalar @{ $host->{runs} || [] }, @$which,
        (
        map { defined $_ ? sprintf '%.6g', $_ : '' } $is->{ratio},
        @{ $is->{interval} || [ undef, undef ] },
        $is->{p}
        ),
        defined $is->{far} ? _yes($is->{far}) : '', $host->{verdict}, _yes($host->{fast}),
        defined $host->{disturbed} ? sprintf('%.3g', 100 * $host->{disturbed}) : '', $group->{passport};
}

sub _yes { my ($is) = @_; return $is ? 'yes' : 'no' }

1;

# SPDX-License-Identifier: GPL-2.0-or-later
# Job - a host of a campaign as a Job of Kubernetes, in YAML. Every text stands in double quotes with nothing
# but ASCII in it, so no name of a host can become more than a text.
package Job;
use 5.014;
use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use Exporter qw(import);

our @EXPORT_OK = qw(holds job label_of yaml);

# Names of Jobs, and values of labels, have at most so many letters.
my $LONGEST = 63;
my $DIGITS  = 16;
my %ESCAPE  = ("\n" => '\n', "\t" => '\t', '"' => '\"', '\\' => '\\\\');

# Seconds: a Job may take so many times what was estimated, and so many more. Run has some to end cleanly.
my ($TIMES, $SPARE, $GRACE) = (3, 900, 60);

my $FORM = <<'END';
---
apiVersion: batch/v1
kind: Job
metadata:
  name: <name>
  labels: { touchstone/campaign: <campaign label>, touchstone/host: <host label> }
  annotations: { touchstone/campaign: <campaign>, touchstone/host: <host>, touchstone/slot: <slot>,
    touchstone/order: <order> }
spec:
  suspend: <suspend>
  backoffLimit: <retries>
  podReplacementPolicy: Failed # two pods of a host never measure at the same time
  activeDeadlineSeconds: <deadline>
  template:
    metadata:
      labels: { touchstone/campaign: <campaign label>, touchstone/host: <host label> }
    spec:
      restartPolicy: Never
      nodeName: <host>
      tolerations: [{ operator: Exists }] # a node that takes no pods is measured too
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: <grace>
      containers:
        - name: touchstone
          image: <image>
          # The directory of the node outlives a pod, so the next one resumes, or waits for one that measures.
          # Kubernetes replaces $(NAME) in these words; two dollars are one.
          command:
            - /bin/sh
            - -c
            - |
              campaign=$$1 run=$$2 host=$$3
              shift 3
              while status=0; /touchstone/Run "$$@" || status=$$?; [ "$$status" -eq 75 ]; do
                /touchstone/Run fleet wait "$$campaign" --run "$$run" --as "$$host"
              done
              exec /touchstone/Run fleet give "$$campaign" --run "$$run" --as "$$host" --whole
            - touchstone
          args: <args>
          env:
            - { name: UB_RESULTDIR, value: /results }
            - { name: UB_TMPDIR, value: /results/tmp }
          resources: # requests and limits are equal: the pod is Guaranteed, and the last to be evicted
            requests: { cpu: <cpus>, memory: <memory> }
            limits: { cpu: <cpus>, memory: <memory> }
          securityContext:
            runAsUser: 0 # the directory of the node belongs to root
            allowPrivilegeEscalation: false
            capabilities: { drop: [ALL] }
            seccompProfile: { type: Unconfined } # a filter of system calls takes a fifth of their speed
          volumeMounts:
            - { name: results, mountPath: /results }
            - { name: machine-id, mountPath: /etc/machine-id, readOnly: true }
      volumes:
        - { name: results, hostPath: { path: <results>, type: DirectoryOrCreate } }
        - { name: machine-id, hostPath: { path: /etc/machine-id, type: File } } # the node's, in every pod
END

# plan, host: of Run fleet plan; want => { image, cpus, memory, results }; suspend: whether it waits for its
# turn
sub job {
    my (%of) = @_;
    my ($plan, $host, $want) = @of{qw(plan host want)};
    my %value = (
        %$want,
        name             => name_of($plan->{campaign}, $host->{name}, $host->{run}),
        campaign         => $plan->{campaign},
        'campaign label' => label_of($plan->{campaign}),
        host             => $host->{name},
        'host label'     => label_of("$host->{name} $host->{run}"),
        slot             => $host->{slot} // '',
        order            => $host->{order},
    );
    $_     = yaml($_) for values %value;
    %value = (
        %value,
        suspend  => $of{suspend} ? 'true' : 'false',
        retries  => $plan->{retries} // 2,
        deadline => int($TIMES * $plan->{seconds} + $SPARE),
        grace    => $GRACE,
        args     => '['
            . join(', ',
            map { yaml(_literal($_)) } $plan->{campaign},
            @$host{qw(run name)}, @{ $host->{words} })
            . ']',
    );
    return $FORM =~ s/<([a-z ]+)>/$value{$1} \/\/ die "no '$1' for a Job\n"/ger;
}

sub _literal { my ($text) = @_; return $text =~ s/\$/\$\$/gr }

# Returns what no other Job may hold at the same time: the host, and its slot.
sub holds {
    my ($host) = @_;
    return ("host $host->{name}", length($host->{slot} // '') ? "slot $host->{slot}" : ());
}

# A name for people, as far as Kubernetes has its letters, and a hash that tells such names one from another.
sub name_of {
    my ($campaign, $host, $run) = @_;
    my $for_people = join('-', 'touchstone', $campaign, $host) =~ tr/A-Z/a-z/r =~ s/[^a-z0-9]+/-/gr;
    my $hash       = substr sha256_hex("$campaign $host $run"), 0, $DIGITS;
    return substr($for_people, 0, $LONGEST - 1 - $DIGITS) =~ s/-+\z//r . "-$hash";
}

sub label_of { my ($text) = @_; return substr sha256_hex($text), 0, $DIGITS }

# Returns a text in double quotes. It has to be UTF-8.
sub yaml {
    my ($text) = @_;
    utf8::decode(my $letters = "$text");
    $letters =~ s/([^ !#-\[\]-~])/$ESCAPE{$1} \/\/ sprintf '\U%08x', ord $1/ge;
    return qq{"$letters"};
}

1;

# SPDX-License-Identifier: GPL-2.0-or-later
# Records - the records of real runs from which the example pages of the documents are made:
#
#   docs/examples/run/.runs/box-2026-11-26-01.json.gz            a run
#   docs/examples/not-valid/.runs/box-2026-11-26-02.json.gz      a run that is not valid
#   docs/examples/compare/.runs/*.json.gz                        two builds
#   docs/examples/history/.runs/*.json.gz                        a history in which a change was planted
#   docs/examples/scaling/.runs/*.json.gz                        a run with several copy counts
#   docs/examples/fleet/campaigns/NAME/...                       a campaign
#   docs/examples/PAGE/about                                     a line for the head of the page
#
# A folder is a copy of results/ after the run, in which only the path of the tree is replaced, by
# /home/user/touchstone; files with .gz are packed. An example without a folder has invented data (Examples,
# ExampleFleet), and its page is marked as simulated.
#
#   Records::there('run')                 whether there is a folder
#   Records::unpack('run', $directory)    copies it to a directory of results, unpacked
#   Records::names('run')                 the names of its records
#   Records::campaign('fleet')            the name of its campaign
#   Records::about('run')                 the line
package Records;
use 5.014;
use strict;
use warnings;

use Cwd ();
use File::Basename qw(dirname);
use File::Find ();
use File::Path qw(make_path);
use IO::Uncompress::Gunzip qw(gunzip $GunzipError);

my ($FOLDER) = Cwd::abs_path(__FILE__) =~ m{(.*)/make/};
$FOLDER = "$FOLDER/examples";

sub there { my ($page) = @_; return -d "$FOLDER/$page" }

sub unpack {
    my ($page, $directory) = @_;
    my $from = "$FOLDER/$page";
    for my $file (_files($from)) {
        my $name = $file =~ s{\A\Q$from\E/}{}r =~ s/\.gz\z//r;
        next if $name eq 'about';
        make_path(dirname("$directory/$name"));
        my $text = _text($file);
        open my $out, '>:raw', "$directory/$name" or die "cannot write '$directory/$name': $!\n";
        print {$out} $text;
        close $out or die "cannot write '$directory/$name': $!\n";
    }
    return;
}

sub _files {
    my ($from) = @_;
    my @files;
    File::Find::find({ no_chdir => 1, wanted => sub { push @files, $_ if -f } }, $from);
    return sort @files;
}

sub _text {
    my ($file) = @_;
    my $text;
    if ($file =~ /\.gz\z/) {
        gunzip($file => \$text) or die "cannot unpack '$file': $GunzipError\n";
        return $text;
    }
    open my $in, '<:raw', $file or die "cannot read '$file': $!\n";
    local $/;
    return scalar <$in>;
}

sub names {
    my ($page) = @_;
    return map { m{([^/]+)\.json(?:\.gz)?\z} ? $1 : () } sort glob "'$FOLDER/$page/.runs/*'";
}

sub campaign {
    my ($page) = @_;
    my ($name) = map { m{([^/]+)\z} } sort glob "'$FOLDER/$page/campaigns/*'";
    return $name // die "docs/examples/$page has no campaign\n";
}

sub about {
    my ($page) = @_;
    my $file = "$FOLDER/$page/about";
    return -e $file ? _text($file) =~ s/\s+\z//r : undef;
}

1;

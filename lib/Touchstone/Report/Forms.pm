# SPDX-License-Identifier: GPL-2.0-or-later
# Report::Forms - the forms of reports, which --format takes. The command line, its help and completion, and
# the documents read this table: a new form is a line here and a module.
package Touchstone::Report::Forms;
use 5.014;
use strict;
use warnings;

use Touchstone::Record::Json;

# Each form shows something of a subject: its document, rows, matrix, data or figures, or what has the name of
# the form. The sub `by` makes a text of that. A subject that has an entry of that name makes the text itself.
#
#   suffix    of its files
#   by        the sub in a module of this room; those that show figures are one for each kind of subjects,
#             and end in _of_run or _of_comparison
#   only      the kinds of subjects that have the form, instead of all
#   has       whom the parts of a document are for: a `page` or a `plain` text, a `narrow` or a `wide` form;
#             `markup` is a plain and wide one
#   also      the form that the page of a CI system shows as well
my @DOCUMENT = (of   => 'document');
my @RUN      = (only => ['run']);
my @FIGURES  = (of   => 'figures', @RUN);
my @BOTH     = (of   => 'figures', only => [qw(run comparison)]);

#<<<
my @FORMS = (
    { name => 'text',         suffix => '',      @DOCUMENT, by => 'Render::Text::document',
                                                 has => [qw(plain narrow)] },
    { name => 'markdown',     suffix => '.md',   @DOCUMENT, by => 'Render::Markdown::document',
                                                 has => [qw(plain wide markup)] },
    { name => 'html',         suffix => '.html', @DOCUMENT, by => 'Render::Html::whole',
                                                 has => [qw(page wide)] },
    { name => 'csv',          suffix => '.csv',  of => 'rows',  by => 'Csv::text' },
    { name => 'table',        suffix => '.csv',  of => 'matrix', by => 'Csv::text', @RUN },
    { name => 'json',         suffix => '.json', of => 'data',  by => \&Touchstone::Record::Json::encode },
    { name => 'log',          suffix => '.log',  @RUN },
    { name => 'summary',      @RUN },
    { name => 'bmf',          @FIGURES, by => 'Export::Json::bmf' },
    { name => 'gh-benchmark', @FIGURES, by => 'Export::Json::gh_benchmark' },
    { name => 'github',       @BOTH,    by => 'Export::Ci::github', also => 'markdown' },
    { name => 'influx',       @FIGURES, by => 'Export::Metrics::influx' },
    { name => 'jsonl',        @BOTH,    by => 'Export::Json::lines' },
    { name => 'junit',        @BOTH,    by => 'Export::Ci::junit' },
    { name => 'lava',         @FIGURES, by => 'Export::Ci::lava' },
    { name => 'openmetrics',  @FIGURES, by => 'Export::Metrics::openmetrics' },
    { name => 'prometheus',   @FIGURES, by => 'Export::Metrics::prometheus' },
    { name => 'yabs',         only => ['check'] },
);
#>>>
my %FORM = map { $_->{name} => $_ } @FORMS;

# The form of pages that stand in files.
our $PAGE = 'html';

# The names of the forms that a kind of subjects has.
sub names {
    my ($kind) = @_;
    return map { $_->{name} } grep {
        !$_->{only}
            || grep { $_ eq $kind }
            @{ $_->{only} }
    } @FORMS;
}

# The names of those that show its figures, for programs of others.
sub exports {
    my ($kind) = @_;
    return grep { ($FORM{$_}{of} // '') eq 'figures' } names($kind);
}

sub suffix { my ($name) = @_; return $FORM{$name}{suffix} }
sub also   { my ($name) = @_; return $FORM{$name}{also} }

# Whether parts for these readers, in words of `has`, belong into a form.
sub takes {
    my ($name, $readers) = @_;
    my %is = map { $_ => 1 } $name, @{ $FORM{$name}{has} };
    return scalar grep { $is{$_} } ref $readers ? @$readers : $readers;
}

# A subject of a kind in a form: `has` are its entries, each a sub or the name of one, which get the subject.
# Modules are loaded when they are wanted.
sub render {
    my ($name, $kind, $has, @subject) = @_;
    die "there is no format '$name', only ${\ join ', ', names($kind)}\n"
        if !grep { $_ eq $name } names($kind);
    return _call($has->{$name}, @subject) if $has->{$name};
    my ($subject, $renderer) = @{ $FORM{$name} }{qw(of by)};
    return _call($subject eq 'figures' ? "${renderer}_of_$kind" : $renderer,
        _call($has->{$subject}, @subject));
}

sub _call {
    my ($sub, @arguments) = @_;
    return $sub->(@arguments) if ref $sub;
    my ($module, $name) = "Touchstone::Report::$sub" =~ /\A(.*)::(\w+)\z/;
    require(($module =~ s{::}{/}gr) . '.pm');
    return $module->can($name)->(@arguments);
}

1;

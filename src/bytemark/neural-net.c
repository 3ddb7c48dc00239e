// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * neural-net - one iteration trains a net of 35 inputs, 8 hidden and 8 output neurons by
 * back-propagation, from random weights until it knows ten letters of 5 by 7 dots, which takes 780
 * passes over them. This measures exp and arithmetic on small matrices. The second layer starts
 * with large weights, a mistake of the suite's original that is kept.
 */
#include "bytemark/shared/run.h"

#include <math.h>
#include <stddef.h>

enum { ROWS = 7, COLUMNS = 5, INPUTS = ROWS * COLUMNS, HIDDEN = 8, OUTPUTS = 8 };
enum { MOST_PATTERNS = 10 };
enum { PASSES = 780, FEWEST = 775, MOST = 785 };	/* the limits allow for another exp */
enum { TALLY_PASSES, TALLY_STEPS };

static const char *const tallies[] = { "passes", "steps", NULL };
static const double RATE = 0.09, MOMENTUM = 0.09, GOOD = 0.1, HOPELESS = 16.0;
static const double LIT = 0.9, DARK = 0.1, WORST = 0.09979458273629;

/* Each row has a bit for each dot, the leftmost in the highest bit. */
static const struct { char letter; uint8_t rows[ROWS]; } glyphs[] = {
	{ 'A', { 4, 14, 27, 17, 31, 17, 17 } },
	{ 'B', { 30, 18, 18, 31, 17, 17, 31 } },
	{ 'C', { 31, 16, 16, 16, 16, 16, 31 } },
	{ 'D', { 30, 19, 17, 17, 17, 19, 30 } },
	{ 'E', { 15, 16, 16, 14, 16, 16, 15 } },
	{ 'F', { 31, 24, 24, 30, 24, 24, 24 } },
	{ 'G', { 15, 16, 16, 19, 17, 17, 15 } },
	{ 'H', { 17, 17, 17, 31, 17, 17, 17 } },
	{ 'I', { 31, 4, 4, 4, 4, 4, 31 } },
	{ 'J', { 7, 2, 2, 2, 2, 18, 12 } },
	{ '\0', { 0 } }
};

static int patterns, passes, steps;
static double input[MOST_PATTERNS][INPUTS], target[MOST_PATTERNS][OUTPUTS];
static double hidden_weight[HIDDEN][INPUTS], output_weight[OUTPUTS][HIDDEN];
/* The changes of the step before, and of this one. */
static double hidden_last[HIDDEN][INPUTS], output_last[OUTPUTS][HIDDEN];
static double hidden_change[HIDDEN][INPUTS], output_change[OUTPUTS][HIDDEN];
static double hidden[HIDDEN], output[OUTPUTS];
static double hidden_error[HIDDEN], output_error[OUTPUTS];
static double largest_error[MOST_PATTERNS], mean_error[MOST_PATTERNS];
static double worst_error, average_error;

static void draw_weights(void)
{
	for (int n = 0; n < HIDDEN; n++)
		for (int i = 0; i < INPUTS; i++)
			hidden_weight[n][i] = (random_below(100000) / 100000.0 - 0.5) / 2.0;
	for (int n = 0; n < OUTPUTS; n++)
		for (int i = 0; i < HIDDEN; i++)
			output_weight[n][i] = (random_below(100000) / 10000.0 - 0.5) / 2.0;
}

static void clear_changes(void)
{
	for (int n = 0; n < HIDDEN; n++)
		for (int i = 0; i < INPUTS; i++)
			hidden_last[n][i] = hidden_change[n][i] = 0.0;
	for (int n = 0; n < OUTPUTS; n++)
		for (int i = 0; i < HIDDEN; i++)
			output_last[n][i] = output_change[n][i] = 0.0;
}

static void move_changes(void)
{
	for (int n = 0; n < HIDDEN; n++)
		for (int i = 0; i < INPUTS; i++) {
			hidden_last[n][i] = hidden_change[n][i];
			hidden_change[n][i] = 0.0;
		}
	for (int n = 0; n < OUTPUTS; n++)
		for (int i = 0; i < HIDDEN; i++) {
			output_last[n][i] = output_change[n][i];
			output_change[n][i] = 0.0;
		}
}

static double sigmoid(double sum)
{
	return 1.0 / (1.0 + exp(-sum));
}

static void pass_hidden(int pattern)
{
	for (int n = 0; n < HIDDEN; n++) {
		double sum = 0.0;

		for (int i = 0; i < INPUTS; i++)
			sum += hidden_weight[n][i] * input[pattern][i];
		hidden[n] = sigmoid(sum);
	}
}

static void pass_output(void)
{
	for (int n = 0; n < OUTPUTS; n++) {
		double sum = 0.0;

		for (int i = 0; i < HIDDEN; i++)
			sum += output_weight[n][i] * hidden[i];
		output[n] = sigmoid(sum);
	}
}

static void find_output_error(int pattern)
{
	double largest = 0.0, sum = 0.0;

	for (int n = 0; n < OUTPUTS; n++) {
		double size;

		output_error[n] = target[pattern][n] - output[n];
		size = output_error[n];
		if (size < 0.0)
			size = -size;
		if (size > largest)
			largest = size;
		sum += size;
	}
	largest_error[pattern] = largest;
	mean_error[pattern] = sum / OUTPUTS;
}

static void find_hidden_error(void)
{
	for (int n = 0; n < HIDDEN; n++) {
		double sum = 0.0;

		for (int i = 0; i < OUTPUTS; i++)
			sum += output_weight[i][n] * output_error[i];
		hidden_error[n] = hidden[n] * (1.0 - hidden[n]) * sum;
	}
}

static void adjust_output(void)
{
	for (int n = 0; n < OUTPUTS; n++)
		for (int i = 0; i < HIDDEN; i++) {
			double delta = RATE * output_error[n] * hidden[i];

			delta += MOMENTUM * output_last[n][i];
			output_weight[n][i] += delta;
			output_change[n][i] += delta;
		}
}

static void adjust_hidden(int pattern)
{
	for (int n = 0; n < HIDDEN; n++)
		for (int i = 0; i < INPUTS; i++) {
			double delta = RATE * hidden_error[n] * input[pattern][i];

			delta += MOMENTUM * hidden_last[n][i];
			hidden_weight[n][i] += delta;
			hidden_change[n][i] += delta;
		}
}

static void step(int pattern)
{
	worst_error = 0.0;
	move_changes();
	pass_hidden(pattern);
	pass_output();
	find_output_error(pattern);
	find_hidden_error();
	adjust_output();
	adjust_hidden(pattern);
	steps++;
	TALLY(TALLY_STEPS, 1);
}

/* True when nothing remains to be learned, or when learning has failed. */
static bool finished(void)
{
	bool learned = true, failed = false;

	worst_error = average_error = 0.0;
	for (int p = 0; p < patterns; p++) {
		if (largest_error[p] > worst_error)
			worst_error = largest_error[p];
		average_error += mean_error[p];
	}
	average_error /= patterns;
	for (int p = 0; p < patterns; p++) {
		if (worst_error >= GOOD)
			learned = false;
		if (largest_error[p] >= HOPELESS)
			failed = true;
	}
	return learned || failed;
}

static __attribute__((noinline)) void train(void)
{
	draw_weights();
	clear_changes();
	passes = 0;
	do {
		for (int p = 0; p < patterns; p++)
			step(p);
		passes++;
		TALLY(TALLY_PASSES, 1);
	} while (!finished());
}

static void load_patterns(void)
{
	for (patterns = 0; glyphs[patterns].letter; patterns++) {
		for (int i = 0; i < INPUTS; i++) {
			const int row = glyphs[patterns].rows[i / COLUMNS];

			input[patterns][i] = row >> (COLUMNS - 1 - i % COLUMNS) & 1 ? LIT : DARK;
		}
		for (int n = 0; n < OUTPUTS; n++)
			target[patterns][n] = glyphs[patterns].letter >> (OUTPUTS - 1 - n) & 1;
	}
}

static void load(void)
{
	random_reset();
	steps = 0;
}

/*
 * Returns the letter that the trained net recognises, computed independently of the training code.
 */
static int letter_read(int pattern)
{
	int letter = 0;

	for (int n = 0; n < OUTPUTS; n++) {
		double sum = 0.0;

		for (int k = 0; k < HIDDEN; k++) {
			double inner = 0.0;

			for (int i = 0; i < INPUTS; i++)
				inner += hidden_weight[k][i] * input[pattern][i];
			sum += output_weight[n][k] / (1.0 + exp(-inner));
		}
		/* The output is above one half exactly if the sum is above 0. */
		letter = letter << 1 | (sum > 0.0);
	}
	return letter;
}

static __attribute__((noinline)) void check(void)
{
	double weights = 0.0;

	for (int n = 0; n < HIDDEN; n++)
		for (int i = 0; i < INPUTS; i++)
			weights += fabs(hidden_weight[n][i]);
	for (int n = 0; n < OUTPUTS; n++)
		for (int i = 0; i < HIDDEN; i++)
			weights += fabs(output_weight[n][i]);
	if (!(weights < 1e6))
		bench_wrong("the weights add up to %g", weights);
	if (passes < FEWEST || passes > MOST || steps != passes * patterns)
		bench_wrong("the net learned in %d passes, %d steps, not %d and %d", passes, steps,
			PASSES, PASSES * patterns);
	if (!(worst_error < GOOD && average_error <= worst_error))
		bench_wrong("the worst error is %g, not below %g", worst_error, GOOD);
	if (passes == PASSES && !(fabs(worst_error - WORST) <= 1e-6))
		bench_wrong("the worst error is %.14f, not %.14f", worst_error, WORST);
	for (int p = 0; p < patterns; p++)
		if (letter_read(p) != glyphs[p].letter)
			bench_wrong("the net reads %d, not %d", letter_read(p), glyphs[p].letter);
}

int main(int argc, char **argv)
{
	struct run r;

	run_begin(&r, argc, argv);
	load_patterns();
	load();
	train();
	tally_report(tallies);
	check();
	while (run_next(&r)) {
		load();
		run_start(&r);
		train();
		run_stop(&r, 1);
	}
	check();
	run_end(&r);
}

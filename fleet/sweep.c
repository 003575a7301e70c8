/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps: reading, runs, values. Called by fleet/scenario and boards/swarm/sweep. */
#include "fleet/sweep.h"

#include "fleet/key_forms.h"
#include "fleet/scenario.h"
#include "math/chance.h"
#include "world/noise.h"

#include <math.h>
#include <string.h>

/* Purpose of random values. It is part of their keys, so it never changes. */
enum { PURPOSE_SWEEP = 2 };

#define NUMBER_MAX 1e12

/* ---- reading */

/* Destination of ranges while the file is read. */
struct ranges {
    struct mf_scenario_sweep *sweep;
    enum mf_sweep_kind kind;
};

/* Read [first, last] or [first, last, step]. */
static bool read_for(struct mf_reading *r, struct mf_sweep_range *to, const struct mf_node *node)
{
    to->number[2] = 1.0;
    if (!mf_reading_numbers(r, node, 2, 3, -NUMBER_MAX, NUMBER_MAX, to->number)) {
        return false;
    }
    const double steps = floor((to->number[1] - to->number[0]) / to->number[2] + 1e-9);
    if (!(to->number[2] > 0.0) || !(steps >= 0.0)) {
        return mf_reading_refuse(r, to->line, "%s must be [first, last], or [first, last, step]",
                                 to->key);
    }
    if (steps >= MF_SWEEP_RUNS_MAX) {
        return mf_reading_refuse(r, to->line, "%s: more than %u runs", to->key, MF_SWEEP_RUNS_MAX);
    }
    to->values = (uint32_t)steps + 1u;
    return true;
}

static bool read_each(struct mf_reading *r, struct mf_sweep_range *to, const struct mf_node *node)
{
    static const struct mf_reading_rows k_rows = {
        .fewest = 1, .most = MF_SWEEP_RUNS_MAX, .size = MF_SCENARIO_VALUE_MAX};
    if (mf_node_kind(node) != MF_NODE_LIST || mf_node_count(node) == 0) {
        return mf_reading_refuse(r, to->line, "%s must be a list of 1 or more values", to->key);
    }
    to->text = mf_reading_text_rows(r, node, &k_rows, &to->values);
    for (uint32_t i = 0; to->text != NULL && i < to->values; i++) {
        /* a comma or a line feed would break the table of results */
        const char *text = to->text[i];
        if (text[0] == '\0' || text[strcspn(text, ",\"\r\n")] != '\0') {
            return mf_reading_refuse(r, to->line,
                                     "%s: a value must have 1 to %u characters, no comma or quote; "
                                     "variations may have others",
                                     to->key, MF_SCENARIO_VALUE_MAX - 1u);
        }
    }
    return to->text != NULL;
}

static bool read_chance(struct mf_reading *r, struct mf_sweep_range *to, const struct mf_node *node)
{
    if (!mf_reading_numbers(r, node, 2, 2, -NUMBER_MAX, NUMBER_MAX, to->number)) {
        return false;
    }
    const bool even = to->kind == MF_SWEEP_UNIFORM;
    if (even ? to->number[0] <= to->number[1] : to->number[1] >= 0.0) {
        return true;
    }
    return mf_reading_refuse(r, to->line, "%s must be [%s]", to->key,
                             even ? "lowest, highest" : "mean, sigma");
}

static bool read_range(struct mf_reading *r, const char *name, int line, const struct mf_node *node,
                       void *ctx)
{
    const struct ranges *all = ctx;
    if (all->sweep->ranges == MF_SCENARIO_RANGES_MAX) {
        return mf_reading_refuse(r, line, "a sweep changes at most %u keys",
                                 MF_SCENARIO_RANGES_MAX);
    }
    if (all->sweep->range == NULL) {
        all->sweep->range =
            mf_reading_array(r, line, MF_SCENARIO_RANGES_MAX, sizeof *all->sweep->range);
        if (all->sweep->range == NULL) {
            return false;
        }
    }
    struct mf_sweep_range *to = &all->sweep->range[all->sweep->ranges++];
    if (strlen(name) >= sizeof to->key || name[0] == '\0' || strchr(name, '=') != NULL) {
        return mf_reading_refuse(r, line, "'%.40s' is not a key of at most %u characters", name,
                                 MF_YAML_KEY_MAX - 1u);
    }
    (void)snprintf(to->key, sizeof to->key, "%.47s", name);
    to->line = line;
    to->kind = all->kind;
    return all->kind == MF_SWEEP_FOR    ? read_for(r, to, node)
           : all->kind == MF_SWEEP_EACH ? read_each(r, to, node)
                                        : read_chance(r, to, node);
}

static bool read_ranges(struct mf_reading *r, const struct mf_node *node, void *at,
                        enum mf_sweep_kind kind)
{
    struct ranges all = {at, kind};
    return mf_reading_pairs(r, node, read_range, &all);
}

#define READER(name, kind)                                                                       \
    static bool name(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node, \
                     void *at)                                                                   \
    {                                                                                            \
        (void)key;                                                                               \
        return read_ranges(r, node, at, kind);                                                   \
    }
READER(key_for, MF_SWEEP_FOR)
READER(key_each, MF_SWEEP_EACH)
READER(key_uniform, MF_SWEEP_UNIFORM)
READER(key_normal, MF_SWEEP_NORMAL)
#undef READER

/* ---- runs */

static bool is_drawn(const struct mf_sweep_range *range)
{
    return range->kind == MF_SWEEP_UNIFORM || range->kind == MF_SWEEP_NORMAL;
}

static uint32_t draws(const struct mf_scenario *s)
{
    return s->sweep.count > 0 ? s->sweep.count : 1u;
}

/* Number of consecutive runs in which all ranges before @p range keep their values. */
static double runs_from(const struct mf_scenario *s, uint32_t range)
{
    double runs = draws(s);
    for (uint32_t i = range; i < s->sweep.ranges; i++) {
        runs *= is_drawn(&s->sweep.range[i]) ? 1.0 : (double)s->sweep.range[i].values;
    }
    return runs;
}

static double variations(const struct mf_scenario *s)
{
    return s->sweep.over != 0 ? (double)s->variations : 1.0;
}

bool mf_sweep_check(struct mf_reading *r, struct mf_scenario *s)
{
    const struct mf_scenario_sweep *sweep = &s->sweep;
    bool chance = false;
    for (uint32_t i = 0; i < sweep->ranges; i++) {
        const struct mf_sweep_range *range = &sweep->range[i];
        chance = chance || is_drawn(range);
        for (uint32_t k = 0; k < i; k++) {
            if (strcmp(sweep->range[k].key, range->key) == 0) {
                return mf_reading_refuse(r, range->line, "sweep: %s is changed twice", range->key);
            }
        }
    }
    if (chance != (sweep->count > 0)) {
        return mf_reading_refuse(r, 1,
                                 chance ? "sweep: uniform and normal need count: how many draws"
                                        : "sweep: count needs uniform or normal");
    }
    if (sweep->over != 0 && s->variations == 0) {
        return mf_reading_refuse(r, 1, "sweep: over variations, but there are none");
    }
    return variations(s) * runs_from(s, 0) <= (double)MF_SWEEP_RUNS_MAX ||
           mf_reading_refuse(r, 1, "sweep: more than %u runs", MF_SWEEP_RUNS_MAX);
}

uint32_t mf_sweep_runs(const struct mf_scenario *s)
{
    return (uint32_t)(variations(s) * runs_from(s, 0));
}

uint32_t mf_sweep_variation(const struct mf_scenario *s, uint32_t run)
{
    return run / (uint32_t)runs_from(s, 0);
}

bool mf_sweep_repeats(const struct mf_scenario *s, uint32_t range)
{
    MF_ASSERT(range < s->sweep.ranges);
    return is_drawn(&s->sweep.range[range]) || strcmp(s->sweep.range[range].key, "seed") == 0;
}

/* Index of a run's value of a range that is not drawn. */
static uint32_t place_of(const struct mf_scenario *s, uint32_t run, uint32_t range)
{
    return run / (uint32_t)runs_from(s, range + 1u) % s->sweep.range[range].values;
}

uint32_t mf_sweep_setting(const struct mf_scenario *s, uint32_t run)
{
    uint32_t setting = mf_sweep_variation(s, run);
    for (uint32_t i = 0; i < s->sweep.ranges; i++) {
        if (!mf_sweep_repeats(s, i)) {
            setting = setting * s->sweep.range[i].values + place_of(s, run, i);
        }
    }
    return setting;
}

static double drawn(const struct mf_scenario *s, uint32_t draw, uint32_t number)
{
    const struct mf_sweep_range *range = &s->sweep.range[number];
    const uint64_t key = mf_chance_key(s->seed, 0, number, PURPOSE_SWEEP);
    return range->kind == MF_SWEEP_UNIFORM
               ? range->number[0] +
                     (range->number[1] - range->number[0]) * mf_chance_unit(key, draw)
               : range->number[0] + range->number[1] * mf_noise_gauss(key, draw);
}

void mf_sweep_value(const struct mf_scenario *s, uint32_t run, uint32_t range, char *text)
{
    MF_ASSERT(range < s->sweep.ranges && text != NULL);
    const struct mf_sweep_range *of = &s->sweep.range[range];
    const uint32_t place = is_drawn(of) ? 0 : place_of(s, run, range);
    if (of->kind == MF_SWEEP_EACH) {
        memcpy(text, of->text[place], sizeof of->text[place]);
        return;
    }
    const double value =
        is_drawn(of) ? drawn(s, run % draws(s), range) : of->number[0] + of->number[2] * place;
    (void)snprintf(text, MF_SCENARIO_VALUE_MAX, "%.12g", value);
}

/* ---- keys */

static const char *const k_over[] = {"nothing", "variations", NULL};

#define SWEEP(field) offsetof(struct mf_scenario_sweep, field)

static const struct mf_key k_sweep[] = {
    WORD("over", SWEEP(over), k_over,
         "variations: each of them; nothing: the scenario as it stands"),
    OPEN("for", 0, key_for,
         "{dotted.key: [first, last, step]}: a run for each number; the step is 1 unless given"),
    OPEN("each", 0, key_each, "{dotted.key: [value, ...]}: a run for each value"),
    OPEN("uniform", 0, key_uniform,
         "{dotted.key: [lowest, highest]}: by chance, evenly between them"),
    OPEN("normal", 0, key_normal,
         "{dotted.key: [mean, sigma]}: by chance, with a normal distribution"),
    WHOLE("count", SWEEP(count), 1, 1e5, "how often chance draws the values of uniform and normal"),
};
const struct mf_keys mf_sweep_keys = {k_sweep, COUNT_OF(k_sweep), NULL, SIZE_MAX};

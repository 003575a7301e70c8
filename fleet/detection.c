/* SPDX-License-Identifier: Apache-2.0 */
/* Probability of a camera's report. Called by fleet/search. */
#include "fleet/detection.h"

#include "hal/assert.h"
#include "math/trig.h"
#include "world/decay.h"

#define BEST          0.95
#define STEEPNESS     5.0 /* slope of a score [1/m, s/m] */
#define SPEED_BALANCE 30.0
#define DEPTH_BALANCE (-5.0)

static const struct {
    double angle, speed, height, depth;
} k_weight = {0.1, 0.2, 0.5, 0.1};

/* Published as e^x / (e^x + 2), which is 1/3, not 1/2, at 0: a logistic function, moved by the
 * logarithm of 2. */
static double score(double x)
{
    return mf_logistic(x - 0.69314718055994531);
}

/* ---- measured */

/* Interval of an axis: the indices of its ends, and the share of the way from the first to the
 * second. */
struct between {
    uint32_t low, high;
    double part;
};

static struct between find(const struct mf_detection_table *t, enum mf_detection_axis axis,
                           double x)
{
    const double *value = t->value[axis];
    const uint32_t last = t->count[axis] - 1u;
    uint32_t i = 0;
    if (x <= value[0]) {
        return (struct between){0, 0, 0.0};
    }
    if (x >= value[last]) {
        return (struct between){last, last, 0.0};
    }
    while (x >= value[i + 1u]) {
        i++;
    }
    return (struct between){i, i + 1u, (x - value[i]) / (value[i + 1u] - value[i])};
}

static double mix(double a, double b, double part)
{
    return a + (b - a) * part;
}

static double measured(const struct mf_detection_table *t, const double *rate,
                       const struct mf_detection_view *v)
{
    const struct between h = find(t, MF_DETECTION_HEIGHT, v->height_m);
    const struct between s = find(t, MF_DETECTION_SPEED, v->speed_mps);
    const struct between p = find(t, MF_DETECTION_PLACE, v->away_m / v->corner_m);
    const uint32_t speeds = t->count[MF_DETECTION_SPEED], places = t->count[MF_DETECTION_PLACE];
    double at_height[2];
    for (int i = 0; i < 2; i++) {
        const uint32_t row = (i == 0 ? h.low : h.high) * speeds;
        const double *slow = rate + (size_t)(row + s.low) * places;
        const double *fast = rate + (size_t)(row + s.high) * places;
        at_height[i] = mix(mix(slow[p.low], slow[p.high], p.part),
                           mix(fast[p.low], fast[p.high], p.part), s.part);
    }
    return mix(at_height[0], at_height[1], h.part);
}

double mf_detection_probability(const struct mf_detection_model *m,
                                const struct mf_detection_view *v, bool sought)
{
    MF_ASSERT(v->height_m > 0.0 && v->corner_m > 0.0);
    if (m->table != NULL) {
        return sought ? measured(m->table, m->table->recall, v) * m->seen
                      : measured(m->table, m->table->false_alarm, v);
    }
    const double angle = mf_atan2(v->away_m, v->height_m) / mf_atan2(v->corner_m, v->height_m);
    const double clear = k_weight.angle * angle +
                         k_weight.speed * score(STEEPNESS * (SPEED_BALANCE - v->speed_mps)) +
                         k_weight.height * score(STEEPNESS * (m->balance_m - v->height_m)) +
                         k_weight.depth * score(STEEPNESS * (v->depth_m - DEPTH_BALANCE));
    return sought ? clear * BEST * m->seen : (1.0 - clear) * BEST * m->mistaken;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/detection.h"

#include "hal/assert.h"
#include "math/trig.h"
#include "world/decay.h"

#define BEST          0.95
#define STEEPNESS     5.0 /* of a score, per m or m/s */
#define SPEED_BALANCE 30.0
#define DEPTH_BALANCE (-5.0)

static const struct {
    double angle, speed, height, depth;
} k_weight = {0.1, 0.2, 0.5, 0.1};

/* e^x / (e^x + 2), as published: a third, not a half, at 0. It is a logistic function, moved by
 * the logarithm of 2. */
static double score(double x)
{
    return mf_logistic(x - 0.69314718055994531);
}

double mf_detection_probability(const struct mf_detection_model *m,
                                const struct mf_detection_view *v, bool sought)
{
    MF_ASSERT(v->height_m > 0.0 && v->corner_m > 0.0);
    const double angle = mf_atan2(v->away_m, v->height_m) / mf_atan2(v->corner_m, v->height_m);
    const double clear = k_weight.angle * angle +
                         k_weight.speed * score(STEEPNESS * (SPEED_BALANCE - v->speed_mps)) +
                         k_weight.height * score(STEEPNESS * (m->balance_m - v->height_m)) +
                         k_weight.depth * score(STEEPNESS * (v->depth_m - DEPTH_BALANCE));
    return sought ? clear * BEST * m->seen : (1.0 - clear) * BEST * m->mistaken;
}

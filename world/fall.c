/* SPDX-License-Identifier: Apache-2.0 */
#include "world/fall.h"

#include "math/trig.h"
#include "world/airframe_leg.h"
#include "world/decay.h"

struct mf_motion mf_fall_at(double drag_per_s, double t_s)
{
    MF_ASSERT(drag_per_s >= 0.0 && t_s >= 0.0);
    const double x = drag_per_s * t_s;
    const double left = mf_decay(x); /* share of the initial acceleration that is left */
    struct mf_motion m = {
        .a_mps2 = MF_GRAVITY_MPS2 * left,
        .j_mps3 = -MF_GRAVITY_MPS2 * drag_per_s * left,
    };
    if (x < 1.0) {
        m.v_mps = MF_GRAVITY_MPS2 * t_s * (1.0 - x * mf_decay_bend(x));
        m.x_m = MF_GRAVITY_MPS2 * t_s * t_s * mf_decay_bend(x);
    } else {
        m.v_mps = MF_GRAVITY_MPS2 / drag_per_s * (1.0 - left);
        m.x_m = (MF_GRAVITY_MPS2 * t_s - m.v_mps) / drag_per_s;
    }
    return m;
}

/* Find the duration by bisection over whole microseconds, so that it agrees with mf_fall_at() to
 * the last bit. It is at least that of free fall, and at most that at the final speed plus 1 /
 * drag. */
mf_us_t mf_fall_us(double drag_per_s, double height_m)
{
    MF_ASSERT(drag_per_s >= 0.0 && height_m >= 0.0);
    const double free_s = mf_sqrt(2.0 * height_m / MF_GRAVITY_MPS2);
    const double last_s =
        drag_per_s > 0.0
            ? mf_larger(height_m * drag_per_s / MF_GRAVITY_MPS2 + 1.0 / drag_per_s, free_s)
            : free_s;
    mf_us_t above_us = -1;
    mf_us_t below_us = mf_ceil_us(mf_smaller(last_s * 1e6, DURATION_MAX_US)) + 1;
    while (below_us - above_us > 1) {
        const mf_us_t middle_us = above_us + (below_us - above_us) / 2;
        if (mf_fall_at(drag_per_s, (double)middle_us * 1e-6).x_m >= height_m) {
            below_us = middle_us;
        } else {
            above_us = middle_us;
        }
    }
    return below_us;
}

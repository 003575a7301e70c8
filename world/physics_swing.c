/* SPDX-License-Identifier: Apache-2.0 */
/* Second-order response at the end of a way. Called by world/profile, world/physics_way and
 * world/airframe_physics. */
#include "world/physics_swing.h"

#include "math/trig.h"
#include "world/decay.h"

#define REST_MPS  0.01 /* speed below which a body counts as resting: one step of MAVLink's */
#define MARKS_MAX 1000u

double mf_swing_mark_s(const struct mf_swing *swing, unsigned number)
{
    const unsigned half_turns = number / 2u + 1u;
    const double before = number % 2u == 0u ? 2.0 : 1.0;
    const double theta_rad = MF_PI * (double)half_turns - before * swing->phase_rad;
    return theta_rad / (swing->rate_rps * mf_sin(swing->phase_rad));
}

/* Greatest speed from an instant on. */
static double envelope_mps(const struct mf_swing *swing, double t_s)
{
    return swing->v_mps / mf_sin(swing->phase_rad) *
           mf_decay(swing->damping * swing->rate_rps * t_s);
}

struct mf_swing mf_swing(double v_mps, double damping, double acc_mps2, double jerk_mps3)
{
    struct mf_swing s = {.v_mps = v_mps, .damping = damping};
    MF_ASSERT(damping > 0.0 && damping < 1.0 && acc_mps2 > 0.0 && jerk_mps3 > 0.0);
    if (!(v_mps > 0.0)) {
        return (struct mf_swing){0};
    }
    s.phase_rad = mf_atan2(mf_sqrt(1.0 - damping * damping), damping);
    const double share = mf_decay(s.phase_rad / mf_tan(s.phase_rad));
    s.rate_rps = mf_smaller(acc_mps2 / (v_mps * share), mf_sqrt(jerk_mps3 / v_mps));
    for (unsigned mark = 0u; mark < MARKS_MAX; mark += 2u) {
        s.duration_s = mf_swing_mark_s(&s, mark);
        if (envelope_mps(&s, s.duration_s) <= REST_MPS) {
            break;
        }
    }
    return s;
}

double mf_swing_way_m(const struct mf_swing *swing)
{
    return swing->v_mps > 0.0 ? 2.0 * swing->damping * swing->v_mps / swing->rate_rps : 0.0;
}

/* Each derivative is the one before times -w, and phi earlier. */
struct mf_motion mf_swing_at(const struct mf_swing *swing, double t_s)
{
    const double w = swing->rate_rps;
    const double phi = swing->phase_rad;
    const double theta = w * mf_sin(phi) * t_s;
    const double v = envelope_mps(swing, t_s);
    return (struct mf_motion){
        .x_m = -v / w * mf_sin(theta + 2.0 * phi),
        .v_mps = v * mf_sin(theta + phi),
        .a_mps2 = -v * w * mf_sin(theta),
        .j_mps3 = v * w * w * mf_sin(theta - phi),
    };
}

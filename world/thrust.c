/* SPDX-License-Identifier: Apache-2.0 */
/* Roll and pitch from a thrust. Called by world/wind and airframe_physics. */
#include "world/thrust.h"

#include "math/trig.h"

#define UP_MIN_MPS2 1.0

void mf_thrust_hold_up(struct mf_thrust *thrust)
{
    MF_ASSERT(thrust != NULL);
    if (!(thrust->up > UP_MIN_MPS2)) {
        thrust->up = UP_MIN_MPS2;
        thrust->up_per_s = 0.0;
    }
}

struct mf_thrust mf_thrust_of(const double v_mps[3], const double a_mps2[3], const double j_mps3[3],
                              const struct mf_motion *yaw, double drag_per_s)
{
    double force[3], force_per_s[3]; /* north, east, up, without gravity */
    for (size_t i = 0; i < 3; i++) {
        force[i] = a_mps2[i] + drag_per_s * v_mps[i];
        force_per_s[i] = j_mps3[i] + drag_per_s * a_mps2[i];
    }
    const double c = mf_cos(yaw->x_m);
    const double d = mf_sin(yaw->x_m);
    struct mf_thrust t = {
        .forward = force[0] * c + force[1] * d,
        .right = force[1] * c - force[0] * d,
        .up = MF_GRAVITY_MPS2 + a_mps2[2] + drag_per_s * v_mps[2],
        .up_per_s = force_per_s[2],
    };
    t.forward_per_s = force_per_s[0] * c + force_per_s[1] * d + yaw->v_mps * t.right;
    t.right_per_s = force_per_s[1] * c - force_per_s[0] * d - yaw->v_mps * t.forward;
    mf_thrust_hold_up(&t);
    return t;
}

/* Limit the horizontal part to the greatest tilt. */
static struct mf_thrust limited(const struct mf_thrust *t, double tan_max)
{
    const double limit = t->up * tan_max;
    const double wanted = mf_length2(t->forward, t->right);
    struct mf_thrust held = *t;
    if (wanted > limit) {
        const double wanted_per_s =
            (t->forward * t->forward_per_s + t->right * t->right_per_s) / wanted;
        const double part = limit / wanted;
        const double part_per_s = (t->up_per_s * tan_max - part * wanted_per_s) / wanted;
        held.forward = part * t->forward;
        held.right = part * t->right;
        held.forward_per_s = part * t->forward_per_s + part_per_s * t->forward;
        held.right_per_s = part * t->right_per_s + part_per_s * t->right;
    }
    return held;
}

/* Rate of change of the angle of the vector (x, y). */
static double turns_rps(double y, double x, double y_per_s, double x_per_s)
{
    return (y_per_s * x - y * x_per_s) / (x * x + y * y);
}

void mf_thrust_point(const struct mf_thrust *thrust, double tan_max, struct mf_pose *pose)
{
    MF_ASSERT(thrust != NULL && pose != NULL && thrust->up > 0.0);
    const struct mf_thrust t = limited(thrust, tan_max);
    const double level = mf_length2(t.forward, t.up);
    const double level_per_s = (t.forward * t.forward_per_s + t.up * t.up_per_s) / level;
    pose->pitch_rad = (float)mf_atan2(-t.forward, t.up);
    pose->roll_rad = (float)mf_atan2(t.right, level);
    pose->pitchspeed_rps = (float)turns_rps(-t.forward, t.up, -t.forward_per_s, t.up_per_s);
    pose->rollspeed_rps = (float)turns_rps(t.right, level, t.right_per_s, level_per_s);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "math/attitude.h"

#include "hal/assert.h"
#include "math/trig.h"

void mf_attitude_to_body(const double rpy[3], const double ned[3], double frd[3])
{
    const double sr = mf_sin(rpy[0]), cr = mf_cos(rpy[0]);
    const double sp = mf_sin(rpy[1]), cp = mf_cos(rpy[1]);
    const double sy = mf_sin(rpy[2]), cy = mf_cos(rpy[2]);
    MF_ASSERT(ned != frd);
    const double ahead = cy * ned[0] + sy * ned[1]; /* level, along the heading */
    const double right = cy * ned[1] - sy * ned[0];
    const double below = sp * ahead + cp * ned[2];
    frd[0] = cp * ahead - sp * ned[2];
    frd[1] = cr * right + sr * below;
    frd[2] = cr * below - sr * right;
}

/* Yaw turns about the vertical, pitch about a level axis to the right, roll about the
 * body's own. */
void mf_attitude_rates(const double rpy[3], const double rpy_per_s[3], double frd_rps[3])
{
    MF_ASSERT(rpy != frd_rps && rpy_per_s != frd_rps);
    frd_rps[0] = frd_rps[1] = frd_rps[2] = 0.0;
    if (rpy_per_s[2] != 0.0) {
        const double down_rps[3] = {0.0, 0.0, rpy_per_s[2]};
        mf_attitude_to_body(rpy, down_rps, frd_rps);
    }
    if (rpy_per_s[0] != 0.0 || rpy_per_s[1] != 0.0) { /* which a zero's sign survives */
        frd_rps[0] += rpy_per_s[0];
        frd_rps[1] += rpy_per_s[1] * mf_cos(rpy[0]);
        frd_rps[2] -= rpy_per_s[1] * mf_sin(rpy[0]);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/core/rotation.h"

#include "math/trig.h"

void mf_quaternion(double roll_rad, double pitch_rad, double yaw_rad, float q[4])
{
    /* half angles: a quaternion turns by twice its own angle */
    const double sr = mf_sin(roll_rad * 0.5), cr = mf_cos(roll_rad * 0.5);
    const double sp = mf_sin(pitch_rad * 0.5), cp = mf_cos(pitch_rad * 0.5);
    const double sy = mf_sin(yaw_rad * 0.5), cy = mf_cos(yaw_rad * 0.5);
    MF_ASSERT(sp == sp && sy == sy); /* angles are numbers */
    q[0] = (float)(cr * cp * cy + sr * sp * sy);
    q[1] = (float)(sr * cp * cy - cr * sp * sy);
    q[2] = (float)(cr * sp * cy + sr * cp * sy);
    q[3] = (float)(cr * cp * sy - sr * sp * cy);
}

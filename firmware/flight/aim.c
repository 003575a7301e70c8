/* SPDX-License-Identifier: Apache-2.0 */
/* Targets and aims in which all is unset, for the navigator, setpoints and commands. Unset values
 * are not-a-number: it fails every comparison, so that an unset value cannot be flown to by
 * mistake. */
#include "firmware/flight/navigator.h"
#include "math/trig.h"

struct mf_target mf_target_none(void)
{
    const float none = __builtin_nanf("");
    return (struct mf_target){(double)none, (double)none, (double)none, none, none};
}

bool mf_target_is_none(const struct mf_target *to)
{
    return !mf_finite(to->lat_deg) && !mf_finite(to->alt_amsl_m) && !mf_finite((double)to->yaw_rad);
}

struct mf_aim mf_aim_none(void)
{
    const float none = __builtin_nanf("");
    return (struct mf_aim){.lat_deg = (double)none,
                           .lon_deg = (double)none,
                           .alt_amsl_m = (double)none,
                           .vel_ned_mps = {none, none, none},
                           .yaw_rad = none,
                           .spin_rps = none};
}

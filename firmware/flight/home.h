/* SPDX-License-Identifier: Apache-2.0 */
/** Home: where the vehicle returns to. */
#ifndef MF_FIRMWARE_HOME_H
#define MF_FIRMWARE_HOME_H

#include "firmware/state/home.h"
#include "hal/types.h"
#include "math/geodesic.h"

struct mf_vehicle;

/** @brief An altitude above the take-off point [m]. The vehicle cannot leave it before home is
 * known: until then zero. A fault that hides home takes nothing away from it. */
static inline double mf_home_relative_m(const struct mf_home *home, double alt_amsl_m)
{
    return home->valid || home->hidden ? alt_amsl_m - home->takeoff_amsl_m : 0.0;
}

/** @brief Home is there from now on. @param there  finite; its flags and times do not count, but
 * manual
 * @param hidden  by a fault, which is known to have taken it away */
void mf_home_put(struct mf_home *home, const struct mf_home *there, bool hidden, mf_us_t now_us);

/** @brief A fault takes home away, or gives it back; without a home nothing changes. */
void mf_home_hide(struct mf_home *home, bool hide);

/** @brief The zero of relative altitude [m AMSL]. */
void mf_home_take_off_at(struct mf_home *home, double alt_amsl_m);

/* Of a vehicle (home_act.c): everybody is told, and the fence looks again. */

/** @brief Set home. @param manual  by a user @return MF_E_OK; MF_E_AGAIN without a position */
int mf_commander_home_here(struct mf_vehicle *v, mf_us_t now_us, bool manual);

/** @brief Set home by a user, to any place. @param yaw_rad  NAN: north
 * @return MF_E_OK; MF_E_DENIED: no such place or altitude, or no model of the geoid covers it */
int mf_commander_home_at(struct mf_vehicle *v, mf_us_t now_us, struct mf_geo place,
                         double alt_amsl_m, float yaw_rad);

/** @brief A fault takes home away, or gives it back; one that was set meanwhile is there
 * then, too. */
void mf_commander_hide_home(struct mf_vehicle *v, mf_us_t now_us, bool hide);

/** @brief Disarmed on the ground: with PX4's rules home is here, unless a user set it or it is
 * near. */
void mf_home_landed(struct mf_vehicle *v, mf_us_t now_us);

/** @brief At the place of take-off: home, unless a user set that, and the zero of relative
 * altitude, which PX4 has at home. */
void mf_home_take_off(struct mf_vehicle *v, mf_us_t now_us);

#endif

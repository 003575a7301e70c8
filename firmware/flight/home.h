/* SPDX-License-Identifier: Apache-2.0 */
/** Home: the position to which the vehicle returns. */
#ifndef MF_FIRMWARE_HOME_H
#define MF_FIRMWARE_HOME_H

#include "firmware/state/home.h"
#include "hal/types.h"
#include "math/geodesic.h"

struct mf_vehicle;

/** @brief Convert an altitude to one above the take-off point [m]; 0 before home is known, until
 * when the vehicle cannot take off. A hidden home still counts here. */
static inline double mf_home_relative_m(const struct mf_home *home, double alt_amsl_m)
{
    return home->valid || home->hidden ? alt_amsl_m - home->takeoff_amsl_m : 0.0;
}

/** @brief Set home. @param there  finite; only its place and its flag manual are used
 * @param hidden  true: a fault hides home, as it is known to */
void mf_home_put(struct mf_home *home, const struct mf_home *there, bool hidden, mf_us_t now_us);

/** @brief Hide home because of a fault, or show it again; without a home nothing changes. */
void mf_home_hide(struct mf_home *home, bool hide);

/** @brief Set the zero of relative altitude [m AMSL]. */
void mf_home_take_off_at(struct mf_home *home, double alt_amsl_m);

/* Functions of a vehicle (home_act.c): they send HOME_POSITION, and let the fence check again. */

/** @brief Set home to the present place. @param manual  by a user @return MF_E_OK; MF_E_AGAIN
 * without a position */
int mf_commander_home_here(struct mf_vehicle *v, mf_us_t now_us, bool manual);

/** @brief Set home to a place that a user chooses.
 * @return MF_E_OK; MF_E_DENIED: invalid place or altitude, or a place without a model of the
 * geoid */
int mf_commander_home_at(struct mf_vehicle *v, mf_us_t now_us, struct mf_geo place,
                         double alt_amsl_m, float yaw_rad);

/** @brief Hide home because of a fault, or show it again, also if it was set meanwhile. */
void mf_commander_hide_home(struct mf_vehicle *v, mf_us_t now_us, bool hide);

/** @brief Set home to the present place after disarming on the ground, as PX4 does, unless a user
 * set it or it is near. */
void mf_home_landed(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Set home to the place of take-off, unless a user set it, and the zero of relative
 * altitude, which PX4 has at home. */
void mf_home_take_off(struct mf_vehicle *v, mf_us_t now_us);

#endif

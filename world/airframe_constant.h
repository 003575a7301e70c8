/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Airframe that flies at constant speed: straight segments, without ramps unless the caller sets an
 * acceleration. The body is level, except for the tilt that a leg of velocity asks for. It
 * implements hal/airframe.h in closed form and knows the instant of every event to the microsecond.
 *
 * A leg is a geodesic on WGS84 along which altitude changes in proportion to the distance
 * travelled. The slower of the horizontal and the vertical axis sets its duration, rounded up to
 * whole microseconds; from the instant of arrival on the body stands at the target, bit for bit,
 * with zero speed. Horizontal distances and speeds are those on the ellipsoid.
 *
 * - With an acceleration, each leg begins and ends with a ramp, from and to a standstill; a new
 *   plan also begins at a standstill. Off by default.
 * - Only legs[0] moves this body; plan() checks the later legs like it, for bodies that round
 *   corners. If there are later legs, the sample at the very instant of arrival above ground
 *   carries the velocity of the leg that ends there.
 * - A land leg descends vertically at the present place, whatever its target.
 * - A leg of velocity begins and continues with that velocity, without ramps, along the geodesic
 *   in its direction, until the ground, 19,900 km, 100,000 km of climb or 30 years; there the body
 *   stands.
 * - The ground is flat, and a leg whose target lies below it ends where it meets it. With terrain
 *   a target below the ground counts as on it. Elsewhere than at its end, a way through a hill
 *   follows the surface, without vertical speed; a velocity that leads down ends where it meets the
 *   ground.
 * - Yaw turns the short way while the body moves, or spins; turn() changes only that. Touchdown
 *   ends an incomplete turn.
 * - Motors off in the air: the body drops from rest. Motors on again: it stops and holds.
 * - plan() refuses a body that is not armed with MF_E_DENIED, and with MF_E_RANGE targets farther
 *   than 19,900 km, latitudes beyond 90 and longitudes beyond 180 deg, values that are not finite,
 *   speeds not above zero, and legs or turns that last longer than 30 years.
 * - next(): without a leg, ARRIVED, DISTANCE and YAW never happen, nor the former two with a
 *   velocity, nor YAW with a spin; TOUCHDOWN is the first instant at rest on the ground, so the
 *   present one for a body that rests there; a radius counts only for a leg that begins outside it.
 */
#ifndef MF_WORLD_AIRFRAME_CONSTANT_H
#define MF_WORLD_AIRFRAME_CONSTANT_H

#include "hal/airframe.h"
#include "math/geodesic.h"

/** A body, and its motion from start_us on. The caller allocates it; its fields are private. */
struct mf_airframe_constant {
    struct mf_geo_ray ray;      /**< path over ground; only its start is set if path_m is 0 */
    struct mf_geo end;          /**< end of the path */
    double alt_from_m;          /**< AMSL, at start_us */
    double alt_to_m;            /**< AMSL, at the end */
    double ground_amsl_m;       /**< AMSL of the ground on which it comes to rest */
    double flat_amsl_m;         /**< AMSL of the ground outside all terrain */
    struct mf_terrain *terrain; /**< NULL: the ground is flat everywhere */
    double path_m;              /**< horizontal length of the path */
    double target_m; /**< horizontal distance from the start to the leg's target; at least path_m */
    double duration_us; /**< exact, before rounding up */
    double ramp_us;     /**< duration of the ramp at each end of the path; 0: without ramps */
    mf_us_t start_us;
    mf_us_t arrive_us; /**< arrival at the end, at rest */
    mf_us_t turn_us;   /**< start of the turn */
    mf_us_t turned_us; /**< end of the turn; MF_NEVER: spins */
    float yaw_from_rad;
    float yaw_to_rad;
    float yaw_rate_rps; /**< positive: clockwise seen from above */
    float roll_rad;     /**< tilt in the air */
    float pitch_rad;
    float radius_m;
    float accel_mps2; /**< acceleration of the ramps, along the path; 0: without ramps */
    bool armed;
    bool falling;
    bool has_leg;
    bool leads_on;   /**< another leg follows the present one */
    bool has_target; /**< the leg has a target, not a velocity */
    bool audited;    /**< a leg ends one step beyond its target, with its speed */
};

_Static_assert(sizeof(struct mf_airframe_constant) <= 272, "RAM budget: one body");

/** @brief Put a body on the ground, disarmed, at vehicle time 0.
 * @param alt_amsl_m  altitude of the place, and so of the flat ground  @param yaw_rad
 * yaw
 * <= 1e6 */
void mf_airframe_constant_init(struct mf_airframe_constant *body, double lat_deg, double lon_deg,
                               double alt_amsl_m, float yaw_rad);

/** @brief Set the acceleration of ramps, from the next plan on. @param accel_mps2  >= 0.001 along
 * the path, or 0: without ramps */
void mf_airframe_constant_set_accel(struct mf_airframe_constant *body, float accel_mps2);

/** @brief Let legs in the air end as in a simulation by steps, from now on: without ramps the body
 * flies 20 ms beyond the target, and the sample at the instant of the arrival carries its speed.
 * @param on  false is the default */
void mf_airframe_constant_set_audit(struct mf_airframe_constant *body, bool on);

/** @brief Use terrain at once: the body stands on it. Outside all terrain, the ground is as high as
 * at init. @param terrain  must outlive the body; NULL: flat */
void mf_airframe_constant_set_terrain(struct mf_airframe_constant *body,
                                      struct mf_terrain *terrain);

/** Operations; their context is the body. sample() takes about 0.2 us, plan() about 1 us. */
extern const struct mf_airframe_ops mf_airframe_constant_ops;

#endif

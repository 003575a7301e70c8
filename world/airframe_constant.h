/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The airframe that flies at constant speed: straight segments, and no ramps unless they are
 * switched on. It is level, but for the tilt that a leg of velocity asks for. It implements
 * hal/airframe.h in closed form and knows the instant of every event to the microsecond.
 *
 * A leg is a geodesic on WGS84 along which altitude changes in proportion to the distance
 * travelled. The slower of the horizontal and the vertical axis sets its duration, rounded up to
 * whole microseconds; from the instant of arrival on the body stands at the target, bit for bit,
 * with no speed. Horizontal distances and speeds are those on the ellipsoid.
 *
 * - With an acceleration, each leg begins and ends with a ramp, from and to a standstill; a new
 *   plan still begins at a standstill. Off by default.
 * - Only legs[0] moves this body; the legs after it are checked like it and serve bodies that round
 *   corners. With one, the sample at the very instant of arrival above ground carries the velocity
 *   of the leg that ends there.
 * - A land leg descends vertically where the body is, whatever its target.
 * - A leg of velocity begins and goes on with that velocity, without ramps, along the geodesic in
 *   its direction, until the ground, 19,900 km, 100,000 km of climb or 30 years; there it stands.
 * - The ground is flat, and a leg whose target lies below it ends where it meets it. With terrain a
 *   target below the ground counts as on it. Elsewhere than at its end, a way through a hill
 *   follows the surface, without vertical speed; one of velocity that leads down ends where it
 *   meets the ground.
 * - Yaw turns the short way while the body moves, or spins; turn() changes only that. A turn that
 *   is not complete at touchdown ends there.
 * - Motors off in the air: the body drops from rest. Motors on again: it stops and holds.
 * - plan() refuses a body that is not armed with MF_E_DENIED, and with MF_E_RANGE targets farther
 *   than 19,900 km, latitudes beyond 90 and longitudes beyond 180 deg, values that are not finite,
 *   speeds not above zero, and legs or turns that last longer than 30 years.
 * - next(): without a leg, ARRIVED, DISTANCE and YAW never come, nor the former two with a
 *   velocity, nor YAW with a spin; TOUCHDOWN is the first instant at rest on the ground, hence at
 *   once for a body that rests there; a radius counts only for a leg that begins outside it.
 */
#ifndef MF_WORLD_AIRFRAME_CONSTANT_H
#define MF_WORLD_AIRFRAME_CONSTANT_H

#include "hal/airframe.h"
#include "math/geodesic.h"

/** One body: how it moves from start_us on. The caller allocates it; its fields are private. */
struct mf_airframe_constant {
    struct mf_geo_ray ray; /**< the path over ground; only its start is set where path_m is 0 */
    struct mf_geo end;     /**< where the path ends */
    double alt_from_m;     /**< AMSL, at start_us */
    double alt_to_m;       /**< AMSL, at the end */
    double ground_amsl_m;  /**< where it comes to rest */
    double flat_amsl_m;    /**< of the ground where none is known */
    struct mf_terrain *terrain; /**< NULL: flat everywhere */
    double path_m;              /**< horizontal length of the path */
    double target_m;    /**< horizontal, from the start to the leg's target; at least path_m */
    double duration_us; /**< exact, before rounding up */
    double ramp_us;     /**< at each end of the path; 0: none */
    mf_us_t start_us;
    mf_us_t arrive_us; /**< at the end, at rest */
    mf_us_t turn_us;   /**< the turn begins */
    mf_us_t turned_us; /**< turn complete; MF_NEVER: spins */
    float yaw_from_rad;
    float yaw_to_rad;
    float yaw_rate_rps; /**< positive: clockwise seen from above */
    float roll_rad;     /**< in the air */
    float pitch_rad;
    float radius_m;
    float accel_mps2; /**< of the ramps, along the path; 0: none */
    bool armed;
    bool falling;
    bool has_leg;
    bool leads_on;   /**< another leg follows the one that is flown */
    bool has_target; /**< the leg leads somewhere: it is no velocity */
    bool audited;    /**< a leg ends a step beyond its target, with its speed */
};

_Static_assert(sizeof(struct mf_airframe_constant) <= 272, "RAM budget: one body");

/** @brief Put a body on the ground, disarmed, at vehicle time 0.
 *  @param alt_amsl_m  of the place, and so of the flat ground  @param yaw_rad  |yaw| <= 1e6 */
void mf_airframe_constant_init(struct mf_airframe_constant *body, double lat_deg, double lon_deg,
                               double alt_amsl_m, float yaw_rad);

/** @brief Ramps, from the next plan on. @param accel_mps2  >= 0.001 along the path, or 0: none */
void mf_airframe_constant_set_accel(struct mf_airframe_constant *body, float accel_mps2);

/** @brief From now on a leg in the air ends as in a simulation by steps: without ramps it flies
 * 20 ms beyond the target, and the sample at the instant of the arrival carries its speed.
 *  @param on  false is the default */
void mf_airframe_constant_set_audit(struct mf_airframe_constant *body, bool on);

/** @brief Ground that is not flat, at once: the body stands on it. Where it is not
 * known, the ground is as high as at init. @param terrain  stays; NULL: flat */
void mf_airframe_constant_set_terrain(struct mf_airframe_constant *body,
                                      struct mf_terrain *terrain);

/** The contract; the context is the body. sample() takes about 0.2 us, plan() about 1 us. */
extern const struct mf_airframe_ops mf_airframe_constant_ops;

#endif

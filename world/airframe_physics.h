/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Airframe with limits of velocity, acceleration and jerk: it flies as a PX4 does in its own
 * simulator (SIH), in closed form. It implements hal/airframe.h and knows the instant of every
 * event to the microsecond.
 *
 * A plan begins in the present state of the body; position, velocity and acceleration do not jump.
 * First the transition: horizontal acceleration decreases to 0, then the horizontal velocity turns
 * along a straight line in velocity space; the vertical velocity changes at the same time. Then the
 * run: a straight path to the target, in the azimuthal plane at the place where the plan began,
 * along which one profile (profile.h) moves all three axes. Horizontal acceleration and speed are
 * vectors of limited length. If the target is too near to brake in front of it, the body brakes
 * first and returns. From the instant of arrival on it stands at the target, bit for bit, without
 * velocity and acceleration. With limits.damping up to 0.9 it swings into the target instead of
 * braking before it (physics_swing.h): it overshoots, and rests when the swing has ended. Stops
 * that no target asks for, corners and landings do not swing, nor does a descent whose swing would
 * reach the ground at the target.
 *
 * - The body flies legs[0]; legs[1] determines the speed at its end: if legs[0] has a radius and
 *   a leg that does not land follows, the body has ARRIVED with the speed at which PX4 flies the
 *   corner, and expects a new plan there. Without a new plan it stops at the target, or, if it is
 *   too fast for that, straight behind it.
 * - ARRIVED with a radius: within it, and within limits.alt_radius_m of the altitude. Without: at
 *   rest at the target.
 * - A leg of velocity is a transition to that velocity, reduced to the limits, which then stays
 *   the same until the ground or as far as the constant airframe flies (airframe_constant.h), where
 *   it ends abruptly. From the ground it starts without waiting.
 * - From rest on the ground upwards: the body waits, then climbs at limits.takeoff_mps up to
 *   limits.land_alt1_m. A land leg descends where the body stops, whatever its target; a body that
 *   was about to come to rest at a target that counts as reached lands there. It is slower near the
 *   ground, and touches it with zero speed.
 * - The ground is flat and never above the body: a target below it is replaced by the place where
 *   the way there meets it; a body that lacks the room to brake slides on it. With terrain a target
 *   below the ground counts as on it, and a way through a hill slides on it.
 * - Yaw turns the short way, with limited rate and acceleration, or up to a spin; turn() changes
 *   only that. Touchdown ends a turn.
 * - Roll and pitch point the thrust: acceleration, drag and gravity. Their derivatives follow
 *   from the jerk; the turn of north along the way is neglected (2e-6 rad/s outside the polar
 *   regions).
 * - Motors off in the air: the body drops from rest, against its drag. Motors on again: it stops
 *   and holds.
 * - Speeds above a limit that was lowered meanwhile are reduced within the other limits.
 * - plan() refuses the same plans as the constant airframe (airframe_constant.h).
 * - next(): without a leg, ARRIVED, DISTANCE and YAW never happen, nor the former two with a
 *   velocity, nor YAW with a spin; TOUCHDOWN is the first instant at rest on the ground. During the
 *   transition, conditions that hold for less than a few milliseconds may be missed.
 */
#ifndef MF_WORLD_AIRFRAME_PHYSICS_H
#define MF_WORLD_AIRFRAME_PHYSICS_H

#include "hal/airframe.h"
#include "math/geodesic.h"
#include "world/physics_way.h"

/** Motion of a body from start_us on. */
struct mf_physics_course {
    struct mf_physics_limits limits;
    struct mf_geo origin;       /**< start of the way, which lies in the azimuthal plane there */
    struct mf_way way;          /**< metres and seconds from origin and start_us */
    struct mf_profile yaw;      /**< [rad] */
    double target_m[3];         /**< x, y, AMSL */
    struct mf_geo end;          /**< place of rest */
    double end_alt_m;           /**< AMSL */
    double ground_amsl_m;       /**< AMSL of the ground on which it comes to rest */
    double flat_amsl_m;         /**< AMSL of the ground outside all terrain */
    struct mf_terrain *terrain; /**< NULL: the ground is flat everywhere */
    double yaw_to_rad;          /**< at the end of the turn */
    double speed_max_mps;       /**< bound for the transition, all axes together */
    mf_us_t start_us;
    mf_us_t spool_us;   /**< start of the wait on the ground before a lift-off */
    mf_us_t lift_us;    /**< lift-off of a course that began on the ground */
    mf_us_t settle_us;  /**< end of the transition: from then on only the run moves the body */
    mf_us_t pass_us;    /**< instant nearest to the target */
    mf_us_t arrived_us; /**< first instant within the radius, or at rest */
    mf_us_t arrive_us;  /**< first instant at rest */
    mf_us_t turn_us;    /**< start of the turn */
    mf_us_t turned_us;  /**< end of the turn; MF_NEVER: spins */
    float radius_m;
    float corner_mps; /**< PX4's speed in the corner at the target; 0: stops */
    bool armed;
    bool falling;
    bool has_leg;
    bool has_target; /**< the leg has a target, not a velocity */
    bool nears;      /**< lands at the target of the leg before */
};

_Static_assert(sizeof(struct mf_physics_course) <= 2424, "RAM budget: a body holds two of them");

/** A body. The caller allocates it; its fields are private. */
struct mf_airframe_physics {
    struct mf_physics_course now;
    struct mf_physics_course
        next; /**< scratch: what is refused must leave no trace, and it is too large for a stack */
};

/** @brief Put a body on the ground, disarmed, at vehicle time 0.
 * @param alt_amsl_m  altitude of the place, and so of the flat ground  @param yaw_rad
 * yaw
 * <= 1e6
 * @param limits  copied; must be good */
void mf_airframe_physics_init(struct mf_airframe_physics *body, double lat_deg, double lon_deg,
                              double alt_amsl_m, float yaw_rad,
                              const struct mf_physics_limits *limits);

/** @brief Use terrain at once: the body stands on it. Outside all terrain, the ground is as high as
 * at init. @param terrain  must outlive the body; NULL: flat */
void mf_airframe_physics_set_terrain(struct mf_airframe_physics *body, struct mf_terrain *terrain);

/** @brief Set the limits, from the next plan on. @return MF_E_OK; MF_E_RANGE: refused, unchanged */
int mf_airframe_physics_set_limits(struct mf_airframe_physics *body,
                                   const struct mf_physics_limits *limits);

/** Operations; their context is the body. */
extern const struct mf_airframe_ops mf_airframe_physics_ops;

#endif

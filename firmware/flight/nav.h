/* SPDX-License-Identifier: Apache-2.0 */
/** Parts that the navigator's files share: legs and phases. Only nav_*.c and navigator.c include
 * this header. */
#ifndef MF_FIRMWARE_NAV_H
#define MF_FIRMWARE_NAV_H

#include "firmware/state/nav.h"
#include "firmware/state/navigator.h"
#include "firmware/state/param.h"
#include "firmware/state/state.h"

struct mf_vehicle;

/** @brief Make a leg that stays where the vehicle is, with the present speeds. */
struct mf_leg mf_nav_leg(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Make a leg to the place to which the vehicle was sent, or where it comes to rest. */
struct mf_leg mf_nav_leg_aimed(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Heading towards a place, according to MPC_YAW_MODE. @return [rad], NAN: keep */
float mf_nav_course(struct mf_vehicle *v, mf_us_t t_us, double lat_deg, double lon_deg);

/** @brief Limits of the parameters for a body that obeys them. */
struct mf_physics_limits mf_nav_limits(const struct mf_params *p);

/** @brief Send the airframe on a leg, and enter @p phase. @return false: the airframe refused; the
 * vehicle holds, with a text */
bool mf_nav_fly(struct mf_vehicle *v, mf_us_t t_us, enum mf_nav_phase phase,
                const struct mf_leg *leg);

/** @brief Stop, and stay: hover, or stand on the ground. A body that needs time to stop brakes. */
void mf_nav_stay(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Wait for a time [s]; a time that is not positive ends at once. */
void mf_nav_wait(struct mf_vehicle *v, mf_us_t t_us, double seconds);

/** @brief Descend to the ground at this place. */
void mf_nav_land(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Enter a phase, and set the landed state that follows from it. While the body still moves,
 * the phase is BRAKE instead of IDLE. */
void mf_nav_set_phase(struct mf_vehicle *v, mf_us_t t_us, enum mf_nav_phase phase);

/** @brief Fly to the place of @p aim, with its velocity, or both (nav_steer.c). */
void mf_nav_steer(struct mf_vehicle *v, mf_us_t t_us, const struct mf_aim *aim);

/** @brief Steer again at @p at_us, unless another event makes it do so before. */
void mf_nav_steer_again(struct mf_vehicle *v, mf_us_t at_us);

/* Functions of the modes OFFBOARD, of sticks, ORBIT, FOLLOW (nav_offboard.c, nav_manual.c,
 * nav_orbit.c, nav_follow.c) */
void mf_nav_offboard_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_manual_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_orbit_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_orbit_steer(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_follow_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_follow_steer(struct mf_vehicle *v, mf_us_t t_us);

/* Functions of regions of interest (nav_look.c) */

/** @brief True if a region of interest decides the direction of the front in @p phase. */
bool mf_nav_looks(const struct mf_vehicle *v, enum mf_nav_phase phase);

/** @brief Turn towards the region of interest, and set look_us, the time of the next turn. */
void mf_nav_look(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Time at which the body will be at rest; @p t_us if it is, or if this is unknown. */
mf_us_t mf_nav_rest_us(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Next instant of the grid on which motions that a client requests begin: the timing of
 * clients is not exact, and two runs must still be equal. */
mf_us_t mf_nav_on_grid(const struct mf_vehicle *v, mf_us_t now_us);

/* Functions of mode RTL (nav_return.c) */
void mf_nav_return_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_return_done(struct mf_vehicle *v, mf_us_t t_us);

/* Functions of mode MISSION (nav_mission.c) */
void mf_nav_mission_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_mission_done(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Distance within which the place of the current item counts as reached [m]. */
float mf_nav_mission_radius(const struct mf_vehicle *v);

/** @brief Find the waypoint after the present one, if the mission continues to it without a stop.
 * @param leg  leg to the present one @param onward  out
 * @return true: found */
bool mf_nav_mission_onward(struct mf_vehicle *v, mf_us_t t_us, const struct mf_leg *leg,
                           struct mf_leg *onward);

struct mf_item;

/** @brief True if the vehicle is near its target, which counted as reached, and comes to rest
 * there. */
bool mf_nav_settles(const struct mf_navigator *n);

/** @brief True if a body looks at rest, by its pose. */
bool mf_nav_slow(const struct mf_pose *pose);

/** @brief Altitude of an item by its frame [m AMSL]. @param otherwise_m  result for an item without
 * an altitude */
double mf_nav_amsl_m(const struct mf_vehicle *v, const struct mf_item *item, double otherwise_m);

/** @brief Radius of the circle of an item [m]; positive is clockwise, seen from above. */
double mf_nav_circle_radius_m(const struct mf_params *p, const struct mf_item *item);

/** @brief Bearing of the end of the next chord, seen from the centre [rad]. */
double mf_nav_next_bearing_rad(const struct mf_vehicle *v, const struct mf_item *item);

/** @brief Time until the heading is within MIS_YAW_ERR of the item's heading [s]; 0: it is, or the
 * item's heading does not matter. */
double mf_nav_turn_left_s(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item,
                          const struct mf_leg *leg);

/* Functions of phases (nav_phase.c) */

/** @brief Note that the present plan leads to the target as the present estimate locates it. */
void mf_nav_aimed(struct mf_vehicle *v);

/** @brief Give the airframe one plan, within the present limits. @return as mf_airframe_plan() */
int mf_nav_plan(struct mf_vehicle *v, mf_us_t t_us, const struct mf_leg *legs, size_t n);

/** @brief True if the vehicle stands on the ground, and does not leave it now.
 * @param at_us  out: when that changes; MF_NEVER: it does not, or a phase ends then */
bool mf_nav_stands(struct mf_vehicle *v, mf_us_t t_us, mf_us_t *at_us);

/** @brief Landed state that follows from the phase. */
enum mf_landed mf_nav_landed(struct mf_vehicle *v, mf_us_t t_us);

#endif

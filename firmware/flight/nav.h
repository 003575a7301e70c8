/* SPDX-License-Identifier: Apache-2.0 */
/** What the navigator's files share: legs and phases. Nobody else includes this. */
#ifndef MF_FIRMWARE_NAV_H
#define MF_FIRMWARE_NAV_H

#include "firmware/state/nav.h"
#include "firmware/state/navigator.h"
#include "firmware/state/param.h"
#include "firmware/state/state.h"

struct mf_vehicle;

/** @brief A leg that stays where the vehicle is, with the speeds that hold now. */
struct mf_leg mf_nav_leg(struct mf_vehicle *v, mf_us_t t_us);

/** @brief The same, but to where the vehicle was sent, or comes to rest. */
struct mf_leg mf_nav_leg_aimed(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Heading towards a place, as MPC_YAW_MODE wants it. @return [rad], NAN: keep */
float mf_nav_course(struct mf_vehicle *v, mf_us_t t_us, double lat_deg, double lon_deg);

/** @brief The limits that the parameters set for a body that obeys them. */
struct mf_physics_limits mf_nav_limits(const struct mf_params *p);

/** @brief Send the airframe on a leg and enter @p phase. @return false if it refused: the vehicle
 * holds, with a text */
bool mf_nav_fly(struct mf_vehicle *v, mf_us_t t_us, enum mf_nav_phase phase,
                const struct mf_leg *leg);

/** @brief Stop, and stay: hover, or stand on the ground. A body that needs time for that brakes. */
void mf_nav_stay(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Let time pass, [s]; at once over if not positive. */
void mf_nav_wait(struct mf_vehicle *v, mf_us_t t_us, double seconds);

/** @brief Down to the ground here. */
void mf_nav_land(struct mf_vehicle *v, mf_us_t t_us);

/** @brief Enter a phase; the landed state follows from it. Instead of IDLE it is BRAKE while the
 * body still moves. */
void mf_nav_set_phase(struct mf_vehicle *v, mf_us_t t_us, enum mf_nav_phase phase);

/** @brief Fly as @p aim says: to a place, with a velocity, or both (nav_steer.c). */
void mf_nav_steer(struct mf_vehicle *v, mf_us_t t_us, const struct mf_aim *aim);

/** @brief Steer again at @p at_us, unless something does so before. */
void mf_nav_steer_again(struct mf_vehicle *v, mf_us_t at_us);

/* OFFBOARD, the modes of the sticks, ORBIT, FOLLOW (nav_offboard.c, nav_manual.c, nav_orbit.c,
 * nav_follow.c) */
void mf_nav_offboard_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_manual_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_orbit_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_orbit_steer(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_follow_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_follow_steer(struct mf_vehicle *v, mf_us_t t_us);

/* Regions of interest (nav_look.c) */

/** @brief Does a region of interest decide where the front points to, in @p phase? */
bool mf_nav_looks(const struct mf_vehicle *v, enum mf_nav_phase phase);

/** @brief Turn towards it, and say in look_us when to look again. */
void mf_nav_look(struct mf_vehicle *v, mf_us_t t_us);

/** @brief When the body will be at rest; @p t_us if it is, or nobody knows. */
mf_us_t mf_nav_rest_us(struct mf_vehicle *v, mf_us_t t_us);

/** @brief What a client sets in motion now begins at this instant of the grid: its timing is not
 * exact, and two runs shall share it. */
mf_us_t mf_nav_on_grid(const struct mf_vehicle *v, mf_us_t now_us);

/* RTL (nav_return.c) */
void mf_nav_return_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_return_done(struct mf_vehicle *v, mf_us_t t_us);

/* MISSION (nav_mission.c) */
void mf_nav_mission_start(struct mf_vehicle *v, mf_us_t t_us);
void mf_nav_mission_done(struct mf_vehicle *v, mf_us_t t_us);

/** @brief How near to the current item's place counts as reached [m]. */
float mf_nav_mission_radius(const struct mf_vehicle *v);

/** @brief The waypoint after the present one, if the mission goes on to it without a stop.
 * @param leg  to the present one  @param onward  out
 * @return whether there is one */
bool mf_nav_mission_onward(struct mf_vehicle *v, mf_us_t t_us, const struct mf_leg *leg,
                           struct mf_leg *onward);

struct mf_item;

/** @brief Near its target, which counted as reached, and on its way to rest there? */
bool mf_nav_settles(const struct mf_navigator *n);

/** @brief Is a body at rest, by what can be seen? */
bool mf_nav_slow(const struct mf_pose *pose);

/** @brief Altitude of an item by its frame [m AMSL]. @param otherwise_m  where it has none */
double mf_nav_amsl_m(const struct mf_vehicle *v, const struct mf_item *item, double otherwise_m);

/** @brief Radius of the circle of an item [m]; positive is clockwise, seen from above. */
double mf_nav_circle_radius_m(const struct mf_params *p, const struct mf_item *item);

/** @brief The end of the next chord, seen from the centre [rad]. */
double mf_nav_next_bearing_rad(const struct mf_vehicle *v, const struct mf_item *item);

/** @brief Until the heading is within MIS_YAW_ERR of what the item says [s]; 0: it is, or does not
 * matter. */
double mf_nav_turn_left_s(struct mf_vehicle *v, mf_us_t t_us, const struct mf_item *item,
                          const struct mf_leg *leg);

/* Phases (nav_phase.c) */

/** @brief Whatever is flown now leads to where the present estimate believes the target to be. */
void mf_nav_aimed(struct mf_vehicle *v);

/** @brief One plan, flown within the limits that hold now. @return as mf_airframe_plan() */
int mf_nav_plan(struct mf_vehicle *v, mf_us_t t_us, const struct mf_leg *legs, size_t n);

/** @brief Does it stand on the ground, and does not leave it now?
 * @param at_us  out: when that changes; MF_NEVER: it does not, or a phase ends then */
bool mf_nav_stands(struct mf_vehicle *v, mf_us_t t_us, mf_us_t *at_us);

/** @brief The landed state that follows from the phase. */
enum mf_landed mf_nav_landed(struct mf_vehicle *v, mf_us_t t_us);

#endif

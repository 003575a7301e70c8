/* SPDX-License-Identifier: Apache-2.0 */
/** The navigator: alone commands the airframe. It turns the mode into legs and reports what was
 * reached. */
#ifndef MF_FIRMWARE_NAVIGATOR_H
#define MF_FIRMWARE_NAVIGATOR_H

#include "firmware/state/destination.h"
#include "firmware/state/mode.h"
#include "firmware/state/navigator.h"
#include "firmware/state/param.h"
#include "hal/airframe.h"
#include "math/geodesic.h"

struct mf_vehicle;

/** @brief At boot: nothing is flown, in Hold. */
void mf_navigator_init(struct mf_navigator *n);

/** @brief Begin to fly @p mode at the navigator's next run, or at the next instant of the grid
 * where a user sets the vehicle in motion; what a user stops stops now.
 * @param target  for HOLD and TAKEOFF, mf_target_none() for here; NULL: the vehicle got here by
 * itself, HOLD keeps its leg */
void mf_navigator_begin(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                        const struct mf_target *target);

/** @brief What was begun starts now, not at the next instant of the grid: nobody's timing asked for
 * it. */
void mf_navigator_hurry(struct mf_vehicle *v, mf_us_t now_us);

/** @brief DO_CHANGE_SPEED: from now on, until the mode changes. @param speed_mps  horizontal; <= 0
 * or NAN: as configured */
void mf_navigator_set_speed(struct mf_vehicle *v, mf_us_t now_us, float speed_mps);

/** @brief Turn the front to a region of interest from now on, in Hold and in missions, until the
 * next one, another mission or disarming. */
void mf_navigator_set_roi(struct mf_vehicle *v, mf_us_t now_us, const struct mf_roi *roi);

/** @brief Height of a take-off without an altitude above here [m], MIS_TAKEOFF_ALT. Says it. */
double mf_navigator_takeoff_height(struct mf_vehicle *v);

/** @brief None is looked at any more, from the next phase on. */
void mf_navigator_forget_roi(struct mf_navigator *n);

/** @brief A region of interest of DO_SET_ROI and its relatives. @param param  params 1 to 7
 * @param place  where they name one, or NANs  @return MF_E_OK; MF_E_NOSUPP: no such command;
 * MF_E_DENIED: a kind that does not turn the vehicle, or no place */
int mf_roi_of(uint16_t command, const float param[7], struct mf_geo place, struct mf_roi *roi);

/** @brief The mission, its current item or a parameter of flight changed: fly on with what holds
 * now. */
void mf_navigator_refresh(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Look whether the estimate still is what the plan was made with, and the body where it
 * holds; where not, plan anew a second later. @return when to look again */
mf_us_t mf_navigator_watch(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Motors off: follow the fall to the ground; on the ground there is nothing more to fly. */
void mf_navigator_fall(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Is a leg being flown, or about to be by a body that still stands on the ground? */
bool mf_navigator_flies(const struct mf_vehicle *v);

/** @brief What steers the vehicle in its present mode (setpoints, sticks) changed. */
void mf_navigator_steer(struct mf_vehicle *v, mf_us_t now_us);

/** @brief A circle of DO_ORBIT's parameters within PX4's limits, NAN: as usual. Its place is left
 * open. */
struct mf_orbit mf_orbit_of(const struct mf_params *p, float radius_m, float speed_mps,
                            float yaw_mode);

/** @brief The circle that the mode ORBIT flies when it begins. */
void mf_navigator_set_orbit(struct mf_navigator *n, const struct mf_orbit *orbit);

/** @brief Does somebody steer: a stream, sticks, or a circle without end? Then nothing will happen
 * by itself, and a clock must not run ahead. */
bool mf_navigator_steered(const struct mf_vehicle *v);

/** @brief An aim with nothing given. */
struct mf_aim mf_aim_none(void);

/** @brief A target with nothing given. */
struct mf_target mf_target_none(void);

/** @brief Is nothing given of where to, how high and which way to look? */
bool mf_target_is_none(const struct mf_target *to);

/** @brief Task: what the airframe has reached by @p due_us. @return instant of the next thing it
 * will reach */
mf_us_t mf_navigator_run(struct mf_vehicle *v, mf_us_t due_us);

#endif

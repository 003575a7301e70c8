/* SPDX-License-Identifier: Apache-2.0 */
/** Navigator: it alone commands the airframe. It converts the mode to legs, and reports what they
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

/** @brief Initialize at boot: no leg, in Hold. */
void mf_navigator_init(struct mf_navigator *n);

/** @brief Begin to fly @p mode at the navigator's next run, or at the next instant of the grid if a
 * user sets the vehicle in motion; a stop by a user is immediate.
 * @param target  for HOLD and TAKEOFF, mf_target_none() for the present place; NULL: the vehicle
 * changed the mode itself, and HOLD keeps its leg */
void mf_navigator_begin(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                        const struct mf_target *target);

/** @brief Start now, and not at the next instant of the grid, because the begin does not depend on
 * a client's timing. */
void mf_navigator_hurry(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Set the speed of DO_CHANGE_SPEED until the mode changes. @param speed_mps  horizontal; <=
 * 0 or NAN: as configured */
void mf_navigator_set_speed(struct mf_vehicle *v, mf_us_t now_us, float speed_mps);

/** @brief Turn the front to a region of interest from now on, in Hold and in missions, until the
 * next one, another mission or disarming. */
void mf_navigator_set_roi(struct mf_vehicle *v, mf_us_t now_us, const struct mf_roi *roi);

/** @brief Height of a take-off without an altitude, above the present place [m]: MIS_TAKEOFF_ALT. A
 * text reports it. */
double mf_navigator_takeoff_height(struct mf_vehicle *v);

/** @brief Remove the region of interest, from the next phase on. */
void mf_navigator_forget_roi(struct mf_navigator *n);

/** @brief Read the region of interest of DO_SET_ROI and similar commands. @param param  params 1 to
 * 7
 * @param place  place of the command, or NANs @return MF_E_OK; MF_E_NOSUPP: another command;
 * MF_E_DENIED: a kind that does not turn the vehicle, or without a place */
int mf_roi_of(uint16_t command, const float param[7], struct mf_geo place, struct mf_roi *roi);

/** @brief Fly on with the present values after a change of the mission, its current item or a
 * parameter of flight. */
void mf_navigator_refresh(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Check that the estimate is as in the plan, and the body where it holds; if not, plan
 * again a second later. @return time of the next check */
mf_us_t mf_navigator_watch(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Follow the fall to the ground after a stop of the motors; on the ground the flight
 * ends. */
void mf_navigator_fall(struct mf_vehicle *v, mf_us_t now_us);

/** @brief True if the vehicle flies a leg, or is about to while the body still stands on the
 * ground. */
bool mf_navigator_flies(const struct mf_vehicle *v);

/** @brief Note a change of the setpoints or sticks that steer the vehicle in its present mode. */
void mf_navigator_steer(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Make a circle from the parameters of DO_ORBIT, within PX4's limits; NAN: the default. Its
 * place is not set. */
struct mf_orbit mf_orbit_of(const struct mf_params *p, float radius_m, float speed_mps,
                            float yaw_mode);

/** @brief Set the circle that mode ORBIT flies when it begins. */
void mf_navigator_set_orbit(struct mf_navigator *n, const struct mf_orbit *orbit);

/** @brief True if a stream, sticks or a circle without end steer the vehicle. Such a flight causes
 * no events, so the event clock is not allowed to jump. */
bool mf_navigator_steered(const struct mf_vehicle *v);

/** @brief Make an aim in which all is unset. */
struct mf_aim mf_aim_none(void);

/** @brief Make a target in which all is unset. */
struct mf_target mf_target_none(void);

/** @brief True if place, altitude and heading of a target are unset. */
bool mf_target_is_none(const struct mf_target *to);

/** @brief Task: what the airframe has reached by @p due_us. @return next instant at which it will
 * reach something */
mf_us_t mf_navigator_run(struct mf_vehicle *v, mf_us_t due_us);

#endif

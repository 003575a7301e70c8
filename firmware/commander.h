/* SPDX-License-Identifier: Apache-2.0 */
/** The commander: alone decides whether the vehicle is armed and in which mode it is. */
#ifndef MF_FIRMWARE_COMMANDER_H
#define MF_FIRMWARE_COMMANDER_H

#include "firmware/mode.h"
#include "firmware/navigator.h"

struct mf_vehicle;

/** Values of MAV_LANDED_STATE. */
enum mf_landed {
    MF_LANDED_ON_GROUND = 1,
    MF_LANDED_IN_AIR = 2,
    MF_LANDED_TAKEOFF = 3,
    MF_LANDED_LANDING = 4
};

struct mf_commander {
    uint8_t mode;   /**< enum mf_mode */
    uint8_t landed; /**< enum mf_landed */
    bool armed;
    bool failsafe;       /**< a failsafe, not a user, chose the mode */
    bool took_off;       /**< since arming */
    uint32_t posted;     /**< bits of enum mf_event that wait for the commander's next run */
    mf_us_t armed_us;    /**< vehicle time of arming; 0 while disarmed */
    mf_us_t took_off_us; /**< 0 while not in flight */
    mf_us_t landed_us;   /**< of the last touchdown */
    mf_us_t disarm_us;   /**< automatic disarming is due; MF_NEVER: none */
};

/** The place to return to. */
struct mf_home {
    bool valid;
    bool hidden; /**< by a fault, as long as it lasts: then it is not valid */
    bool manual; /**< set by DO_SET_HOME: arming does not move it */
    double lat_deg;
    double lon_deg;
    double alt_amsl_m;
    float yaw_rad;
    double takeoff_amsl_m; /**< zero of the relative altitude */
    mf_us_t set_us;
};

/** @brief An altitude above the take-off point [m]. The vehicle cannot leave it before home is known:
 * until then zero. A fault that hides home takes nothing away from it. */
static inline double mf_home_relative_m(const struct mf_home *home, double alt_amsl_m)
{
    return home->valid || home->hidden ? alt_amsl_m - home->takeoff_amsl_m : 0.0;
}

/** Who asks for something; decides what the texts say. */
enum mf_by {
    MF_BY_COMMAND,
    MF_BY_MISSION_START,
    MF_BY_LANDING,
    MF_BY_PREFLIGHT_TIMEOUT,
    MF_BY_FAILSAFE
};

/** @brief Arm. @return MF_E_OK also if armed; MF_E_AGAIN if denied, with a STATUSTEXT */
int mf_commander_arm(struct mf_vehicle *v, mf_us_t now_us, enum mf_by by);

/** @brief Disarm. @param force  also in the air @return MF_E_OK also if disarmed; MF_E_AGAIN if
 * flying, with a STATUSTEXT */
int mf_commander_disarm(struct mf_vehicle *v, mf_us_t now_us, enum mf_by by, bool force);

/** @brief A user asks for a mode. In that mode already, without a target, nothing happens but that a
 * failsafe that chose it is over. @param target  for TAKEOFF and HOLD (reposition); NULL: none
 * @return MF_E_OK; MF_E_AGAIN if the mode's needs are not met while armed, MF_E_DENIED if no
 * transition leads there, each with a STATUSTEXT */
int mf_commander_request(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode,
                         const struct mf_target *target);

/** @brief A user sets the mode (DO_SET_MODE, SET_MODE, DO_SET_STANDARD_MODE). The same as a request
 * without a target, but LAND is forced, as in PX4: without a position the vehicle descends, and lands
 * by position once that is back. @return as mf_commander_request() */
int mf_commander_set_mode(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode);

/** @brief A failsafe chooses where the transition table leads at @p event. HEARTBEAT says critical. */
void mf_commander_failsafe(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event);

/** @brief The failsafe is over: back to @p mode. */
void mf_commander_resume(struct mf_vehicle *v, mf_us_t now_us, enum mf_mode mode);

/** @brief Flight termination. @return MF_E_OK, MF_E_DENIED when disarmed */
int mf_commander_terminate(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Something happened (navigator, health): the commander acts on it in its next run, at @p
 * now_us. */
void mf_commander_post(struct mf_vehicle *v, mf_us_t now_us, enum mf_event event);

/** @brief The navigator reports what the body does. Changes go out at once. */
void mf_commander_set_landed(struct mf_vehicle *v, mf_us_t now_us, enum mf_landed landed);

/** @brief Set home. @param manual  by a user @return MF_E_OK; MF_E_AGAIN without a position */
int mf_commander_home_here(struct mf_vehicle *v, mf_us_t now_us, bool manual);
int mf_commander_home_at(struct mf_vehicle *v, mf_us_t now_us, double lat_deg, double lon_deg,
                         double alt_amsl_m, float yaw_rad);

/** @brief A fault takes home away, or gives it back; one that was set meanwhile is there then, too. */
void mf_commander_hide_home(struct mf_vehicle *v, mf_us_t now_us, bool hide);

/** @brief The first fix, or a fix found again: sets home and the local origin where they are
 * missing. */
void mf_commander_position_found(struct mf_vehicle *v, mf_us_t now_us);

/** @brief Task: posted events and automatic disarming. */
mf_us_t mf_commander_run(struct mf_vehicle *v, mf_us_t due_us);

#endif

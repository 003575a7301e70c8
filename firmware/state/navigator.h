/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/navigator.h, without functions. */
#ifndef MF_FIRMWARE_STATE_NAVIGATOR_H
#define MF_FIRMWARE_STATE_NAVIGATOR_H

#include "firmware/state/destination.h"
#include "firmware/state/mode.h"
#include "hal/airframe.h"
#include "math/geodesic.h"

/** Phases of the navigator within a mode. */
enum mf_nav_phase {
    MF_NAV_IDLE,    /**< nothing to fly: on the ground, or holding */
    MF_NAV_CLIMB,   /**< take-off, or the first climb of a return */
    MF_NAV_FLY,     /**< to a target */
    MF_NAV_WAIT,    /**< at a target, time passes */
    MF_NAV_DESCEND, /**< return: down to RTL_DESCEND_ALT */
    MF_NAV_LAND,    /**< to the ground */
    MF_NAV_FALL,    /**< motors off in the air */
    MF_NAV_BRAKE,   /**< nothing to fly, but the body still comes to rest */
    MF_NAV_STEER,   /**< with a velocity, until told otherwise */
};

/** The way up before the first item with a position. */
enum mf_climb {
    MF_CLIMB_NONE,
    MF_CLIMB_ASKED, /**< the mission was activated; the item decides */
    MF_CLIMB_FLOWN, /**< on the way up to the altitude of the item */
};

/** Target of a flight; values that are not finite mean the present ones. */
struct mf_target {
    double lat_deg;
    double lon_deg;
    double alt_amsl_m;
    float yaw_rad;
    float speed_mps; /**< horizontal, <= 0 or NAN: as configured */
};

/** Aim of a stream of setpoints, or of sticks: a place, a velocity or both, horizontally and
 * vertically; NAN: unset. With both, a speed by distance takes the vehicle to the place, in
 * addition to the velocity. */
struct mf_aim {
    double lat_deg;
    double lon_deg;
    double alt_amsl_m;
    float vel_ned_mps[3];
    float yaw_rad;
    float spin_rps; /**< without yaw_rad; NAN or 0: none */
    float roll_rad; /**< tilt from which the velocity results; 0: not given as a tilt */
    float pitch_rad;
    bool chase; /**< the place keeps changing: steer towards it instead of flying a leg to it */
};

/** A circle to fly. */
struct mf_orbit {
    double lat_deg; /**< of its centre; NAN, before it begins: here */
    double lon_deg;
    double alt_amsl_m; /**< NAN, before it begins: here */
    float radius_m;    /**< positive: clockwise seen from above */
    float speed_mps;
    float yaw_rad;    /**< heading when it began */
    uint8_t yaw_mode; /**< enum ORBIT_YAW_BEHAVIOUR */
    bool given;       /**< by a command that the mode has not taken up yet */
};

/** Kinds of a region of interest, to which the front is turned. */
enum mf_roi_kind {
    MF_ROI_NONE,
    MF_ROI_PLACE,
    MF_ROI_NEXT, /**< where the present leg leads */
};

/** A region of interest. */
struct mf_roi {
    double lat_deg; /**< of a place */
    double lon_deg;
    float offset_rad; /**< NEXT: added to the heading */
    uint8_t kind;     /**< enum mf_roi_kind */
};

/** Changes of FLW_TGT_FA, _DST and _HT by sticks, as long as the mode lasts. */
struct mf_follow_trim {
    mf_us_t at_us;     /**< vehicle time up to which the sticks count */
    double angle_rad;  /**< around the target, clockwise */
    double distance_m; /**< horizontally */
    double height_m;   /**< above the target */
};

struct mf_navigator {
    uint8_t mode;  /**< enum mf_mode that is being flown */
    uint8_t phase; /**< enum mf_nav_phase */
    bool begin;    /**< the commander chose a mode; it starts at the navigator's next run */
    bool keep; /**< the mode takes over the present leg (take-off done, mission done) when it starts
                */
    bool from_mission;    /**< the mode before it was MISSION */
    bool planned;         /**< leg holds where the airframe was sent, or holds */
    bool passes;          /**< the present plan leads on past the target of its leg */
    uint8_t climb;        /**< mission: enum mf_climb */
    bool yields;          /**< mission: too many items at one instant; the next phase waits */
    bool loops;           /**< mission: it jumped back twice at one instant */
    uint8_t when;         /**< enum mf_when that ends the phase */
    bool spins;           /**< until look_us the vehicle turns */
    bool moves_to_land;   /**< mission: on the way to the place of a landing, as PX4 counts it */
    uint16_t chords_left; /**< mission: of a circle */
    uint16_t item_seq;    /**< mission: item being flown */
    uint32_t item_tag;    /**< mission: of the mission that item belongs to */
    float speed_mps;  /**< DO_CHANGE_SPEED, horizontal; <= 0: as configured; ends with the mode, as
                         in PX4 */
    mf_us_t begin_us; /**< the mode starts at the run at this vehicle time */
    mf_us_t wait_until_us;      /**< phase WAIT, or the mission yields */
    mf_us_t steer_us;           /**< the mode looks again where to; MF_NEVER: when told */
    mf_us_t looped_us;          /**< mission: it jumped back, or began */
    mf_us_t arrived_us;         /**< mission: at the place of the item */
    double bearing_rad;         /**< mission: last point of a circle seen from its centre */
    double return_amsl_m;       /**< RTL */
    struct mf_destination to;   /**< RTL */
    struct mf_target target;    /**< of HOLD (reposition) and TAKEOFF */
    struct mf_orbit orbit;      /**< ORBIT */
    struct mf_follow_trim trim; /**< FOLLOW */
    struct mf_roi roi;
    mf_us_t look_us;       /**< time of the next check of the heading to the region of interest */
    struct mf_leg leg;     /**< what the airframe is flying */
    double aimed_ned_m[3]; /**< the estimate's correction when that was planned */
    mf_us_t correct_us; /**< time of the next check of the plan (mf_navigator_watch()); MF_NEVER */
};

#endif

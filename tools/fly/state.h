/* SPDX-License-Identifier: Apache-2.0 */
/**
 * State of a vehicle, from its telemetry. One message in, the changes out as bits; no link,
 * no clock, no output.
 *
 * Vehicle time is the unwrapped time_boot_ms, and is the vehicle's own: it may pass faster
 * or slower than the wall's.
 */
#ifndef MF_TOOLS_FLY_STATE_H
#define MF_TOOLS_FLY_STATE_H

#include "math/geodesic.h"
#include "tools/fly/client.h"

/** Changes that a message caused. */
enum fly_change {
    FLY_SEEN = 1,  /**< first HEARTBEAT */
    FLY_ARMED = 2, /**< armed or disarmed */
    FLY_MODE = 4,
    FLY_LANDED = 8,     /**< landed state */
    FLY_HOME = 16,      /**< home position known or moved */
    FLY_CURRENT = 32,   /**< MISSION_CURRENT.seq */
    FLY_REACHED = 64,   /**< MISSION_ITEM_REACHED, a new one */
    FLY_TEXT = 128,     /**< a whole STATUSTEXT */
    FLY_POSITION = 256, /**< GLOBAL_POSITION_INT */
    FLY_REBOOT = 512,   /**< vehicle time jumped back */
};

/** Messages that are understood. */
#define FLY_STATE_MESSAGES 10u

/** The vehicle. Zero it to initialise. */
struct fly_state {
    int64_t order[FLY_STATE_MESSAGES]; /**< time of the latest of each message: older ones are
                                          ignored */
    bool seen;
    uint8_t sysid;
    uint8_t compid;
    uint8_t autopilot; /**< MAV_AUTOPILOT */
    uint8_t type;      /**< MAV_TYPE */
    uint32_t custom_mode;
    bool armed;
    uint8_t landed; /**< MAV_LANDED_STATE */

    bool has_time;
    uint32_t boot_ms; /**< as last received */
    int64_t time_us;  /**< vehicle time, unwrapped */

    bool has_health; /**< SYS_STATUS has come */
    uint32_t sensors_enabled;
    uint32_t sensors_health;

    bool has_position;
    uint32_t positions; /**< GLOBAL_POSITION_INT received */
    struct mf_geo place;
    double alt_amsl_m;
    double alt_rel_m;
    double speed_mps; /**< over ground */

    bool has_home;
    struct mf_geo home;
    double home_alt_m; /**< AMSL */

    bool has_current;
    uint16_t current;      /**< mission item it heads for */
    uint8_t mission_state; /**< MISSION_STATE */
    bool has_reached;
    uint16_t reached; /**< last item reached */

    bool tracking; /**< set by the caller: sum up distance and maxima */
    struct mf_geo track_place;
    double track_alt_m;
    double distance_m;          /**< flown, in space */
    double speed_max_mps;       /**< of those reported, and of the means between sparse positions */
    struct mf_geo before_place; /**< the position before, and its vehicle time */
    int64_t before_us;
    double alt_max_m; /**< above home */

    uint8_t severity;    /**< of the last text, MAV_SEVERITY */
    uint16_t text_id;    /**< of a text in several pieces */
    char text[256];      /**< last whole text */
    char pieces[256];    /**< of a text that is not complete yet */
    char complaint[256]; /**< last text of severity WARNING or worse */
};

/** @brief Take note of a message from the vehicle. @return bits of enum fly_change */
unsigned fly_state_update(struct fly_state *s, const struct fly_message *in);

/** @brief True if the message is a HEARTBEAT of an autopilot, not of a ground station or camera. */
bool fly_is_autopilot(const struct fly_message *in);

/** @brief Begin to sum up distance and maxima here. */
void fly_state_track(struct fly_state *s);

/**
 * @brief Check that the vehicle can fly.
 * @param reason  out: one line
 * @return true if it can
 */
bool fly_state_ready(const struct fly_state *s, char *reason, size_t size);

/** @brief Horizontal distance from the vehicle to a place [m]. */
double fly_state_distance_m(const struct fly_state *s, struct mf_geo to);

#endif

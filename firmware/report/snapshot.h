/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Snapshot of a vehicle for its board, in addition to MAVLink: taken at the present vehicle time,
 * without a change of the vehicle. A host program takes a snapshot instead of reading the vehicle,
 * so it needs this header and not the layout of the instance. Values are those of messages at the
 * same instant, before they are rounded.
 */
#ifndef MF_FIRMWARE_SNAPSHOT_H
#define MF_FIRMWARE_SNAPSHOT_H

#include "firmware/state/estimate.h"
#include "firmware/state/health.h"
#include "firmware/state/home.h"
#include "firmware/state/link_stats.h"
#include "firmware/state/mode.h"
#include "firmware/state/state.h"
#include "hal/hal.h"
#include "mavlink/frame.h"

struct mf_vehicle;

/** State of a vehicle at one instant. */
struct mf_snapshot {
    mf_us_t vehicle_us; /**< of the last pass */
    struct mf_now now;  /**< both clocks */
    enum mf_mode mode;
    enum mf_landed landed;
    bool armed;
    bool failsafe;      /**< a failsafe, not a user, chose the mode */
    const char *denial; /**< why it may not be armed, "" if it may; static */
    bool body;          /**< there is one, and truth is where it is */
    struct mf_pose truth;
    struct mf_estimate estimate;
    double relative_m;  /**< the estimate's altitude as GLOBAL_POSITION_INT.relative_alt */
    double ellipsoid_m; /**< the estimate's altitude above WGS84; with a fix only */
    bool has_battery;
    struct mf_battery battery;
    uint8_t charge; /**< MAV_BATTERY_CHARGE_STATE */
    struct mf_home home;
    struct mf_health health;                    /**< as SYS_STATUS shows it */
    uint8_t mission_state;                      /**< MISSION_STATE */
    uint32_t mission_tag, fence_tag, rally_tag; /**< opaque ids */
    uint16_t mission_count, mission_current;
    uint16_t fence_count, rally_count;
    uint8_t breach;          /**< of enum mf_breach */
    int32_t mission_reached; /**< -1: none */
};

/** An item of a mission, of the fence or of the rally points. */
struct mf_snapshot_item {
    uint16_t command;  /**< MAV_CMD */
    uint8_t frame;     /**< MAV_FRAME as uploaded */
    float param[4];    /**< as uploaded, perhaps NaN */
    float alt_m;       /**< as uploaded, by frame; perhaps NaN */
    double alt_amsl_m; /**< altitude above mean sea level; NaN for an item without a place or
                          altitude */
    bool place;        /**< it has a position */
    double lat_deg, lon_deg;
};

/** A link that is open. */
struct mf_snapshot_link {
    const char *name; /**< the board's */
    uint8_t version;  /**< 1 or 2: of outgoing frames */
    mf_us_t rx_us;    /**< transport time of the last byte */
    struct mf_link_stats stats;
    struct mf_parser_stats bytes;
};

/** @brief Take one. The vehicle, its devices and its next pass do not notice. */
void mf_snapshot_take(struct mf_vehicle *v, struct mf_snapshot *s);

/** @brief Read only the motion as of the last pass, quickly enough for a call after each pass.
 * @param truth, estimate  out @return false: without a body */
bool mf_snapshot_motion(struct mf_vehicle *v, struct mf_pose *truth, struct mf_estimate *estimate);

/** @brief Take an item of what is active now. How many there are, mf_store_info() tells.
 *  @param area  MF_STORE_MISSION, MF_STORE_FENCE or MF_STORE_RALLY
 *  @return MF_E_OK, MF_E_RANGE, MF_E_IO */
int mf_snapshot_item(const struct mf_vehicle *v, enum mf_store_area area, uint16_t index,
                     struct mf_snapshot_item *item);

/** @brief Take a link. @return MF_E_OK; MF_E_NOENT: it is not open; MF_E_RANGE: nor is any behind
 * it */
int mf_snapshot_link(const struct mf_vehicle *v, uint16_t index, struct mf_snapshot_link *link);

/** @brief Read the limits of the parameters around home, without the zones of the fence.
 * @param distance_m  out, horizontally @param height_m  out, above home; 0: unlimited */
void mf_snapshot_limits(const struct mf_vehicle *v, float *distance_m, float *height_m);

/** @brief A parameter's value, as PARAM_VALUE has it. */
union mf_param_value mf_snapshot_param(const struct mf_vehicle *v, enum mf_param param);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Missions up and down, over links that lose, repeat and reorder.
 *
 * Upload: MISSION_COUNT until the vehicle asks, every request answered however often it comes, the
 * last item again while the acknowledgement is missing, from the start again when the vehicle fell
 * silent. Then, unless told not to, the mission is downloaded and compared: what counts is what the
 * vehicle holds. Source: MAVLink mission protocol.
 */
#ifndef MF_TOOLS_FLY_TRANSFER_H
#define MF_TOOLS_FLY_TRANSFER_H

#include "tools/fly/client.h"

/* Wall time [us]. The vehicle repeats its requests every 250 ms and gives up after 5 s (PX4). */
#define FLY_RESEND_US  600000
#define FLY_SILENCE_US 6000000
#define FLY_DISCORD_US 1200000 /**< after an error that may have been about an earlier attempt */
#define FLY_TRANSFERS  20      /**< attempts, each from the start */
#define FLY_MISMATCHES 2       /**< of these, how many may store something else */

/** A mission, fence or list of rally points to send, or room for one. The caller owns the items. */
struct fly_mission {
    struct mf_msg_mission_item_int *item;
    uint16_t count;
    uint16_t capacity; /**< of item, for downloads */
    uint8_t type;      /**< MAV_MISSION_TYPE */
    bool skip_first;   /**< item 0 is the vehicle's own (ArduPilot's home): not compared */
};

/** Result of a transfer. Zero it before. */
struct fly_transfer {
    uint16_t seq;      /**< last item that the vehicle requested: a refusal is about it */
    bool requested;    /**< upload: there was one, else a refusal is about the whole list */
    uint8_t result;    /**< MAV_MISSION_RESULT of the vehicle's last acknowledgement */
    uint16_t repeats;  /**< messages sent again */
    uint16_t restarts; /**< attempts after the first */
    uint16_t altered;  /**< parameters that came back as 0 or NaN; verified uploads only */
};

/** @brief Store a mission on the vehicle.
 *  @param verify  also read it back and compare
 *  @return FLY_E_OK; FLY_E_REFUSED (see how->result, how->seq); FLY_E_MISMATCH (how->seq);
 *          FLY_E_TIMEOUT; FLY_E_LINK */
int fly_upload(struct fly_client *c, const struct fly_mission *mission, bool verify,
               struct fly_transfer *how);

/** @brief Fetch the vehicle's mission.
 *  @param mission  in: item, capacity, type; out: count and items
 *  @return FLY_E_OK; FLY_E_SPACE; FLY_E_TIMEOUT; FLY_E_LINK */
int fly_download(struct fly_client *c, struct fly_mission *mission, struct fly_transfer *how);

/** @brief Compare an item with what came back.
 *
 *  Positions and altitude must be equal (1e-7 deg, 2 cm), frames may be the other spelling of the
 *  same (GLOBAL and GLOBAL_INT); a parameter may come back as 0 or NaN, which is how PX4 returns
 *  those it does not store.
 *  @param altered  counts such parameters
 *  @return true if they agree */
bool fly_item_equal(const struct mf_msg_mission_item_int *sent,
                    const struct mf_msg_mission_item_int *back, uint16_t *altered);

#endif

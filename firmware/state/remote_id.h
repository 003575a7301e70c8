/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/remote_id.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_REMOTE_ID_H
#define MF_FIRMWARE_STATE_REMOTE_ID_H

#include "hal/types.h"
#include "mavlink/message.h"

/** Bytes of an id, of the vehicle and of its operator; the unused ones are 0. */
#define MF_REMOTE_ID_BYTES 20u

/** What is known of a vehicle before it flies. The board owns it. */
struct mf_remote_id_card {
    uint8_t uas_id[MF_REMOTE_ID_BYTES];
    char operator_id[MF_REMOTE_ID_BYTES]; /**< empty: not known */
    uint8_t id_type;                      /**< enum MAV_ODID_ID_TYPE */
    uint8_t ua_type;                      /**< enum MAV_ODID_UA_TYPE */
    uint8_t category_eu;                  /**< MAV_ODID_CATEGORY_EU; 0: undeclared */
    uint8_t class_eu;                     /**< MAV_ODID_CLASS_EU; 0: undeclared, 1: class 0, ... */
};

struct mf_remote_id {
    const struct mf_remote_id_card *card; /**< NULL: that of mf_remote_id_default() */
    int32_t takeoff_lat_e7;               /**< [1e-7 deg] */
    int32_t takeoff_lon_e7;
    int32_t takeoff_alt_ellipsoid_mm;
    bool takeoff_known;
    bool system_given;   /**< by a ground station: */
    bool operator_given; /**< the same */
    struct mf_msg_open_drone_id_system system;
    struct mf_msg_open_drone_id_operator_id operator_id;
};

#endif

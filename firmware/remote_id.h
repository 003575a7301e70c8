/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Remote identification (ASTM F3411, OPEN_DRONE_ID_*): who the vehicle says it is, where it took
 * off, and what a ground station said of its operator. The messages are made in
 * encode_remote_id.c.
 */
#ifndef MF_FIRMWARE_REMOTE_ID_H
#define MF_FIRMWARE_REMOTE_ID_H

#include "hal/types.h"
#include "mavlink/message.h"

struct mf_vehicle;
struct mf_peer;

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

/** @brief The card of a vehicle that was given none: a multirotor whose serial number (CTA-2063-A)
 *  is made of its uid's lower half: MAYF, 8 for eight characters, eight hexadecimal digits. */
struct mf_remote_id_card mf_remote_id_default(uint64_t uid);

/** @brief The card of a vehicle, by value. */
struct mf_remote_id_card mf_remote_id_card(const struct mf_vehicle *v);

/** @brief The vehicle takes off from where it is now, or stands there; unknown without a position. */
void mf_remote_id_take_off(struct mf_vehicle *v, mf_us_t now_us);

/* What a ground station says of this vehicle's operator is passed on from then on. Messages of
 * autopilots and those about other aircraft are none. */
void mf_on_open_drone_id_system(struct mf_vehicle *v, struct mf_peer from,
                                const struct mf_msg_open_drone_id_system *m, mf_us_t now_us);
void mf_on_open_drone_id_operator_id(struct mf_vehicle *v, struct mf_peer from,
                                     const struct mf_msg_open_drone_id_operator_id *m,
                                     mf_us_t now_us);

#endif

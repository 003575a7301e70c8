/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/remote_id.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_REMOTE_ID_H
#define MF_FIRMWARE_STATE_REMOTE_ID_H

#include "hal/types.h"

/** Bytes of an id, of the vehicle and of its operator; the unused ones are 0. */
#define MF_REMOTE_ID_BYTES 20u

/** What is known of a vehicle before it flies. The board owns it. Source: ASTM F3411, by the
 * enums of MAVLink that are named. */
struct mf_remote_id_card {
    uint8_t uas_id[MF_REMOTE_ID_BYTES];   /**< what it is, id_type says */
    char operator_id[MF_REMOTE_ID_BYTES]; /**< empty: not known */
    uint8_t id_type;                      /**< enum MAV_ODID_ID_TYPE */
    uint8_t ua_type;                      /**< enum MAV_ODID_UA_TYPE */
    uint8_t category_eu;                  /**< MAV_ODID_CATEGORY_EU; 0: undeclared */
    uint8_t class_eu;                     /**< MAV_ODID_CLASS_EU; 0: undeclared, 1: class 0, ... */
};

/** What a ground station says of this vehicle's operator, as OPEN_DRONE_ID_SYSTEM has it. */
struct mf_remote_operator {
    int32_t lat_e7;              /**< [1e-7 deg] */
    int32_t lon_e7;              /**< [1e-7 deg] */
    float alt_ellipsoid_m;       /**< -1000: not known, as below */
    float area_ceiling_m;        /**< above the ellipsoid */
    float area_floor_m;          /**< the same */
    uint16_t area_count;         /**< aircraft in the area */
    uint16_t area_radius;        /**< as on the wire: [m] */
    uint8_t location_type;       /**< MAV_ODID_OPERATOR_LOCATION_TYPE */
    uint8_t classification_type; /**< MAV_ODID_CLASSIFICATION_TYPE */
    uint8_t category_eu;         /**< as on the card */
    uint8_t class_eu;            /**< as on the card */
};

/** What the vehicle says of itself and of its operator. */
struct mf_remote_id {
    const struct mf_remote_id_card *card; /**< NULL: that of mf_remote_id_default() */
    int32_t takeoff_lat_e7;               /**< [1e-7 deg] */
    int32_t takeoff_lon_e7;               /**< [1e-7 deg] */
    int32_t takeoff_alt_ellipsoid_mm;     /**< [mm] */
    struct mf_remote_operator said;       /**< of the operator, if it is given */
    char operator_id[MF_REMOTE_ID_BYTES]; /**< if it is given; else that of the card is shown */
    uint8_t operator_id_type; /**< MAV_ODID_OPERATOR_ID_TYPE; 0: of an aviation authority */
    bool takeoff_known;       /**< there was a position then */
    bool operator_given;      /**< by a ground station */
    bool operator_id_given;   /**< the same */
};

#endif

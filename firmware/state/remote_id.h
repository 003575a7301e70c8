/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/remote_id.h, without functions. */
#ifndef MF_FIRMWARE_STATE_REMOTE_ID_H
#define MF_FIRMWARE_STATE_REMOTE_ID_H

#include "hal/types.h"

/** Bytes of an id, of the vehicle and of its operator; the unused ones are 0. */
#define MF_REMOTE_ID_BYTES 20u

/** Identity of a vehicle before it flies. The board owns it. Source: ASTM F3411, with the named
 * enums of MAVLink. */
struct mf_remote_id_card {
    uint8_t uas_id[MF_REMOTE_ID_BYTES];   /**< what it is, id_type says */
    char operator_id[MF_REMOTE_ID_BYTES]; /**< empty: not known */
    uint8_t id_type;                      /**< enum MAV_ODID_ID_TYPE */
    uint8_t ua_type;                      /**< enum MAV_ODID_UA_TYPE */
    uint8_t category_eu;                  /**< MAV_ODID_CATEGORY_EU; 0: undeclared */
    uint8_t class_eu;                     /**< MAV_ODID_CLASS_EU; 0: undeclared, 1: class 0, ... */
};

/** Data of this vehicle's operator from a ground station, as in OPEN_DRONE_ID_SYSTEM. */
struct mf_remote_operator {
    int32_t lat_e7;              /**< [1e-7 deg] */
    int32_t lon_e7;              /**< [1e-7 deg] */
    float alt_ellipsoid_m;       /**< -1000: not known, as below */
    float area_ceiling_m;        /**< above the ellipsoid */
    float area_floor_m;          /**< lower limit above the ellipsoid */
    uint16_t area_count;         /**< aircraft in the area */
    uint16_t area_radius;        /**< as on the wire: [m] */
    uint8_t location_type;       /**< MAV_ODID_OPERATOR_LOCATION_TYPE */
    uint8_t classification_type; /**< MAV_ODID_CLASSIFICATION_TYPE */
    uint8_t category_eu;         /**< as on the card */
    uint8_t class_eu;            /**< as on the card */
};

/** Identity of the vehicle, place of its take-off, and data of its operator. */
struct mf_remote_id {
    const struct mf_remote_id_card *card; /**< NULL: that of mf_remote_id_default() */
    int32_t takeoff_lat_e7;               /**< [1e-7 deg] */
    int32_t takeoff_lon_e7;               /**< [1e-7 deg] */
    int32_t takeoff_alt_ellipsoid_mm;     /**< [mm] */
    struct mf_remote_operator said;       /**< data of the operator from a ground station */
    char
        operator_id[MF_REMOTE_ID_BYTES]; /**< from a ground station; otherwise the card's is used */
    uint8_t operator_id_type; /**< MAV_ODID_OPERATOR_ID_TYPE; 0: of an aviation authority */
    bool takeoff_known;       /**< there was a position then */
    bool operator_given;      /**< by a ground station */
    bool operator_id_given;   /**< a ground station has sent operator_id */
};

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/protocol/command.h, without functions. */
#ifndef MF_FIRMWARE_STATE_COMMAND_H
#define MF_FIRMWARE_STATE_COMMAND_H

#include "firmware/state/link.h"

/** A command as its handler sees it. */
struct mf_command {
    struct mf_peer from;
    uint16_t id;    /**< MAV_CMD */
    float param[7]; /**< as sent; 5 and 6 of a COMMAND_INT are in lat_deg and lon_deg only */
    double lat_deg; /**< params 5 and 6 as a place; NAN: not given */
    double lon_deg;
    double alt_amsl_m; /**< param 7 by its frame; NAN: not given */
};

#endif

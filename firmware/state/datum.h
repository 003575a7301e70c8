/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/flight/datum.h, without functions. */
#ifndef MF_FIRMWARE_STATE_DATUM_H
#define MF_FIRMWARE_STATE_DATUM_H

#include "firmware/state/estimate.h"
#include "firmware/state/home.h"
#include "hal/hal.h"

/** Ends a text about a place that is refused. */
#define MF_DATUM_NONE "outside all geoid models"

/** Ends a text about a place whose ground is needed. */
#define MF_DATUM_NO_GROUND "above unknown ground"

/** References of an item's altitude, and the place of an item without a place of its own: read
 * only. */
struct mf_datum {
    const struct mf_hal *hal; /**< the Earth: geoid and ground */
    const struct mf_home *home;
    const struct mf_estimate *estimate; /**< where the vehicle is, as long as it does not move */
};

#endif

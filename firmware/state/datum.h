/* SPDX-License-Identifier: Apache-2.0 */
/** What firmware/flight/datum.h works on: data only. */
#ifndef MF_FIRMWARE_STATE_DATUM_H
#define MF_FIRMWARE_STATE_DATUM_H

#include "hal/types.h"

/** Ends a text about a place that is refused. */
#define MF_DATUM_NONE "outside all geoid models"

/** Ends a text about a place whose ground is needed. */
#define MF_DATUM_NO_GROUND "above unknown ground"

#endif

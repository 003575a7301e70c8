/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Reference of altitudes. The firmware uses and stores altitudes above the geoid (AMSL); the
 * geoid's undulation at a place (hal/earth.h) converts them to altitudes above the ellipsoid of
 * WGS84. Where all models lack it, other programs could not interpret an altitude, so a command to
 * fly there is refused.
 */
#ifndef MF_FIRMWARE_DATUM_H
#define MF_FIRMWARE_DATUM_H

#include "firmware/state/datum.h"
#include "hal/hal.h"
#include "math/geodesic.h"
#include "mavlink/message.h"

/** @brief True if a model of the geoid covers a place. A place that is not given (not finite) means
 * the vehicle's place, and passes; without any model, only with a receiver, every place passes. */
bool mf_datum_known(const struct mf_hal *hal, struct mf_geo place);

/** @brief Convert an altitude to one above the ellipsoid [mm], with the undulation of the estimate
 * if no model covers the place. @param place  finite */
int32_t mf_datum_ellipsoid_mm(const struct mf_hal *hal, const struct mf_estimate *e,
                              struct mf_geo place, double alt_amsl_m);

/** @brief Find the height of the ground at a place, for an altitude above it. A place that is not
 * given (not finite) means the place of the estimate.
 * @param amsl_m  out; unchanged on errors
 * @return MF_E_OK; MF_E_NOENT: unknown at this place; MF_E_NOSUPP: unknown everywhere, the ground
 * counts as flat */
int mf_datum_ground(const struct mf_hal *hal, const struct mf_estimate *e, struct mf_geo place,
                    double *amsl_m);

/** @brief True if altitudes of a MAV_FRAME are above the ground. */
bool mf_datum_is_terrain(uint8_t frame);

/** @brief Make the TERRAIN_REPORT of a place, which is only sent as the answer to TERRAIN_CHECK.
 * Unknown ground gives zeros. @param lat_e7, lon_e7  as requested [1e-7 deg], any value */
struct mf_msg_terrain_report mf_datum_report(const struct mf_hal *hal, const struct mf_estimate *e,
                                             int32_t lat_e7, int32_t lon_e7);

#endif

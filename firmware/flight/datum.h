/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What altitudes are above. Everything here flies and stores altitudes above the geoid (AMSL); the
 * geoid's undulation at a place (hal/earth.h) leads to those above the ellipsoid of WGS84. Where no
 * model gives one, no altitude means anything to others: nothing may be asked to go there.
 */
#ifndef MF_FIRMWARE_DATUM_H
#define MF_FIRMWARE_DATUM_H

#include "firmware/state/datum.h"
#include "hal/hal.h"
#include "math/geodesic.h"
#include "mavlink/message.h"

/** @brief Does a model of the geoid cover the place? A place that is not given (not finite) is
 * here, and passes; so does every place where there is no model at all, only a receiver. */
bool mf_datum_known(const struct mf_hal *hal, struct mf_geo place);

/** @brief An altitude above the ellipsoid [mm]. Where no model covers the place, with the
 * undulation of the estimate. @param place  finite */
int32_t mf_datum_ellipsoid_mm(const struct mf_hal *hal, const struct mf_estimate *e,
                              struct mf_geo place, double alt_amsl_m);

/** @brief Height of the ground at a place, for an altitude above it. A place that is not given (not
 *  finite) is that of the estimate.
 *  @param amsl_m  out; untouched on errors
 *  @return MF_E_OK; MF_E_NOENT: not known there; MF_E_NOSUPP: nowhere, the ground is taken to
 *   be flat */
int mf_datum_ground(const struct mf_hal *hal, const struct mf_estimate *e, struct mf_geo place,
                    double *amsl_m);

/** @brief Is a MAV_FRAME one of altitudes above the ground? */
bool mf_datum_is_terrain(uint8_t frame);

/** @brief TERRAIN_REPORT of a place: the answer to TERRAIN_CHECK, and never sent without being
 *  asked. Zeros where the ground is not known. @param lat_e7, lon_e7  as asked for [1e-7 deg],
 *  any value */
struct mf_msg_terrain_report mf_datum_report(const struct mf_hal *hal, const struct mf_estimate *e,
                                             int32_t lat_e7, int32_t lon_e7);

#endif

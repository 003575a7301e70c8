/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What altitudes are above. Everything here flies and stores altitudes above the geoid (AMSL); the
 * geoid's undulation at a place (hal/earth.h) leads to those above the ellipsoid of WGS84. Where no
 * model gives one, no altitude means anything to others: nothing may be asked to go there.
 */
#ifndef MF_FIRMWARE_DATUM_H
#define MF_FIRMWARE_DATUM_H

#include "hal/types.h"

struct mf_vehicle;

/** Ends a text about a place that is refused. */
#define MF_DATUM_NONE "outside all geoid models"

/** @brief Does a model of the geoid cover the place? A place that is not given (not finite) is here,
 * and passes; so does every place where there is no model at all, only a receiver. */
bool mf_datum_known(const struct mf_vehicle *v, double lat_deg, double lon_deg);

/** @brief An altitude above the ellipsoid [mm]. Where no model covers the place, with the undulation
 * of the present estimate. */
int32_t mf_datum_ellipsoid_mm(const struct mf_vehicle *v, double lat_deg, double lon_deg,
                              double alt_amsl_m);

#endif

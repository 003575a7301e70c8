/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two models of the Earth may be absent, and mean different things then. Without a geoid the
 * receiver alone knows the undulation, so nothing is refused. Without terrain the ground is flat,
 * as high as home.
 */
#include "firmware/flight/datum.h"

#include "firmware/core/units.h"
#include "mavlink/enums.h"

static bool is_given(struct mf_geo place)
{
    return mf_finite(place.lat_deg) && mf_finite(place.lon_deg);
}

bool mf_datum_known(const struct mf_hal *hal, struct mf_geo place)
{
    double undulation_m;
    MF_ASSERT(hal != NULL);
    if (!is_given(place)) {
        return true;
    }
    const int err = mf_earth_undulation(hal, place.lat_deg, place.lon_deg, &undulation_m);
    return err == MF_E_OK || err == MF_E_NOSUPP; /* not MF_E_IO: a damaged model covers nothing */
}

int32_t mf_datum_ellipsoid_mm(const struct mf_hal *hal, const struct mf_estimate *e,
                              struct mf_geo place, double alt_amsl_m)
{
    double undulation_m = e->undulation_m;
    MF_ASSERT(is_given(place));
    /* The undulation changes by centimetres within a kilometre, so that of here is near enough. */
    (void)mf_earth_undulation(hal, place.lat_deg, place.lon_deg, &undulation_m);
    return mf_mm(alt_amsl_m + undulation_m);
}

int mf_datum_ground(const struct mf_hal *hal, const struct mf_estimate *e, struct mf_geo place,
                    double *amsl_m)
{
    MF_ASSERT(e != NULL && amsl_m != NULL);
    const bool given = is_given(place);
    const double lat_deg = given ? place.lat_deg : e->pose.lat_deg;
    const double lon_deg = given ? place.lon_deg : e->pose.lon_deg;
    /* A packed model indexes its grid by these, and a client may ask for any place. */
    if (!(mf_abs(lat_deg) <= 90.0 && mf_abs(lon_deg) <= 180.0)) {
        return MF_E_NOENT;
    }
    return mf_earth_ground(hal, lat_deg, lon_deg, amsl_m);
}

bool mf_datum_is_terrain(uint8_t frame)
{
    return frame == MAV_FRAME_GLOBAL_TERRAIN_ALT || frame == MAV_FRAME_GLOBAL_TERRAIN_ALT_INT;
}

struct mf_msg_terrain_report mf_datum_report(const struct mf_hal *hal, const struct mf_estimate *e,
                                             int32_t lat_e7, int32_t lon_e7)
{
    struct mf_msg_terrain_report report = {.lat = lat_e7, .lon = lon_e7};
    const struct mf_geo place = {(double)lat_e7 / 1e7, (double)lon_e7 / 1e7};
    double ground_m;
    /* An invalid place gives zeros, too: MAVLink cannot express unknown ground otherwise. */
    if (mf_datum_ground(hal, e, place, &ground_m) == MF_E_OK) {
        report.terrain_height = (float)ground_m;
        report.current_height = (float)(e->pose.alt_amsl_m - ground_m);
        report.spacing = mf_earth_about(hal).ground_spacing_m;
    }
    return report;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/flight/datum.h"

#include "firmware/core/units.h"
#include "firmware/flight/estimate.h"
#include "firmware/link/link.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

bool mf_datum_known(const struct mf_vehicle *v, double lat_deg, double lon_deg)
{
    double undulation_m;
    MF_ASSERT(v != NULL);
    if (!mf_finite(lat_deg) || !mf_finite(lon_deg)) {
        return true;
    }
    const int err = mf_earth_undulation(&v->hal, lat_deg, lon_deg, &undulation_m);
    return err == MF_E_OK || err == MF_E_NOSUPP;
}

int32_t mf_datum_ellipsoid_mm(const struct mf_vehicle *v, double lat_deg, double lon_deg,
                              double alt_amsl_m)
{
    double undulation_m = v->estimate.undulation_m;
    MF_ASSERT(mf_finite(lat_deg) && mf_finite(lon_deg));
    (void)mf_earth_undulation(&v->hal, lat_deg, lon_deg, &undulation_m);
    return mf_mm(alt_amsl_m + undulation_m);
}

int mf_datum_ground(const struct mf_vehicle *v, double lat_deg, double lon_deg, double *amsl_m)
{
    MF_ASSERT(v != NULL && amsl_m != NULL);
    const bool given = mf_finite(lat_deg) && mf_finite(lon_deg);
    const double lat = given ? lat_deg : v->estimate.pose.lat_deg;
    const double lon = given ? lon_deg : v->estimate.pose.lon_deg;
    if (!(mf_abs(lat) <= 90.0 && mf_abs(lon) <= 180.0)) {
        return MF_E_NOENT;
    }
    return mf_earth_ground(&v->hal, lat, lon, amsl_m);
}

bool mf_datum_is_terrain(uint8_t frame)
{
    return frame == MAV_FRAME_GLOBAL_TERRAIN_ALT || frame == MAV_FRAME_GLOBAL_TERRAIN_ALT_INT;
}

void mf_datum_report(struct mf_vehicle *v, struct mf_link *link, int32_t lat_e7, int32_t lon_e7,
                     mf_us_t now_us)
{
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    struct mf_msg_terrain_report report = {.lat = lat_e7, .lon = lon_e7};
    double ground_m;
    if (mf_datum_ground(v, (double)lat_e7 / 1e7, (double)lon_e7 / 1e7, &ground_m) == MF_E_OK) {
        report.terrain_height = (float)ground_m;
        report.current_height = (float)(e->pose.alt_amsl_m - ground_m);
        report.spacing = mf_earth_about(&v->hal).ground_spacing_m;
    }
    (void)mf_link_send(v, link, MF_MSG_TERRAIN_REPORT, &report);
}

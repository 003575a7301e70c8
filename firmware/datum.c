/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/datum.h"

#include "firmware/encode_units.h"
#include "firmware/vehicle.h"

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

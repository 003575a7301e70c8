/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of a vehicle's home, for commands, missions and the commander: with messages and the
 * fence. */
#include "firmware/core/param.h"
#include "firmware/flight/datum.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/home.h"
#include "firmware/flight/news.h"
#include "firmware/flight/remote_id.h"
#include "firmware/link/say.h"
#include "firmware/state/limits.h"
#include "firmware/state/vehicle.h"
#include "math/trig.h"

/* Home stays within this distance of the vehicle, horizontally and vertically. */
#define MOVED_H_M 1.0
#define MOVED_V_M 1.5

/* Told at once: clients that set it wait for the message. */
static void set_home(struct mf_vehicle *v, mf_us_t now_us, const struct mf_home *home)
{
    mf_home_put(&v->home, home, v->imposed.home_hidden, now_us);
    MF_ASSERT(v->home.valid != v->home.hidden);
    mf_news_send(v, MF_NEWS_HOME_POSITION, now_us);
    mf_fence_home_moved(v, now_us);
}

/* Refuse a home whose altitude could not be converted to one above the ellipsoid, as receivers need
 * it. */
static int deny_home(struct mf_vehicle *v)
{
    mf_say(v, MF_CRITICAL, "Home denied: " MF_DATUM_NONE);
    return MF_E_DENIED;
}

int mf_commander_home_here(struct mf_vehicle *v, mf_us_t now_us, bool manual)
{
    MF_ASSERT(now_us >= 0);
    const struct mf_estimate *e = mf_estimate_at(v, now_us);
    if (!e->position) {
        return MF_E_AGAIN;
    }
    /* A take-off beyond the models is not refused: the receiver's altitudes do for a flight around
     * here. */
    if (manual && !e->charted) {
        return deny_home(v);
    }
    struct mf_home home = v->home; /* the zero of heights stays */
    /* PX4 does not count a home at the vehicle's place as a user's: the next take-off moves it. */
    home.manual = manual && !v->options.px4_strict;
    home.lat_deg = e->pose.lat_deg;
    home.lon_deg = e->pose.lon_deg;
    home.alt_amsl_m = e->pose.alt_amsl_m;
    home.yaw_rad = e->pose.yaw_rad;
    /* PX4 has one altitude for both. Here a home that is moved leaves the zero of the heights shown
     * alone. */
    if (manual && v->options.px4_strict) {
        home.takeoff_amsl_m = home.alt_amsl_m;
    }
    set_home(v, now_us, &home);
    return MF_E_OK;
}

int mf_commander_home_at(struct mf_vehicle *v, mf_us_t now_us, struct mf_geo place,
                         double alt_amsl_m, float yaw_rad)
{
    /* written so that NaN fails, too */
    if (!(mf_abs(place.lat_deg) <= 90.0 && mf_abs(place.lon_deg) <= 180.0 &&
          mf_abs(alt_amsl_m) <= MF_ALTITUDE_MAX_M)) {
        return MF_E_DENIED;
    }
    if (!mf_datum_known(&v->hal, place)) {
        return deny_home(v);
    }
    struct mf_home home = v->home;
    home.manual = true;
    home.lat_deg = place.lat_deg;
    home.lon_deg = place.lon_deg;
    home.alt_amsl_m = alt_amsl_m;
    home.yaw_rad = yaw_rad;
    if (v->options.px4_strict) {
        home.takeoff_amsl_m = alt_amsl_m;
    }
    set_home(v, now_us, &home);
    return MF_E_OK;
}

void mf_commander_hide_home(struct mf_vehicle *v, mf_us_t now_us, bool hide)
{
    mf_home_hide(&v->home, hide);
    mf_news_tell(v, MF_NEWS_HOME_POSITION, now_us);
    mf_fence_home_moved(v, now_us);
}

/* PX4's HomePosition: on the ground, disarmed, home follows the vehicle. */
void mf_home_landed(struct mf_vehicle *v, mf_us_t now_us)
{
    const struct mf_home *home = &v->home;
    const struct mf_pose *pose = &mf_estimate_at(v, now_us)->pose;
    const struct mf_geo_line line = mf_geo_inverse((struct mf_geo){home->lat_deg, home->lon_deg},
                                                   (struct mf_geo){pose->lat_deg, pose->lon_deg});
    const bool moved =
        line.distance_m > MOVED_H_M || mf_abs(pose->alt_amsl_m - home->alt_amsl_m) > MOVED_V_M;
    if (v->options.px4_strict && home->valid && moved && !home->manual) {
        mf_home_take_off(v, now_us);
    }
}

void mf_home_take_off(struct mf_vehicle *v, mf_us_t now_us)
{
    if (!v->options.px4_strict || !v->home.manual) {
        mf_home_take_off_at(&v->home, mf_estimate_at(v, now_us)->pose.alt_amsl_m);
    }
    mf_remote_id_take_off(&v->remote_id, mf_estimate_at(v, now_us));
    if (v->home.manual || mf_param_i(&v->params, MF_PARAM_COM_HOME_EN) == 0) {
        mf_news_tell(v, MF_NEWS_HOME_POSITION, now_us);
    } else {
        (void)mf_commander_home_here(v, now_us, false);
    }
}

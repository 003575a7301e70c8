/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots of a vehicle, for the control API and exporters. An observer must not change the
 * vehicle: a snapshot asks devices as the next task would, and then restores the state that the
 * questions changed. */
#include "firmware/report/snapshot.h"

#include "firmware/core/param.h"
#include "firmware/core/units.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/health.h"
#include "firmware/flight/home.h"
#include "firmware/flight/items.h"
#include "firmware/flight/mission.h"
#include "firmware/state/vehicle.h"

#include <string.h>

/* The truth is the airframe's own pose: on a board that flies it is its dead reckoning, in a
 * simulation where the body really is. */
static void take_motion(struct mf_vehicle *v, mf_us_t t_us, struct mf_snapshot *s)
{
    s->body = mf_airframe_sample(&v->hal, t_us, &s->truth) == MF_E_OK;
    s->estimate = *mf_estimate_at(v, t_us);
    const double alt_amsl_m = s->estimate.pose.alt_amsl_m;
    s->relative_m = mf_home_relative_m(&v->home, alt_amsl_m);
    if (s->estimate.fix.type >= MF_FIX_3D) {
        s->ellipsoid_m = (double)mf_estimate_ellipsoid_mm(&s->estimate, alt_amsl_m) / 1e3;
    }
}

/* Rally points are counted by their store: nothing in the vehicle works on them but a return, which
 * looks them up. */
static void take_areas(const struct mf_vehicle *v, struct mf_snapshot *s)
{
    struct mf_store_info info = {.count = 0};
    s->breach = v->fence.breach;
    s->fence_tag = v->mission.fence_tag;
    s->fence_count = v->fence.items;
    s->rally_tag = v->mission.rally_tag;
    MF_ASSERT(v->fence.breach <= (MF_BREACH_DISTANCE | MF_BREACH_ALTITUDE | MF_BREACH_ZONE));
    s->rally_count = mf_store_info(&v->hal, MF_STORE_RALLY, &info) == MF_E_OK ? info.count : 0;
}

/* Take all values at one vehicle time, that of the last pass, so that they can be compared. Text
 * and pointers are static, so a snapshot may outlive the next pass. */
void mf_snapshot_take(struct mf_vehicle *v, struct mf_snapshot *s)
{
    MF_ASSERT(v != NULL && s != NULL);
    const mf_us_t t_us = v->now.vehicle_us;
    const struct mf_estimate kept = v->estimate; /* what the next task finds is as it was */
    memset(s, 0, sizeof *s);
    s->vehicle_us = t_us;
    s->now = v->now;
    s->mode = (enum mf_mode)v->commander.mode;
    s->landed = (enum mf_landed)v->commander.landed;
    s->armed = v->commander.armed;
    s->failsafe = v->commander.failsafe;
    take_motion(v, t_us, s);
    s->has_battery = mf_power_read(&v->hal, t_us, &s->battery) == MF_E_OK;
    s->charge = s->has_battery ? mf_health_charge(&v->params, &s->battery) : 0;
    s->home = v->home;
    s->health = mf_health_at(v, t_us); /* reads the receiver, hence the restored state below */
    s->denial = mf_health_denial(v, t_us);
    s->mission_state = mf_mission_state(v);
    s->mission_tag = v->mission.tag;
    s->mission_count = v->mission.count;
    s->mission_current = v->mission.current;
    s->mission_reached = v->mission.reached;
    take_areas(v, s);
    v->estimate = kept;
}

bool mf_snapshot_motion(struct mf_vehicle *v, struct mf_pose *truth, struct mf_estimate *estimate)
{
    MF_ASSERT(v != NULL && truth != NULL && estimate != NULL);
    const mf_us_t t_us = v->now.vehicle_us;
    const struct mf_estimate kept = v->estimate; /* restored after the questions below */
    const bool body = mf_airframe_sample(&v->hal, t_us, truth) == MF_E_OK;
    *estimate = *mf_estimate_at(v, t_us);
    v->estimate = kept;
    return body;
}

/* Read an item as it was uploaded, with its altitude in one frame, so that a reader needs no
 * knowledge of four. */
int mf_snapshot_item(const struct mf_vehicle *v, enum mf_store_area area, uint16_t index,
                     struct mf_snapshot_item *item)
{
    struct mf_item stored;
    MF_ASSERT(v != NULL && item != NULL);
    MF_ASSERT(area == MF_STORE_MISSION || area == MF_STORE_FENCE || area == MF_STORE_RALLY);
    const int result = mf_store_get(&v->hal, area, index, &stored);
    if (result != MF_E_OK) {
        return result;
    }
    memset(item, 0, sizeof *item);
    item->command = stored.command;
    item->frame = stored.frame;
    for (size_t i = 0; i < 4; i++) {
        item->param[i] = mf_f32_from_bits(stored.param[i]);
    }
    item->alt_m = mf_f32_from_bits(stored.z);
    item->alt_amsl_m = (double)mf_nan_f32();
    item->place = mf_item_has_position(&stored);
    if (item->place || mf_item_kind(stored.command) == MF_ITEM_TAKEOFF) {
        const struct mf_datum datum = {&v->hal, &v->home, &v->estimate};
        item->alt_amsl_m = mf_item_amsl_m(&datum, &stored, item->alt_amsl_m);
    }
    if (item->place) {
        const struct mf_geo at = mf_item_place(&stored);
        item->lat_deg = at.lat_deg;
        item->lon_deg = at.lon_deg;
    }
    return MF_E_OK;
}

/* Places of closed links are kept: an index is a link's for as long as it is open. */
int mf_snapshot_link(const struct mf_vehicle *v, uint16_t index, struct mf_snapshot_link *link)
{
    MF_ASSERT(v != NULL && link != NULL);
    if (index >= v->links_top) {
        return MF_E_RANGE;
    }
    const struct mf_link *of = &v->links[index];
    if (!of->open) {
        return MF_E_NOENT;
    }
    *link = (struct mf_snapshot_link){.name = of->name,
                                      .version = of->version,
                                      .rx_us = of->rx_us,
                                      .stats = of->stats,
                                      .bytes = of->parser.stats};
    return MF_E_OK;
}

/* The parameters' part of the fence; its zones are items. */
void mf_snapshot_limits(const struct mf_vehicle *v, float *distance_m, float *height_m)
{
    MF_ASSERT(v != NULL && distance_m != NULL && height_m != NULL);
    *distance_m = mf_param_f(&v->params, MF_PARAM_GF_MAX_HOR_DIST);
    *height_m = mf_param_f(&v->params, MF_PARAM_GF_MAX_VER_DIST);
}

union mf_param_value mf_snapshot_param(const struct mf_vehicle *v, enum mf_param param)
{
    MF_ASSERT(v != NULL && (unsigned)param < MF_PARAM_COUNT);
    return (union mf_param_value){.bits = v->params.value[param]};
}

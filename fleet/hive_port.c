/* SPDX-License-Identifier: Apache-2.0 */
/* Connects a planner to its drones in each turn; boards/swarm/minds/hive.c calls it. */
#include "fleet/hive_port.h"

#include "fleet/sorted.h"
#include "math/geodesic.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#include <math.h>

uint32_t mf_hive_pilot_of(const struct mf_hive_pilot *pilots, uint32_t count, uint32_t member)
{
    const uint32_t k = mf_sorted_first(&pilots->member, sizeof *pilots, count, member);
    return k < count && pilots[k].member == member ? k : MF_HIVE_NONE;
}

/* Number of pictures up to a time. */
static double pictures(double fps, mf_us_t at_us)
{
    return floor((double)at_us * fps / 1e6);
}

void mf_hive_look(struct mf_hive *h, uint32_t drone, struct mf_hive_pilot *pilot,
                  const struct mf_hive_flight *flight, mf_us_t at_us,
                  const struct mf_order_port *port)
{
    struct mf_order_view view;
    double ne_m[2];
    port->ops->look(port->ctx, &view);
    const struct mf_msg_global_position_int *p = &view.position;
    if (!view.known || p->time_boot_ms == pilot->boot_ms) {
        return;
    }
    pilot->boot_ms = p->time_boot_ms;
    mf_geo_to_local((struct mf_geo){flight->origin[0], flight->origin[1]},
                    (struct mf_geo){(double)p->lat / 1e7, (double)p->lon / 1e7}, ne_m);
    const double north = (double)p->vx / 100.0, east = (double)p->vy / 100.0,
                 down = (double)p->vz / 100.0;
    mf_hive_see(h, drone, at_us,
                &(struct mf_bee_view){
                    .fresh = true,
                    .on_ground = view.landed == MAV_LANDED_STATE_ON_GROUND,
                    .at = {ne_m[1], ne_m[0]},
                    .height_m = (double)p->alt / 1e3 - flight->origin[2],
                    .heading_rad = p->hdg != UINT16_MAX ? mf_rad((double)p->hdg / 100.0) : 0.0,
                    .speed_mps = sqrt(north * north + east * east + down * down),
                    .pictures = pictures(pilot->fps, at_us) >
                                pictures(pilot->fps, at_us - flight->period_us)});
}

static bool send_order(const struct mf_bee *b, const struct mf_hive_flight *flight,
                       const struct mf_order_port *port)
{
    if (b->order == MF_BEE_LAND) {
        return mf_order_land(port);
    }
    const struct mf_geo to = mf_geo_from_local(
        (struct mf_geo){flight->origin[0], flight->origin[1]}, b->goal.n, b->goal.e);
    return mf_order_go(port, (int32_t)(to.lat_deg * 1e7), (int32_t)(to.lon_deg * 1e7),
                       (float)(flight->origin[2] + flight->height_m), (float)flight->speed_mps);
}

void mf_hive_steer(struct mf_hive *h, uint32_t drone, struct mf_hive_pilot *pilot,
                   const struct mf_hive_flight *flight, const struct mf_order_port *port)
{
    const struct mf_bee *b = &h->bee[drone];
    struct mf_mind *mind = &pilot->mind;
    mind->turns++;
    if (b->order == MF_BEE_RISE && b->view.fresh) {
        struct mf_order_view view;
        mind->phase = b->told ? mind->phase : MF_BEHAVIOUR_GROUND;
        (void)mf_behave_rise(&flight->rise, mind, port, &view);
        mf_hive_told(h, drone);
    } else if (mf_hive_wants(h, drone) && send_order(b, flight, port)) {
        mf_hive_told(h, drone);
    }
}

bool mf_hive_rests(const struct mf_hive *h)
{
    for (uint32_t i = 0; i < h->bees; i++) {
        if (h->bee[i].state == MF_BEE_OUT || h->bee[i].state == MF_BEE_COMING) {
            return false;
        }
    }
    return h->total.done_us >= 0;
}

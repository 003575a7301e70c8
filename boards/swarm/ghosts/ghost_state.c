/* SPDX-License-Identifier: Apache-2.0 */
/* State and pose of a ghost by its last report; the carrier of ghosts and the files ghost_*.c call
 * it. */
#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "firmware/flight/mode.h"
#include "fleet/sorted.h"
#include "math/geodesic.h"
#include "math/trig.h"
#include "mavlink/enums.h"

struct ghost *swarm_ghost_of(const struct swarm *w, uint32_t i)
{
    const struct swarm_ghosts *g = swarm_ghosts_of(w);
    const uint32_t k = mf_sorted_first(&g->ghost->i, sizeof *g->ghost, g->count, i);
    MF_ASSERT(k < g->count && g->ghost[k].i == i);
    return &g->ghost[k];
}

struct mf_crowd_state swarm_ghost_get_state(const struct swarm *w, uint32_t i)
{
    const struct ghost *ghost = swarm_ghost_of(w, i);
    const struct mf_order_view *view = &ghost->port.view;
    const int mode =
        mf_mode_from_custom((uint8_t)(view->custom_mode >> 16), (uint8_t)(view->custom_mode >> 24));
    return (struct mf_crowd_state){.at_us = ghost->at_us,
                                   .mode = mode >= 0 ? (uint8_t)mode : (uint8_t)MF_MODE_HOLD,
                                   .landed = view->landed,
                                   .armed = view->armed,
                                   .reached = -1};
}

/* Pose in the drone's GLOBAL_POSITION_INT. A drone in lockstep sends it at the current instant, so
 * it needs no extrapolation. */
static struct mf_pose get_reported_pose(const struct mf_order_view *view)
{
    const struct mf_msg_global_position_int *p = &view->position;
    return (struct mf_pose){
        .lat_deg = (double)p->lat / 1e7,
        .lon_deg = (double)p->lon / 1e7,
        .alt_amsl_m = (double)p->alt / 1e3,
        .vel_ned_mps = {(float)p->vx / 100.0f, (float)p->vy / 100.0f, (float)p->vz / 100.0f},
        .yaw_rad = (float)mf_wrap_pi(mf_rad((double)p->hdg / 100.0)),
        .on_ground = view->landed == MAV_LANDED_STATE_ON_GROUND,
    };
}

struct mf_pose swarm_ghost_get_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    const struct ghost *ghost = swarm_ghost_of(w, i);
    const double *origin = w->scenario->origin;
    struct mf_ghost_sample at;
    if (ghost->process != NULL) {
        return ghost->truth;
    }
    if (ghost->steps) {
        return get_reported_pose(&ghost->port.view);
    }
    mf_ghost_at(&ghost->track, at_us, &at);
    const struct mf_geo geo =
        mf_geo_from_local((struct mf_geo){origin[0], origin[1]}, at.neu_m[0], at.neu_m[1]);
    return (struct mf_pose){
        .lat_deg = geo.lat_deg,
        .lon_deg = geo.lon_deg,
        .alt_amsl_m = origin[2] + at.neu_m[2],
        .vel_ned_mps = {(float)at.vel_neu_mps[0], (float)at.vel_neu_mps[1],
                        (float)-at.vel_neu_mps[2]},
        .yaw_rad = (float)at.yaw_rad,
        .on_ground = ghost->port.view.landed == MAV_LANDED_STATE_ON_GROUND,
    };
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Moves things, which stand where the scenario places them or move straight on. members.c calls
 * its carrier. */
#include "boards/swarm/members/carrier.h"

#include "firmware/state/state.h"
#include "fleet/place.h"
#include "math/trig.h"

static struct mf_crowd_state thing_state(const struct swarm *w, uint32_t i)
{
    (void)w, (void)i;
    return (struct mf_crowd_state){.landed = MF_LANDED_ON_GROUND, .reached = -1};
}

/* Move a thing along its course, as objects of a search move. */
static void carry_on(const struct swarm *w, uint32_t i, mf_us_t at_us, struct mf_pose *pose)
{
    const struct mf_geo origin = {w->scenario->origin[0], w->scenario->origin[1]};
    const double t_s = (double)at_us * 1e-6;
    double ne_mps[2], ne_m[2];
    mf_place_way(w->scenario, i, ne_mps);
    mf_geo_to_local(origin, (struct mf_geo){pose->lat_deg, pose->lon_deg}, ne_m);
    const struct mf_geo at =
        mf_geo_from_local(origin, ne_m[0] + ne_mps[0] * t_s, ne_m[1] + ne_mps[1] * t_s);
    pose->lat_deg = at.lat_deg;
    pose->lon_deg = at.lon_deg;
    pose->vel_ned_mps[0] = (float)ne_mps[0];
    pose->vel_ned_mps[1] = (float)ne_mps[1];
    pose->yaw_rad = (float)mf_atan2(ne_mps[1], ne_mps[0]);
}

static struct mf_pose thing_pose(const struct swarm *w, uint32_t i, mf_us_t at_us)
{
    const struct mf_placed placed = mf_place(w->scenario, i);
    struct mf_pose is = {.lat_deg = placed.at.lat_deg,
                         .lon_deg = placed.at.lon_deg,
                         .alt_amsl_m = placed.alt_amsl_m,
                         .on_ground = true};
    if (mf_scenario_entity_of(w->scenario, i)->object.speed_mps > 0.0) {
        carry_on(w, i, at_us, &is);
    }
    return is;
}

const struct swarm_carrier swarm_things = {.state = thing_state, .pose = thing_pose};

/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the state of members and of obstacles for frames. bus.c, bus_world.c and page/ call it.
 */
#include "boards/swarm/outside/frames.h"

#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/links/links.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/space/senses.h"
#include "firmware/flight/mode.h"
#include "hal-posix/endpoint.h"
#include "math/geodesic.h"

void swarm_frame_state(const struct swarm *w, struct mf_bus_writer *f, uint32_t i, mf_us_t at_us)
{
    const double *origin = w->scenario->origin;
    const struct mf_crowd_state now = swarm_state(w, i);
    const struct mf_pose pose = swarm_pose(w, i, at_us);
    struct mf_bus_state state = {
        .neu_m = {0.0, 0.0, pose.alt_amsl_m - origin[2]},
        .vel_neu_mps = {pose.vel_ned_mps[0], pose.vel_ned_mps[1], -pose.vel_ned_mps[2]},
        .yaw_rad = pose.yaw_rad,
        .custom_mode = mf_mode_custom((enum mf_mode)now.mode),
        .known = !swarm_is_away(w, i, at_us),
        .armed = now.armed,
        .failsafe = now.failsafe,
        .landed = now.landed,
        .charge = swarm_charge(w, i, at_us)};
    mf_geo_to_local((struct mf_geo){origin[0], origin[1]},
                    (struct mf_geo){pose.lat_deg, pose.lon_deg}, state.neu_m);
    mf_bus_put_state(f, &state);
}

void swarm_frame_sensed(const struct swarm *w, struct mf_bus_writer *f, uint32_t i, uint32_t k,
                        mf_us_t at_us)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(w->scenario, i);
    const struct swarm_sensed *s = swarm_get_sensed(w, i, k);
    const uint32_t values = s->count > 0 ? mf_sensor_values(e->sensor[k].kind) : 0;
    mf_bus_put_u(f, i, 4);
    mf_bus_put_u(f, k, 1);
    mf_bus_put_u(f, values, 1);
    mf_bus_put_u(f, s->found, 2);
    mf_bus_put_u(f, s->what, 4);
    mf_bus_put_f32(f, values > 0 ? (float)((double)(at_us - s->at_us) / 1e6) : 0.0f);
    for (uint32_t n = 0; n < MF_SENSOR_VALUES_MAX; n++) {
        mf_bus_put_f32(f, n < values ? (float)s->value[n] : 0.0f);
    }
}

uint32_t swarm_frame_obstacles(const struct swarm *w, struct mf_bus_writer *f, uint32_t from)
{
    return mf_bus_put_obstacles(f, &w->scenario->search, w->members.space, from);
}

void swarm_frame_scene(const struct swarm *w, struct mf_bus_writer *f)
{
    char api[MF_ADDR_TEXT_MAX];
    swarm_links_get_api(w, api);
    mf_bus_put_scene(f, w->scenario, w->file, api);
}

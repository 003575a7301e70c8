/* SPDX-License-Identifier: Apache-2.0 */
/* Where a session begins: a world and options by its seed, and the clients' links. */
#include "tests/sim/states.h"

#include <string.h>

void states_open(struct states *s, unsigned port, enum mf_rate_profile profile)
{
    static int32_t s_interval_us[sizeof s->port / sizeof s->port[0]][MF_STREAM_COUNT];
    int32_t *interval_us = s_interval_us[port];
    struct mf_mock_port *device = &s->r->mock.port[port];
    device->gone = false;
    device->room = SIZE_MAX;
    device->feed_len = device->feed_read = 0;
    device->datagram = port == 1;
    device->peer =
        (struct mf_sender){states_chance(s, 20) ? 1 : 2, 0, (uint8_t)(245 + 3 * port), 190};
    const struct mf_serial serial = mf_mock_serial(&s->r->mock, (int)port);
    mf_stream_profile(profile, interval_us);
    mf_stream_leave_to_sdk(interval_us, s->r->drone.vehicle.options.px4_strict);
    s->port[port] = (struct states_port){.link = -1, .wanted = -1, .beat = s->r->mock.now};
    s->port[port].link = mf_link_open(&s->r->drone.vehicle, &serial, "client", interval_us);
    states_check(s, s->port[port].link >= 0);
    states_pass(s);
}

void states_close(struct states *s, unsigned port)
{
    mf_link_close(&s->r->drone.vehicle, s->port[port].link);
    s->port[port].link = -1;
    mf_mock_clear(&s->r->mock, (int)port);
    states_pass(s);
}

static void choose_world(struct states *s, struct mf_world_settings *w)
{
    w->home_lat_deg = RIG_LAT_DEG;
    w->home_lon_deg = RIG_LON_DEG;
    w->home_alt_amsl_m = RIG_ALT_M;
    w->motion = states_chance(s, 50) ? MF_WORLD_MOTION_PHYSICS : MF_WORLD_MOTION_CONSTANT;
    w->seed = (int32_t)states_below(s, INT32_MAX);
    w->accel_mps2 = states_chance(s, 30) ? states_between(s, 1.0, 10.0) : 0.0;
    if (states_chance(s, 40)) {
        w->wind_mps = states_between(s, 0.0, 12.0);
        w->wind_from_deg = states_between(s, -180.0, 360.0);
        w->gusts_mps = states_between(s, 0.0, 3.0);
    }
    if (states_chance(s, 40)) {
        w->gnss_noise_m = states_between(s, 0.0, 3.0);
        w->gnss_noise_vertical_m = states_between(s, 0.0, 3.0);
        w->gnss_drift_m = states_between(s, 0.0, 5.0);
        w->gnss_drift_vertical_m = states_between(s, 0.0, 5.0);
    }
    if (states_chance(s, 20)) {
        w->battery_capacity_mah = states_between(s, 300.0, 5000.0);
    }
    if (states_chance(s, 20)) {
        w->gnss_warmup_s = states_between(s, 0.0, 20.0);
    }
    for (w->fault_count = 0; w->fault_count < 4 && states_chance(s, 40); w->fault_count++) {
        w->fault[w->fault_count] =
            (struct mf_fault_plan){.fault = (enum mf_fault)states_below(s, MF_FAULT_COUNT),
                                   .on = (enum mf_happening)states_below(s, MF_HAPPENING_COUNT),
                                   .index = (uint16_t)states_below(s, 4),
                                   .after_us = (mf_us_t)states_below(s, 600000000),
                                   .for_us = 1 + (mf_us_t)states_below(s, 60000000)};
        if (mf_fault_least(w->fault[w->fault_count].fault, &w->fault[w->fault_count].with) > 0.0f) {
            w->fault[w->fault_count].with.value[0] = 1.0f;
        }
    }
}

void states_begin(struct states *s, uint64_t seed)
{
    const struct states kept = *s;
    struct mf_world_settings world = mf_world_settings_default();
    *s = (struct states){.seed = seed, .rng = seed, .row = "begin"};
    s->trace = kept.trace;
    s->program = kept.program;
    s->landings = kept.landings;
    s->items = kept.items;
    memcpy(s->entered, kept.entered, sizeof s->entered);
    choose_world(s, &world);
    const bool holdable = states_chance(s, 50);
    const struct mf_options options = {
        .px4_motion = world.motion == MF_WORLD_MOTION_PHYSICS,
        .px4_strict = states_chance(s, 25),
        .lenient_param_types = states_chance(s, 30),
        .lose_item_reached = (seed & 7u) == 7u,
        .statustext_gcs_only = states_chance(s, 30),
        .start_grid_us = states_chance(s, 50) ? 100 * MF_MS_US : 0,
    };
    s->r = rig_new_in(&options, &world);
    s->r->drone.vehicle.barriers = holdable ? s->r->barriers : NULL;
    for (unsigned i = 0; i < STATES_PORTS; i++) {
        s->port[i].link = i == 0 ? s->r->link : -1;
    }
    states_forget(s);
    s->hash = UINT64_C(0xCBF29CE484222325);
    states_pass(s);
}

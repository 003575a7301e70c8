/* SPDX-License-Identifier: Apache-2.0 */
/* Building of a vehicle's world from settings. Called by drone/drone, hal-sim/crowd and boards. */
#include "world/world.h"

#include "math/trig.h"

#include <string.h>

#define ACCEL_MIN_MPS2 0.001 /* smaller accelerations count as 0 */

struct mf_world_settings mf_world_settings_default(void)
{
    return (struct mf_world_settings){
#define X(type, field, key, value, low, high) .field = (value),
        MF_WORLD_SETTING_LIST(X)
#undef X
    };
}

bool mf_world_settings_are_good(const struct mf_world_settings *settings)
{
    MF_ASSERT(settings != NULL);
    bool good = settings->motion < MF_WORLD_MOTION_COUNT && settings->epoch_utc_us >= 0 &&
                settings->fault_count <= MF_FAULT_PLANS_MAX;
#define X(type, field, key, value, low, high) \
    good = good && mf_between((double)settings->field, (low), (high));
    MF_WORLD_SETTING_LIST(X)
#undef X
    return good;
}

int mf_world_motion(const char *word)
{
    static const char *const k_word[] = {
#define X(name, text) [MF_WORLD_MOTION_##name] = (text),
        MF_WORLD_MOTION_LIST(X)
#undef X
    };
    MF_ASSERT(word != NULL);
    for (int i = 0; i < MF_WORLD_MOTION_COUNT; i++) {
        if (strcmp(k_word[i], word) == 0) {
            return i;
        }
    }
    return MF_E_NOENT;
}

/* ---- devices, each on top of those before it ---- */

static int init_body(struct mf_world *w, const struct mf_world_settings *s, struct mf_hal *devices)
{
    const float yaw_rad = (float)mf_rad(s->home_yaw_deg);
    if (s->body != NULL) {
        s->body->begin(s->body->ctx, s);
        devices->airframe = s->body->ops;
        devices->airframe_ctx = s->body->ctx;
        return MF_E_OK;
    }
    if (s->motion == MF_WORLD_MOTION_PHYSICS) {
        struct mf_physics_limits limits = mf_physics_limits_px4;
        limits.drag_per_s = (float)s->drag_per_s;
        limits.damping = (float)s->damping;
        w->parts.physics = mf_memory_part(s->memory, w->parts.physics, sizeof *w->parts.physics);
        if (w->parts.physics == NULL) {
            return MF_E_FULL;
        }
        mf_airframe_physics_init(w->parts.physics, s->home_lat_deg, s->home_lon_deg,
                                 s->home_alt_amsl_m, yaw_rad, &limits);
        mf_airframe_physics_set_terrain(w->parts.physics, w->earth.terrain);
        devices->airframe = &mf_airframe_physics_ops;
        devices->airframe_ctx = w->parts.physics;
        return MF_E_OK;
    }
    mf_airframe_constant_init(&w->constant, s->home_lat_deg, s->home_lon_deg, s->home_alt_amsl_m,
                              yaw_rad);
    mf_airframe_constant_set_accel(&w->constant,
                                   s->accel_mps2 < ACCEL_MIN_MPS2 ? 0.0f : (float)s->accel_mps2);
    mf_airframe_constant_set_audit(&w->constant, s->audit);
    mf_airframe_constant_set_terrain(&w->constant, w->earth.terrain);
    devices->airframe = &mf_airframe_constant_ops;
    devices->airframe_ctx = &w->constant;
    return MF_E_OK;
}

static void init_gnss(struct mf_world *w, const struct mf_world_settings *s, struct mf_hal *devices)
{
    mf_gnss_exact_init(&w->gnss, devices->airframe, devices->airframe_ctx);
    w->gnss.earth = &w->earth;
    w->gnss.fix_after_us = (mf_us_t)(s->gnss_warmup_s * 1e6);
    w->gnss.epoch_utc_us = s->epoch_utc_us;
    w->gnss.satellites = (uint8_t)s->gnss_satellites;
    devices->gnss = &mf_gnss_exact_ops;
    devices->gnss_ctx = &w->gnss;
}

static int init_wind(struct mf_world *w, const struct mf_world_settings *s, struct mf_hal *devices,
                     const struct mf_seed *seed)
{
    const struct mf_wind_settings wind = {s->wind_mps, s->wind_from_deg, s->gusts_mps,
                                          s->gust_time_s, s->drag_per_s};
    if (s->wind_mps > 0.0 || s->gusts_mps > 0.0) {
        w->parts.wind = mf_memory_part(s->memory, w->parts.wind, sizeof *w->parts.wind);
        if (w->parts.wind == NULL) {
            return MF_E_FULL;
        }
        mf_wind_init(w->parts.wind, devices->airframe, devices->airframe_ctx, seed, &wind);
        devices->airframe = &mf_wind_airframe_ops;
        devices->airframe_ctx = w->parts.wind;
    }
    return MF_E_OK;
}

static int init_gnss_noise(struct mf_world *w, const struct mf_world_settings *s,
                           struct mf_hal *devices, const struct mf_seed *seed)
{
    const struct mf_gnss_errors e = {
        .noise_m = s->gnss_noise_m,
        .noise_vertical_m = s->gnss_noise_vertical_m,
        .noise_mps = s->gnss_noise_mps,
        .drift_m = s->gnss_drift_m,
        .drift_vertical_m = s->gnss_drift_vertical_m,
        .drift_time_s = s->gnss_drift_time_s,
    };
    if (e.noise_m > 0.0 || e.noise_vertical_m > 0.0 || e.noise_mps > 0.0 || e.drift_m > 0.0 ||
        e.drift_vertical_m > 0.0) {
        struct mf_gnss_noise *noise =
            mf_memory_part(s->memory, w->parts.gnss_noise, sizeof *w->parts.gnss_noise);
        if (noise == NULL) {
            return MF_E_FULL;
        }
        w->parts.gnss_noise = noise;
        mf_gnss_noise_init(noise, devices->gnss, devices->gnss_ctx, seed, &e);
        noise->earth = &w->earth;
        devices->gnss = &mf_gnss_noise_ops;
        devices->gnss_ctx = noise;
    }
    return MF_E_OK;
}

/* Wrap the airframe into a battery with a capacity, which flight drains. */
static int init_drain(struct mf_world *w, const struct mf_world_settings *s, struct mf_hal *devices)
{
    if (!(s->battery_capacity_mah > 0.0)) {
        return MF_E_OK;
    }
    struct mf_battery_drain *b = mf_memory_part(s->memory, w->parts.drain, sizeof *w->parts.drain);
    if (b == NULL) {
        return MF_E_FULL;
    }
    w->parts.drain = b;
    mf_battery_drain_init(b, devices->airframe, devices->airframe_ctx);
    b->capacity_mah = s->battery_capacity_mah;
    b->hover_a = s->battery_hover_a;
    b->idle_a = s->battery_idle_a;
    b->full_v = s->battery_voltage_v;
    b->resistance_ohm = MF_BATTERY_CELL_OHM * s->battery_cells;
    b->remaining = s->battery_remaining_percent / 100.0;
    b->cells = (uint8_t)s->battery_cells;
    devices->airframe = &mf_battery_drain_airframe_ops;
    devices->airframe_ctx = b;
    devices->power = &mf_battery_drain_ops;
    devices->power_ctx = b;
    return MF_E_OK;
}

static void init_battery(struct mf_world *w, const struct mf_world_settings *s,
                         struct mf_hal *devices)
{
    mf_battery_static_init(&w->battery);
    w->battery.state.voltage_v = (float)s->battery_voltage_v;
    w->battery.state.current_a = (float)s->battery_current_a;
    w->battery.state.remaining = (float)(s->battery_remaining_percent / 100.0);
    w->battery.state.cells = (uint8_t)s->battery_cells;
    devices->power = &mf_battery_static_ops;
    devices->power_ctx = &w->battery;
}

static void init_sensors(struct mf_world *w, struct mf_hal *devices)
{
    mf_body_sensors_init(&w->sensors, devices->airframe, devices->airframe_ctx);
    devices->sensors = &mf_body_sensors_ops;
    devices->sensors_ctx = &w->sensors;
}

/* Wrap the body before the receiver begins, which reports its true place. @return the wrapped
 * body */
static struct mf_wrapped break_body(struct mf_world *w, struct mf_hal *devices)
{
    const struct mf_wrapped body = {devices->airframe, devices->airframe_ctx};
    devices->airframe = &mf_faults_airframe_ops;
    devices->airframe_ctx = &w->faults;
    return body;
}

/* Make faults the outermost decorators: a broken device is broken, however good it is. */
static int init_faults(struct mf_world *w, const struct mf_world_settings *s,
                       struct mf_hal *devices, struct mf_wrapped body)
{
    mf_faults_init(&w->faults, devices->gnss, devices->gnss_ctx, devices->power,
                   devices->power_ctx);
    w->faults.memory = s->memory;
    w->faults.earth = &w->earth;
    w->faults.drag_per_s = s->drag_per_s;
    mf_faults_carry(&w->faults, body.airframe, body.ctx);
    mf_faults_sense(&w->faults, devices->sensors, devices->sensors_ctx);
    int result = MF_E_OK;
    for (uint32_t i = 0; i < s->fault_count && result == MF_E_OK; i++) {
        result = mf_faults_schedule(&w->faults, &s->fault[i]);
    }
    return result;
}

/* Begin all devices, each on top of those before it. */
static int init_devices(struct mf_world *w, const struct mf_world_settings *s,
                        struct mf_hal *devices, const struct mf_seed *seed)
{
    int result = init_body(w, s, devices);
    if (result == MF_E_OK) {
        result = init_wind(w, s, devices, seed);
    }
    init_battery(w, s, devices);
    if (result == MF_E_OK) {
        result = init_drain(w, s, devices);
    }
    const struct mf_wrapped body = break_body(w, devices);
    init_sensors(w, devices);
    init_gnss(w, s, devices);
    if (result == MF_E_OK) {
        result = init_gnss_noise(w, s, devices, seed);
    }
    return result == MF_E_OK ? init_faults(w, s, devices, body) : result;
}

int mf_world_init(struct mf_world *world, const struct mf_world_settings *settings)
{
    MF_ASSERT(world != NULL && mf_world_settings_are_good(settings));
    const struct mf_world_parts parts = world->parts;
    struct mf_fault_book *const book = world->faults.book;
    memset(world, 0, sizeof *world);
    world->parts = parts;
    world->faults.book = book;
    const struct mf_seed seed = {(uint64_t)settings->seed, settings->instance};
    const int result = mf_earth_init(&world->earth, settings->geoid, settings->home_lat_deg,
                                     settings->home_lon_deg);
    if (result != MF_E_OK) {
        return result;
    }
    mf_earth_set_terrain(&world->earth, settings->terrain);
    struct mf_hal devices = mf_hal_null();
    return init_devices(world, settings, &devices, &seed);
}

void mf_world_connect(struct mf_world *world, struct mf_hal *hal)
{
    MF_ASSERT(world != NULL && hal != NULL && world->faults.wrapped.airframe != NULL);
    hal->airframe = &mf_faults_airframe_ops;
    hal->gnss = &mf_faults_gnss_ops;
    hal->power = &mf_faults_power_ops;
    hal->sensors = &mf_faults_sensors_ops;
    hal->inject = &mf_faults_inject_ops;
    hal->airframe_ctx = hal->gnss_ctx = hal->power_ctx = hal->sensors_ctx = hal->inject_ctx =
        &world->faults;
    hal->earth = &mf_earth_geoid_ops;
    hal->earth_ctx = &world->earth;
}

struct mf_pose mf_world_pose(const struct mf_world *world, mf_us_t t_us)
{
    struct mf_pose pose;
    void *const body = (void *)&world->faults; /* a sample leaves it unchanged */
    const struct mf_airframe_ops *const airframe = &mf_faults_airframe_ops;
    const int result = airframe->sample(body, t_us, &pose);
    MF_ASSERT(result == MF_E_OK);
    return pose;
}

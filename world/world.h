/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Everything outside the autopilot except the host: a body, its receiver and battery, and their
 * faults, built from settings in one place for every board.
 *
 * A device that changes another one is a decorator: it lies in struct mf_world or its parts,
 * mf_world_init() gives it the device that it wraps, and it takes that one's place among the
 * devices. Faults are the outermost decorators of every device, so mf_world_connect() hands out
 * these and the Earth.
 */
#ifndef MF_WORLD_WORLD_H
#define MF_WORLD_WORLD_H

#include "hal/hal.h"
#include "hal/memory.h"
#include "world/airframe_constant.h"
#include "world/airframe_physics.h"
#include "world/battery.h"
#include "world/earth.h"
#include "world/faults.h"
#include "world/gnss.h"
#include "world/gnss_noise.h"
#include "world/sensors.h"
#include "world/wind.h"

/** Motions of the body, by the words of the setting "motion". EVENT is CONSTANT for the world; the
 * host makes the difference by its clock. */
#define MF_WORLD_MOTION_LIST(X) X(CONSTANT, "constant") X(PHYSICS, "physics") X(EVENT, "event")

enum mf_world_motion {
#define X(name, word) MF_WORLD_MOTION_##name,
    MF_WORLD_MOTION_LIST(X)
#undef X
        MF_WORLD_MOTION_COUNT
};

/** Settings with a number: type, field, key in configurations and recordings, default, lowest,
 * highest. host/config/config_table.h explains them. */
/* clang-format off */
#define MF_WORLD_SETTING_LIST(X)                                             \
    X(REAL, home_lat_deg, "home.lat", 47.397742, -90, 90)                    \
    X(REAL, home_lon_deg, "home.lon", 8.545594, -180, 180)                   \
    X(REAL, home_alt_amsl_m, "home.alt", 488, -1000, 20000)                  \
    X(REAL, home_yaw_deg, "home.heading", 0, -180, 360)                      \
    X(REAL, accel_mps2, "accel", 0, 0, 1000)                                 \
    X(REAL, drag_per_s, "drag", 1, 0, 10)                                    \
    X(REAL, damping, "damping", 1, 0.1, 1)                                   \
    X(REAL, gnss_warmup_s, "gnss.warmup", 0, 0, 3600)                        \
    X(INT, gnss_satellites, "gnss.satellites", 10, 0, 60)                    \
    X(REAL, gnss_noise_m, "gnss.noise", 0, 0, 100)                           \
    X(REAL, gnss_noise_vertical_m, "gnss.noise_vertical", 0, 0, 100)         \
    X(REAL, gnss_noise_mps, "gnss.noise_speed", 0, 0, 10)                    \
    X(REAL, gnss_drift_m, "gnss.drift", 0, 0, 1000)                          \
    X(REAL, gnss_drift_vertical_m, "gnss.drift_vertical", 0, 0, 1000)        \
    X(REAL, gnss_drift_time_s, "gnss.drift_time", 60, 1, 86400)              \
    X(REAL, battery_voltage_v, "battery.voltage", 16.2, 0, 100)              \
    X(REAL, battery_current_a, "battery.current", -1, -1, 300)               \
    X(REAL, battery_remaining_percent, "battery.remaining", 100, 0, 100)     \
    X(INT, battery_cells, "battery.cells", 4, 1, 10)                         \
    X(REAL, battery_capacity_mah, "battery.capacity", 0, 0, 1000000)         \
    X(REAL, battery_hover_a, "battery.hover_current", 15, 0, 300)            \
    X(REAL, battery_idle_a, "battery.idle_current", 1, 0, 300)               \
    X(REAL, wind_mps, "wind.speed", 0, 0, 50)                                \
    X(REAL, wind_from_deg, "wind.direction", 0, -180, 360)                   \
    X(REAL, gusts_mps, "wind.gusts", 0, 0, 20)                               \
    X(REAL, gust_time_s, "wind.gust_time", 5, 0.5, 3600)                     \
    X(INT, seed, "seed", 1, 0, INT32_MAX)
/* clang-format on */

struct mf_world_settings;

/** Body of a board, in place of those above: it begins on the ground at home. */
struct mf_world_body {
    const struct mf_airframe_ops *ops;
    void *ctx;
    void (*begin)(void *ctx, const struct mf_world_settings *settings);
};

#define MF_WORLD_FIELD_INT(field)  int32_t field;
#define MF_WORLD_FIELD_REAL(field) double field;

struct mf_world_settings {
#define X(type, field, key, value, low, high) MF_WORLD_FIELD_##type(field)
    MF_WORLD_SETTING_LIST(X)
#undef X
    enum mf_world_motion motion;
    const struct mf_world_body *body; /**< must outlive the world; NULL: that of the motion */
    bool audit; /**< a body of constant speed ends its legs beyond their targets, with speed */
    struct mf_geoid
        *geoid; /**< must outlive the world; NULL: the mean sea level is the ellipsoid */
    struct mf_terrain
        *terrain;             /**< must outlive the world; NULL, or empty: flat, as high as home */
    struct mf_memory *memory; /**< memory for parts, also while time passes; must outlive the world;
                                 NULL: without memory */
    int64_t epoch_utc_us;     /**< UTC at vehicle time 0; 0: unknown */
    uint64_t
        instance; /**< number of the vehicle: random disturbances depend on it and on the seed */
    uint32_t fault_count;
    struct mf_fault_plan fault[MF_FAULT_PLANS_MAX];
};

/** Parts that only some worlds have: allocated from the board's memory on demand, and kept for
 * later lives. */
struct mf_world_parts {
    struct mf_airframe_physics *physics;
    struct mf_wind *wind;
    struct mf_battery_drain *drain;
    struct mf_gnss_noise *gnss_noise;
};

/** Memory of all parts of one world [bytes]. */
#define MF_WORLD_PARTS_BYTES                                                                      \
    (MF_MEMORY_BYTES(sizeof(struct mf_airframe_physics)) +                                        \
     MF_MEMORY_BYTES(sizeof(struct mf_wind)) + MF_MEMORY_BYTES(sizeof(struct mf_battery_drain)) + \
     MF_MEMORY_BYTES(sizeof(struct mf_gnss_noise)) +                                              \
     MF_MEMORY_BYTES(sizeof(struct mf_fault_book)))

/** The caller allocates it, zeroed before the first mf_world_init(), and must not move it
 * afterwards. */
struct mf_world {
    struct mf_airframe_constant
        constant; /**< the body, unless parts.physics or the board's body is */
    struct mf_earth earth;
    struct mf_battery_static battery;
    struct mf_gnss_exact gnss;
    struct mf_body_sensors sensors;
    struct mf_faults faults;
    struct mf_world_parts parts;
};

/** @brief Defaults of the list: constant speed, without faults and disturbances. */
struct mf_world_settings mf_world_settings_default(void);

/** @brief True if every value is within its range. Not-a-number is not. */
bool mf_world_settings_are_good(const struct mf_world_settings *settings);

/** @brief Motion of a word. @return enum mf_world_motion, or MF_E_NOENT */
int mf_world_motion(const char *word);

/** @brief Begin a world at vehicle time 0: the body on the ground at home; on the terrain if it is
 * known there, whatever home's altitude. The settings must be good.
 * @return MF_E_OK; MF_E_FULL: not enough memory for a part; MF_E_NOSUPP or MF_E_RANGE: a fault that
 * cannot be scheduled, or a home without a geoid; MF_E_IO: the geoid is damaged there */
int mf_world_init(struct mf_world *world, const struct mf_world_settings *settings);

/** @brief Put airframe, receiver, battery, sensors, fault injection and Earth into a set of
 * devices, which keeps its clock, store and log. */
void mf_world_connect(struct mf_world *world, struct mf_hal *hal);

/** @brief True state of the body at @p t_us, without the errors of the devices. */
struct mf_pose mf_world_pose(const struct mf_world *world, mf_us_t t_us);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/hal.h"

static struct mf_now null_read_clock(void *ctx)
{
    (void)ctx;
    return (struct mf_now){0, 0};
}

static int null_arm(void *ctx, mf_us_t t_us, bool on)
{
    (void)ctx, (void)t_us, (void)on;
    return MF_E_IO;
}

static int null_plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    (void)ctx, (void)t_us, (void)legs, (void)n;
    return MF_E_IO;
}

static int null_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    (void)ctx, (void)t_us, (void)pose;
    return MF_E_IO;
}

static int null_next(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us)
{
    (void)ctx, (void)t_us, (void)when, (void)value;
    *at_us = MF_NEVER;
    return MF_E_OK;
}

static int null_read_fix(void *ctx, mf_us_t t_us, struct mf_fix *fix)
{
    (void)ctx, (void)t_us, (void)fix;
    return MF_E_IO;
}

static int null_next_fix(void *ctx, mf_us_t t_us, mf_us_t *at_us)
{
    (void)ctx, (void)t_us;
    *at_us = MF_NEVER;
    return MF_E_OK;
}

static int null_read_battery(void *ctx, mf_us_t t_us, struct mf_battery *battery)
{
    (void)ctx, (void)t_us, (void)battery;
    return MF_E_IO;
}

static int null_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    (void)ctx, (void)area;
    *info = (struct mf_store_info){0};
    return MF_E_OK;
}

static int null_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    (void)ctx, (void)area, (void)index, (void)record;
    return MF_E_RANGE;
}

static int null_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    (void)ctx, (void)area, (void)index, (void)record;
    return MF_E_FULL;
}

static int null_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    (void)ctx, (void)area, (void)tag;
    return count == 0 ? MF_E_OK : MF_E_FULL;
}

static void null_event(void *ctx, mf_us_t t_us, enum mf_severity severity, const char *topic,
                       const char *text)
{
    (void)ctx, (void)t_us, (void)severity, (void)topic, (void)text;
}

static int null_set_fault(void *ctx, mf_us_t t_us, enum mf_fault fault, bool on,
                          const struct mf_fault_values *with)
{
    (void)ctx, (void)t_us, (void)fault, (void)on, (void)with;
    return MF_E_NOSUPP;
}

static bool null_fault_active(void *ctx, mf_us_t t_us, enum mf_fault fault,
                              struct mf_fault_values *with)
{
    (void)ctx, (void)t_us, (void)fault, (void)with;
    return false;
}

static mf_us_t null_next_fault(void *ctx, mf_us_t t_us)
{
    (void)ctx, (void)t_us;
    return MF_NEVER;
}

static bool null_happened(void *ctx, mf_us_t t_us, enum mf_happening what, uint16_t index)
{
    (void)ctx, (void)t_us, (void)what, (void)index;
    return false;
}

static int null_plan_fault(void *ctx, mf_us_t t_us, const struct mf_fault_plan *plan)
{
    (void)ctx, (void)t_us, (void)plan;
    return MF_E_NOSUPP;
}

static void null_unplan(void *ctx, mf_us_t t_us, enum mf_fault fault)
{
    (void)ctx, (void)t_us, (void)fault;
}

static bool null_planned(void *ctx, mf_us_t t_us, uint32_t index, struct mf_fault_planned *planned)
{
    (void)ctx, (void)t_us, (void)index, (void)planned;
    return false;
}

static int null_count(void *ctx)
{
    (void)ctx;
    return 0;
}

static int null_archive_info(void *ctx, uint16_t index, struct mf_archive_info *info)
{
    (void)ctx, (void)index, (void)info;
    return MF_E_NOENT;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the contract's type
static int null_archive_read(void *ctx, uint16_t index, uint32_t offset, uint8_t *bytes, size_t n)
{
    (void)ctx, (void)index, (void)offset, (void)bytes, (void)n;
    return MF_E_NOENT;
}

static int null_begin(void *ctx, int64_t utc_s)
{
    (void)ctx, (void)utc_s;
    return MF_E_NOSUPP;
}

static void null_append(void *ctx, const uint8_t *bytes, size_t n)
{
    (void)ctx, (void)bytes, (void)n;
}

static void null_end(void *ctx)
{
    (void)ctx;
}

static int null_erase(void *ctx)
{
    (void)ctx;
    return MF_E_OK;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the contract's type
static int null_earth(void *ctx, double lat_deg, double lon_deg, double *m)
{
    (void)ctx, (void)lat_deg, (void)lon_deg, (void)m;
    return MF_E_NOSUPP;
}

static struct mf_earth_about null_about(void *ctx)
{
    (void)ctx;
    return (struct mf_earth_about){MF_EARTH_NONE, 0, 0};
}

static const struct mf_clock_ops k_clock = {.read = null_read_clock};
static const struct mf_airframe_ops k_airframe = {
    .arm = null_arm, .plan = null_plan, .sample = null_sample, .next = null_next};
static const struct mf_gnss_ops k_gnss = {null_read_fix, null_next_fix};
static int null_next_charge(void *ctx, mf_us_t t_us, float remaining, mf_us_t *at_us)
{
    (void)ctx, (void)t_us, (void)remaining;
    *at_us = MF_NEVER;
    return MF_E_OK;
}

static int null_room(void *ctx, struct mf_archive_room *room)
{
    (void)ctx, (void)room;
    return MF_E_NOSUPP;
}

static int null_sense(void *ctx, mf_us_t t_us, struct mf_sensor_values *values)
{
    (void)ctx, (void)t_us;
    *values = mf_sensor_values_none();
    return MF_E_OK;
}

static int null_calibrate(void *ctx, mf_us_t t_us, enum mf_calibrates what)
{
    (void)ctx, (void)t_us, (void)what;
    return MF_E_NOSUPP;
}

static int null_calibration(void *ctx, mf_us_t t_us, struct mf_calibration_state *state)
{
    (void)ctx, (void)t_us;
    *state = (struct mf_calibration_state){.failed = true, .next_us = MF_NEVER};
    return MF_E_OK;
}

static uint32_t null_lost(void *ctx, mf_us_t t_us)
{
    (void)ctx, (void)t_us;
    return 0;
}

static const struct mf_power_ops k_power = {null_read_battery, null_next_charge};
static const struct mf_sensors_ops k_sensors = {null_sense, null_calibrate, null_calibration,
                                                null_lost};
static const struct mf_store_ops k_store = {null_info, null_get, null_put, null_commit};
static const struct mf_log_ops k_log = {null_event};
static const struct mf_inject_ops k_inject = {
    null_set_fault,  null_fault_active, null_next_fault, null_happened,
    null_plan_fault, null_unplan,       null_planned,    NULL};
static const struct mf_archive_ops k_archive = {null_count, null_archive_info, null_archive_read,
                                                null_begin, null_append,       null_end,
                                                null_erase, null_room};
static const struct mf_earth_ops k_earth = {null_earth, null_earth, null_about};

struct mf_hal mf_hal_null(void)
{
    return (struct mf_hal){
#define X(device) .device = &k_##device,
        MF_HAL_DEVICE_LIST(X)
#undef X
    };
}

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Everything outside the autopilot, as one set of contracts: for each device class a table of
 * operations and a context. Serial devices are not in it: they come and go, each with its link.
 */
#ifndef MF_HAL_HAL_H
#define MF_HAL_HAL_H

#include "hal/airframe.h"
#include "hal/archive.h"
#include "hal/clock.h"
#include "hal/earth.h"
#include "hal/gnss.h"
#include "hal/inject.h"
#include "hal/log.h"
#include "hal/power.h"
#include "hal/sensors.h"
#include "hal/serial.h"
#include "hal/store.h"

#define MF_HAL_DEVICE_LIST(X) \
    X(clock)                  \
    X(airframe)               \
    X(gnss)                   \
    X(power)                  \
    X(sensors)                \
    X(store)                  \
    X(log)                    \
    X(inject)                 \
    X(archive)                \
    X(earth)

struct mf_hal {
#define X(device)                           \
    const struct mf_##device##_ops *device; \
    void *device##_ctx;
    MF_HAL_DEVICE_LIST(X)
#undef X
};

/** @brief A set in which every device is absent: the clock stands still, the receiver is silent,
 * sensors work, the store is empty and takes nothing, the log is discarded, nothing is archived,
 * nothing is known of the Earth. Replace what is there; what is left behaves like
 * missing hardware. */
struct mf_hal mf_hal_null(void);

static inline struct mf_now mf_clock_read(const struct mf_hal *h)
{
    return h->clock->read(h->clock_ctx);
}
static inline int mf_airframe_arm(const struct mf_hal *h, mf_us_t t_us, bool on)
{
    return h->airframe->arm(h->airframe_ctx, t_us, on);
}
static inline int mf_airframe_plan(const struct mf_hal *h, mf_us_t t_us, const struct mf_leg *legs,
                                   size_t n)
{
    return h->airframe->plan(h->airframe_ctx, t_us, legs, n);
}
static inline int mf_airframe_sample(const struct mf_hal *h, mf_us_t t_us, struct mf_pose *pose)
{
    return h->airframe->sample(h->airframe_ctx, t_us, pose);
}
static inline int mf_airframe_next(const struct mf_hal *h, mf_us_t t_us, enum mf_when when,
                                   double value, mf_us_t *at_us)
{
    return h->airframe->next(h->airframe_ctx, t_us, when, value, at_us);
}
static inline int mf_airframe_limit(const struct mf_hal *h, const struct mf_physics_limits *limits)
{
    return mf_airframe_limit_of(h->airframe, h->airframe_ctx, limits);
}
static inline int mf_airframe_turn(const struct mf_hal *h, mf_us_t t_us, const struct mf_leg *leg)
{
    return mf_airframe_turn_of(h->airframe, h->airframe_ctx, t_us, leg);
}
static inline int mf_airframe_motors(const struct mf_hal *h, mf_us_t t_us, mf_us_t *next_us)
{
    return mf_airframe_motors_of(h->airframe, h->airframe_ctx, t_us, next_us);
}
static inline int mf_gnss_read(const struct mf_hal *h, mf_us_t t_us, struct mf_fix *fix)
{
    return h->gnss->read(h->gnss_ctx, t_us, fix);
}
static inline int mf_gnss_next(const struct mf_hal *h, mf_us_t t_us, mf_us_t *at_us)
{
    return h->gnss->next(h->gnss_ctx, t_us, at_us);
}
static inline int mf_power_read(const struct mf_hal *h, mf_us_t t_us, struct mf_battery *battery)
{
    return h->power->read(h->power_ctx, t_us, battery);
}
static inline int mf_power_next(const struct mf_hal *h, mf_us_t t_us, float remaining,
                                mf_us_t *at_us)
{
    return h->power->next(h->power_ctx, t_us, remaining, at_us);
}
static inline int mf_sensors_sample(const struct mf_hal *h, mf_us_t t_us,
                                    struct mf_sensor_values *values)
{
    return h->sensors->sample(h->sensors_ctx, t_us, values);
}
static inline int mf_sensors_calibrate(const struct mf_hal *h, mf_us_t t_us,
                                       enum mf_calibrates what)
{
    return h->sensors->calibrate(h->sensors_ctx, t_us, what);
}
static inline int mf_sensors_calibration(const struct mf_hal *h, mf_us_t t_us,
                                         struct mf_calibration_state *state)
{
    return h->sensors->calibration(h->sensors_ctx, t_us, state);
}
static inline uint32_t mf_sensors_lost(const struct mf_hal *h, mf_us_t t_us)
{
    return h->sensors->lost(h->sensors_ctx, t_us);
}
static inline int mf_store_info(const struct mf_hal *h, enum mf_store_area area,
                                struct mf_store_info *info)
{
    return h->store->info(h->store_ctx, area, info);
}
static inline int mf_store_get(const struct mf_hal *h, enum mf_store_area area, uint16_t index,
                               void *record)
{
    return h->store->get(h->store_ctx, area, index, record);
}
static inline int mf_store_put(const struct mf_hal *h, enum mf_store_area area, uint16_t index,
                               const void *record)
{
    return h->store->put(h->store_ctx, area, index, record);
}
static inline int mf_store_commit(const struct mf_hal *h, enum mf_store_area area, uint16_t count,
                                  uint32_t tag)
{
    return h->store->commit(h->store_ctx, area, count, tag);
}
static inline void mf_log_event(const struct mf_hal *h, mf_us_t t_us, enum mf_severity severity,
                                const char *topic, const char *text)
{
    h->log->event(h->log_ctx, t_us, severity, topic, text);
}
static inline int mf_inject_set(const struct mf_hal *h, mf_us_t t_us, enum mf_fault fault, bool on,
                                const struct mf_fault_values *with)
{
    return h->inject->set(h->inject_ctx, t_us, fault, on, with);
}
static inline bool mf_inject_active(const struct mf_hal *h, mf_us_t t_us, enum mf_fault fault,
                                    struct mf_fault_values *with)
{
    return h->inject->active(h->inject_ctx, t_us, fault, with);
}
static inline mf_us_t mf_inject_next(const struct mf_hal *h, mf_us_t t_us)
{
    return h->inject->next(h->inject_ctx, t_us);
}
static inline bool mf_inject_happened(const struct mf_hal *h, mf_us_t t_us, enum mf_happening what,
                                      uint16_t index)
{
    return h->inject->happened(h->inject_ctx, t_us, what, index);
}
static inline int mf_inject_plan(const struct mf_hal *h, mf_us_t t_us,
                                 const struct mf_fault_plan *plan)
{
    return h->inject->plan(h->inject_ctx, t_us, plan);
}
static inline void mf_inject_unplan(const struct mf_hal *h, mf_us_t t_us, enum mf_fault fault)
{
    h->inject->unplan(h->inject_ctx, t_us, fault);
}
static inline bool mf_inject_planned(const struct mf_hal *h, mf_us_t t_us, uint32_t index,
                                     struct mf_fault_planned *planned)
{
    return h->inject->planned(h->inject_ctx, t_us, index, planned);
}
static inline int mf_inject_unit(const struct mf_hal *h, mf_us_t t_us, int32_t unit, int32_t type)
{
    return h->inject->unit == NULL ? (int)MF_E_NOSUPP
                                   : h->inject->unit(h->inject_ctx, t_us, unit, type);
}

static inline int mf_archive_count(const struct mf_hal *h)
{
    return h->archive->count(h->archive_ctx);
}
static inline int mf_archive_room(const struct mf_hal *h, struct mf_archive_room *room)
{
    return h->archive->room(h->archive_ctx, room);
}
static inline int mf_archive_info(const struct mf_hal *h, uint16_t index,
                                  struct mf_archive_info *info)
{
    return h->archive->info(h->archive_ctx, index, info);
}
static inline int mf_archive_read(const struct mf_hal *h, uint16_t index, uint32_t offset,
                                  uint8_t *bytes, size_t n)
{
    return h->archive->read(h->archive_ctx, index, offset, bytes, n);
}
static inline int mf_archive_begin(const struct mf_hal *h, int64_t utc_s)
{
    return h->archive->begin(h->archive_ctx, utc_s);
}
static inline void mf_archive_append(const struct mf_hal *h, const uint8_t *bytes, size_t n)
{
    h->archive->append(h->archive_ctx, bytes, n);
}
static inline void mf_archive_end(const struct mf_hal *h)
{
    h->archive->end(h->archive_ctx);
}
static inline int mf_archive_erase(const struct mf_hal *h)
{
    return h->archive->erase(h->archive_ctx);
}

static inline int mf_earth_undulation(const struct mf_hal *h, double lat_deg, double lon_deg,
                                      double *m)
{
    return h->earth->undulation(h->earth_ctx, lat_deg, lon_deg, m);
}
static inline int mf_earth_ground(const struct mf_hal *h, double lat_deg, double lon_deg,
                                  double *amsl_m)
{
    return h->earth->ground(h->earth_ctx, lat_deg, lon_deg, amsl_m);
}
static inline struct mf_earth_about mf_earth_about(const struct mf_hal *h)
{
    return h->earth->about(h->earth_ctx);
}

#endif

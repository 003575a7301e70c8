/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Faults as decorators around devices: from a schedule of intervals [from, to) and on request
 * (hal/inject.h).
 *
 * Whether a fault is active at an instant follows from the schedule and the requests so far,
 * nothing else: it is active inside a scheduled interval, and from a request for it until a request
 * against it. A request against it also ends the intervals under way at that time, so that what is
 * acknowledged as cleared is clear; later intervals stand. Requests come in order of time, and
 * questions are about times not before the last request.
 *
 * GPS_OFF: the receiver answers at once that it has nothing (MF_FIX_NONE) rather than fall silent,
 * so that the next GPS_RAW_INT says fix_type 0. A sensor that is off or stuck is lost.
 */
#ifndef MF_WORLD_FAULTS_H
#define MF_WORLD_FAULTS_H

#include "hal/gnss.h"
#include "hal/inject.h"
#include "hal/sensors.h"

/** Scheduled intervals of all faults together. */
#define MF_FAULT_INTERVALS_MAX 16u

struct mf_fault_interval {
    mf_us_t from_us;
    mf_us_t to_us; /**< MF_NEVER: for ever */
    enum mf_fault fault;
};

/** One vehicle's faults. The caller allocates it; its fields belong to the implementation. */
struct mf_faults {
    const struct mf_gnss_ops *gnss; /**< the device behind */
    void *gnss_ctx;
    struct mf_fault_interval interval[MF_FAULT_INTERVALS_MAX];
    uint32_t count;
    struct {
        mf_us_t since_us;
        bool on;
    } asked[MF_FAULT_COUNT]; /**< the last request */
};

/** @brief No faults, around this receiver. */
void mf_faults_init(struct mf_faults *faults, const struct mf_gnss_ops *gnss, void *gnss_ctx);

/** @brief Schedule a fault for @p from_us <= t < @p to_us.
 *  @return MF_E_OK; MF_E_FULL; MF_E_NOSUPP: no such fault; MF_E_RANGE: the interval is empty */
int mf_faults_schedule(struct mf_faults *faults, enum mf_fault fault, mf_us_t from_us,
                       mf_us_t to_us);

/** @brief Whether a fault is active at @p t_us. */
bool mf_faults_active(const struct mf_faults *faults, enum mf_fault fault, mf_us_t t_us);

/** The receiver with its faults; the context is the struct mf_faults. */
extern const struct mf_gnss_ops mf_faults_gnss_ops;

/** The sensors, which work but for their faults; the context is the struct mf_faults. */
extern const struct mf_sensors_ops mf_faults_sensors_ops;

/** Requests; the context is the struct mf_faults. */
extern const struct mf_inject_ops mf_faults_inject_ops;

#endif

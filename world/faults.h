/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Faults as decorators around devices: from a schedule and on request (hal/inject.h).
 *
 * Whether a fault is active at an instant follows from the schedule, from what happened and from
 * the requests so far, nothing else. A scheduled fault is active for its time from the instant
 * that it waits for; a requested one from the request for it until one against it. A request
 * against it also ends what the schedule has under way, so that what is acknowledged as cleared is
 * clear; what is still to come comes, unless it is taken out. What is over makes room for more. Of
 * several that are active the one that began last gives the values; a request, of two that began
 * together.
 *
 * Requests and happenings come in order of time, and questions are about times not before them.
 *
 * The decorators, each for its own rows of the table: the body (faults_airframe.c), the receiver
 * (faults_gnss.c), the battery (faults_power.c), and sensors.
 * What no device shows the firmware asks for.
 */
#ifndef MF_WORLD_FAULTS_H
#define MF_WORLD_FAULTS_H

#include "hal/gnss.h"
#include "hal/inject.h"
#include "hal/memory.h"
#include "hal/power.h"
#include "hal/sensors.h"
#include "world/earth.h"
#include "world/wrapped.h"

/** Scheduled faults of one vehicle at once. */
#define MF_FAULT_PLANS_MAX 16u

/** How the body is moved by faults, NE. */
struct mf_moved {
    double off_m[2];             /**< from where it flew, at from_us */
    double vel_mps[2];           /**< of that, since then */
    struct mf_fault_values jump; /**< the teleport that is active; 0 m: none */
    mf_us_t from_us;
    mf_us_t since_us; /**< when the drift that is active began; -1: none is */
    mf_us_t seen_us;  /**< all that began or ended up to then is in it */
    mf_us_t next_us;  /**< and nothing does before that */
};

/** What was asked for and scheduled, and what came of it: nothing of it exists before the
 * first fault. */
struct mf_fault_book {
    struct mf_moved moved;
    struct mf_fault_planned scheduled[MF_FAULT_PLANS_MAX];
    uint32_t count;
    struct {
        struct mf_fault_values with;
        mf_us_t since_us;
        bool on;
    } asked[MF_FAULT_COUNT]; /**< the last request */
    struct {
        struct mf_fix fix;
        mf_us_t since_us; /**< the fix is of that instant; -1: none is kept */
    } stuck;
};

/** One vehicle's faults. The caller allocates it; its fields belong to the implementation. */
struct mf_faults {
    struct mf_wrapped wrapped;      /**< the body; airframe NULL: none */
    bool astray;                    /**< it flies against a drift that it cannot overcome */
    bool armed;                     /**< its motors were switched on ... */
    bool motors_off;                /**< ... and have failed */
    const struct mf_gnss_ops *gnss; /**< the wrapped devices */
    void *gnss_ctx;
    const struct mf_power_ops *power;
    void *power_ctx;
    const struct mf_sensors_ops *sensors; /**< of no vehicle, unless mf_faults_sense() says which */
    void *sensors_ctx;
    struct mf_earth
        *earth;        /**< by which a glitch has its altitudes; may be NULL. Set it after init. */
    double drag_per_s; /**< by which the body leans into wind; SIH's unless it is set after init */
    struct mf_fault_book *book; /**< NULL: no fault was ever asked for or scheduled, in no life */
    struct mf_memory *memory; /**< of which the book is made when it is needed; set it after init */
};

/** One fault that is active. */
struct mf_fault_active {
    mf_us_t since_us;
    const struct mf_fault_values *with; /**< valid until the next request */
};

/** @brief No faults, around these devices. The book of an earlier life stays, empty.
 *  @param faults  zeroed before the first init */
void mf_faults_init(struct mf_faults *faults, const struct mf_gnss_ops *gnss, void *gnss_ctx,
                    const struct mf_power_ops *power, void *power_ctx);

/** @brief The body that mf_faults_airframe_ops wraps: after mf_faults_init(), before any use
 * of those. */
void mf_faults_carry(struct mf_faults *faults, const struct mf_airframe_ops *airframe, void *ctx);

/** @brief The sensors that mf_faults_sensors_ops wraps: after mf_faults_init(). */
void mf_faults_sense(struct mf_faults *faults, const struct mf_sensors_ops *sensors, void *ctx);

/** @brief Time has come to @p t_us: motors that fail or recover by then do so now, and what has
 * moved the body has moved it. */
void mf_faults_time(struct mf_faults *faults, mf_us_t t_us);

/** @brief Schedule a fault, before time passes.
 *  @return MF_E_OK; MF_E_FULL, which includes that there is no memory; MF_E_NOSUPP: no such fault;
 *  MF_E_RANGE: it would last no time, waits for nothing that there is, or has a value out of range
 *  or too small to show */
int mf_faults_schedule(struct mf_faults *faults, const struct mf_fault_plan *plan);

/** @brief Whether a plan makes this fault active at @p t_us. */
bool mf_fault_covers(const struct mf_fault_planned *planned, enum mf_fault fault, mf_us_t t_us);

/** @brief The same as mf_faults_active(), where a fault was ever asked for or scheduled. */
bool mf_fault_book_active(const struct mf_fault_book *book, enum mf_fault fault, mf_us_t t_us,
                          struct mf_fault_active *active);

/** @brief Whether a fault is active at @p t_us. @param active  out, if it is; may be NULL
 *  Without a book it costs a comparison: each device asks for many faults each time it is read. */
static inline bool mf_faults_active(const struct mf_faults *faults, enum mf_fault fault,
                                    mf_us_t t_us, struct mf_fault_active *active)
{
    MF_ASSERT(faults != NULL);
    return faults->book != NULL && mf_fault_book_active(faults->book, fault, t_us, active);
}

/** What drifts is so far off at its first instant, which is seen in any direction: at least one of
 * three axes by more than one unit of MAVLink's positions, 1e-7 deg [m]. */
#define MF_DRIFT_FIRST_M 0.025

/** @brief For how long something has drifted [s], as far as it is off.
 *  @param speed_mps  its least magnitude in hal/inject.h or more */
double mf_faults_drifted_s(const struct mf_fault_active *active, mf_us_t t_us, double speed_mps);

/** @brief The first instant after @p t_us at which any of these faults begins or ends, as far as is
 *  known now; faults are the bits 1 << enum mf_fault. */
mf_us_t mf_faults_next(const struct mf_faults *faults, uint64_t which, mf_us_t t_us);

/** The body with its faults; the context is the struct mf_faults. What moves it truly moves it at
 * every instant that is asked for; motors fail when time comes to it: at a request, at next() of
 * mf_faults_inject_ops, or at the next order. What a fault has moved stays there when it is over.
 * What leads to a target leads there against a drift that lasts: it arrives where and when that
 * brings it to the target, or never, if the drift is the faster; straight up or down it then goes
 * all the same. What stops, lands or has a velocity drifts. When such a fault begins or ends,
 * plan again. */
extern const struct mf_airframe_ops mf_faults_airframe_ops;

/** The receiver with its faults; the context is the struct mf_faults. */
extern const struct mf_gnss_ops mf_faults_gnss_ops;

/** The battery with its faults; the context is the struct mf_faults. */
extern const struct mf_power_ops mf_faults_power_ops;

/** The sensors with their faults, which show in no measured value; the context is the struct
 * mf_faults. */
extern const struct mf_sensors_ops mf_faults_sensors_ops;

/** Requests, questions and happenings; the context is the struct mf_faults. */
extern const struct mf_inject_ops mf_faults_inject_ops;

#endif

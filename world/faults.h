/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Faults as decorators around devices: from a schedule and on request (hal/inject.h).
 *
 * The schedule, the events and the requests so far determine alone whether a fault is active at an
 * instant. A scheduled fault is active for its duration from the instant that it waits for; a
 * requested one from the request for it until a request against it. A request against a fault also
 * ends scheduled ones that are active, so that a fault whose clearing is acknowledged is clear;
 * scheduled ones that have not begun stay, unless the caller removes them. An expired plan makes
 * room for another. Of several active ones the one that began last supplies the values; of two that
 * began together, the request.
 *
 * Requests and events arrive in order of time, and questions are about times not before them.
 *
 * The decorators, each for its own rows of the table: the body (faults_airframe.c), the receiver
 * (faults_gnss.c), the battery (faults_power.c), and sensors. The firmware queries the faults that
 * no device shows.
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

/** Maximum number of scheduled faults of a vehicle at a time. */
#define MF_FAULT_PLANS_MAX 16u

/** Displacement of the body by faults, north and east. */
struct mf_moved {
    double off_m[2];             /**< displacement at from_us */
    double vel_mps[2];           /**< velocity of the displacement since from_us */
    struct mf_fault_values jump; /**< active teleport; 0 m: inactive */
    mf_us_t from_us;
    mf_us_t since_us; /**< start of the active drift; -1: inactive */
    mf_us_t seen_us;  /**< everything that began or ended up to then is included */
    mf_us_t next_us;  /**< the next beginning or end is not before that */
};

/** Requests and schedule of faults, and their effects. It does not exist before the first fault. */
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
        mf_us_t since_us; /**< instant of the fix; -1: without a fix */
    } stuck;
};

/** Faults of one vehicle. The caller allocates it; its fields are private. */
struct mf_faults {
    struct mf_wrapped wrapped;      /**< the body; airframe NULL: not wrapped */
    bool astray;                    /**< the body flies against a drift that it cannot overcome */
    bool armed;                     /**< its motors were switched on */
    bool motors_off;                /**< its motors were switched on, and have failed */
    const struct mf_gnss_ops *gnss; /**< the wrapped devices */
    void *gnss_ctx;
    const struct mf_power_ops *power;
    void *power_ctx;
    const struct mf_sensors_ops
        *sensors; /**< those of no vehicle, unless mf_faults_sense() sets others */
    void *sensors_ctx;
    struct mf_earth
        *earth;        /**< Earth for the altitudes of a glitch; may be NULL. Set it after init. */
    double drag_per_s; /**< drag by which the body leans into wind; SIH's unless set after init */
    struct mf_fault_book *
        book; /**< NULL: no fault was ever requested or scheduled, in this life or an earlier one */
    struct mf_memory
        *memory; /**< memory from which the book is allocated on demand; set it after init */
};

/** Active fault. */
struct mf_fault_active {
    mf_us_t since_us;
    const struct mf_fault_values *with; /**< valid until the next request */
};

/** @brief Begin without faults, around these devices. The book of an earlier life stays, empty.
 * @param faults  zeroed before the first init */
void mf_faults_init(struct mf_faults *faults, const struct mf_gnss_ops *gnss, void *gnss_ctx,
                    const struct mf_power_ops *power, void *power_ctx);

/** @brief Set the body that mf_faults_airframe_ops wraps: after mf_faults_init(), before any use of
 * them. */
void mf_faults_carry(struct mf_faults *faults, const struct mf_airframe_ops *airframe, void *ctx);

/** @brief Set the sensors that mf_faults_sensors_ops wraps: after mf_faults_init(). */
void mf_faults_sense(struct mf_faults *faults, const struct mf_sensors_ops *sensors, void *ctx);

/** @brief Advance to @p t_us: motors that fail or recover by then do so now, and drifts have moved
 * the body. */
void mf_faults_time(struct mf_faults *faults, mf_us_t t_us);

/** @brief Schedule a fault, before time passes.
 * @return MF_E_OK; MF_E_FULL, also for lack of memory; MF_E_NOSUPP: unknown fault; MF_E_RANGE: zero
 * duration, an event that does not exist, or a value out of range or too small to show */
int mf_faults_schedule(struct mf_faults *faults, const struct mf_fault_plan *plan);

/** @brief True if a plan makes this fault active at @p t_us. */
bool mf_fault_covers(const struct mf_fault_planned *planned, enum mf_fault fault, mf_us_t t_us);

/** @brief True if a fault is active at @p t_us, for faults with a book. @param active  out, if it
 * is active */
bool mf_fault_book_active(const struct mf_fault_book *book, enum mf_fault fault, mf_us_t t_us,
                          struct mf_fault_active *active);

/** @brief True if a fault is active at @p t_us. @param active  out, if it is active; may be NULL
 * Costs a comparison without a book, because each device queries many faults at each reading. */
static inline bool mf_faults_active(const struct mf_faults *faults, enum mf_fault fault,
                                    mf_us_t t_us, struct mf_fault_active *active)
{
    MF_ASSERT(faults != NULL);
    return faults->book != NULL && mf_fault_book_active(faults->book, fault, t_us, active);
}

/** Distance of a drift at its first instant, which is visible in any direction: on at least one of
 * three axes it exceeds one unit of MAVLink's positions, 1e-7 deg [m]. */
#define MF_DRIFT_FIRST_M 0.025

/** @brief Duration of a drift [s] that gives its distance.
 * @param speed_mps  at least its least magnitude in hal/inject.h */
double mf_faults_drifted_s(const struct mf_fault_active *active, mf_us_t t_us, double speed_mps);

/** @brief First instant after @p t_us at which any of these faults begins or ends, as far as known
 * now. @param which  bits 1 << enum mf_fault */
mf_us_t mf_faults_next(const struct mf_faults *faults, uint64_t which, mf_us_t t_us);

/** The body with its faults; the context is the struct mf_faults. Displacements are true motion, at
 * every instant that a caller samples; motors fail when time reaches the fault: at a request, at
 * next() of mf_faults_inject_ops, or at the next order. The body stays displaced after a fault. A
 * way to a target leads to the target against a lasting drift: the body arrives where and when the
 * drift brings it to the target, or never, if the drift is faster; straight up or down it then
 * moves all the same. A body that stops, lands or has a velocity drifts. When such a fault begins
 * or ends, plan again. */
extern const struct mf_airframe_ops mf_faults_airframe_ops;

/** The receiver with its faults; the context is the struct mf_faults. */
extern const struct mf_gnss_ops mf_faults_gnss_ops;

/** The battery with its faults; the context is the struct mf_faults. */
extern const struct mf_power_ops mf_faults_power_ops;

/** The sensors with their faults, which show in no measured value; the context is the struct
 * mf_faults. */
extern const struct mf_sensors_ops mf_faults_sensors_ops;

/** Requests, questions and events; the context is the struct mf_faults. */
extern const struct mf_inject_ops mf_faults_inject_ops;

#endif

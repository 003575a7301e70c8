/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of a vehicle: plans, requests, and sensors with faults. Called by world/world, and through
 * the HAL. */
#include "world/faults.h"

#include "hal/hal.h"

#include <string.h>

#define ALL_FAULTS ((UINT64_C(1) << MF_FAULT_COUNT) - 1u)

_Static_assert(MF_FAULT_COUNT < 64, "faults are bits of an uint64_t");

static void begin(struct mf_fault_book *book)
{
    if (book != NULL) {
        memset(book, 0, sizeof *book);
        book->stuck.since_us = -1;
        book->moved.since_us = book->moved.seen_us = book->moved.next_us = -1;
    }
}

void mf_faults_init(struct mf_faults *faults, const struct mf_gnss_ops *gnss, void *gnss_ctx,
                    const struct mf_power_ops *power, void *power_ctx)
{
    MF_ASSERT(faults != NULL && gnss != NULL && power != NULL);
    *faults = (struct mf_faults){
        .gnss = gnss,
        .gnss_ctx = gnss_ctx,
        .power = power,
        .power_ctx = power_ctx,
        .sensors = mf_hal_null().sensors,
        .drag_per_s = 1.0,
        .book = faults->book,
    };
    begin(faults->book);
}

/* Get the book of faults; the first call allocates it. @return NULL: not enough memory */
static struct mf_fault_book *open_book(struct mf_faults *f)
{
    if (f->book == NULL) {
        f->book = mf_memory_part(f->memory, NULL, sizeof *f->book);
        begin(f->book);
    }
    return f->book;
}

static bool exists(enum mf_fault fault)
{
    return (uint32_t)fault < (uint32_t)MF_FAULT_COUNT;
}

static bool within(enum mf_fault fault, const struct mf_fault_values *with)
{
    for (size_t i = 0; i < MF_FAULT_VALUES; i++) {
        if (!(with->value[i] >= mf_fault_limit[fault][i].low &&
              with->value[i] <= mf_fault_limit[fault][i].high)) {
            return false;
        }
    }
    return !(mf_fault_least(fault, with) > 0.0f) &&
           memchr(with->text, '\0', sizeof with->text) != NULL;
}

/* Add a duration; times too far ahead become MF_NEVER. */
static mf_us_t after(mf_us_t t_us, mf_us_t for_us)
{
    return for_us > MF_NEVER - t_us ? MF_NEVER : t_us + for_us;
}

int mf_faults_schedule(struct mf_faults *faults, const struct mf_fault_plan *plan)
{
    MF_ASSERT(faults != NULL && plan != NULL);
    if (!exists(plan->fault)) {
        return MF_E_NOSUPP;
    }
    if ((uint32_t)plan->on >= (uint32_t)MF_HAPPENING_COUNT || plan->after_us < 0 ||
        plan->for_us <= 0 || !within(plan->fault, &plan->with)) {
        return MF_E_RANGE;
    }
    struct mf_fault_book *book = open_book(faults);
    if (book == NULL || book->count >= MF_FAULT_PLANS_MAX) {
        return MF_E_FULL;
    }
    const bool known = plan->on == MF_HAPPENING_BOOT;
    const size_t i = book->count++;
    book->scheduled[i].plan = *plan;
    book->scheduled[i].from_us = known ? plan->after_us : MF_NEVER;
    book->scheduled[i].to_us = known ? after(plan->after_us, plan->for_us) : MF_NEVER;
    book->moved.next_us = book->moved.seen_us; /* unknown until it is computed again */
    return MF_E_OK;
}

/* ---- sensors ---- */

static uint32_t faulty_lost(void *ctx, mf_us_t t_us)
{
    static const struct {
        enum mf_fault fault;
        enum mf_sensor sensor;
    } k_loses[] = {
        {MF_FAULT_GYRO_OFF, MF_SENSOR_GYRO},   {MF_FAULT_GYRO_STUCK, MF_SENSOR_GYRO},
        {MF_FAULT_ACCEL_OFF, MF_SENSOR_ACCEL}, {MF_FAULT_ACCEL_STUCK, MF_SENSOR_ACCEL},
        {MF_FAULT_MAG_OFF, MF_SENSOR_MAG},     {MF_FAULT_MAG_STUCK, MF_SENSOR_MAG},
        {MF_FAULT_BARO_OFF, MF_SENSOR_BARO},   {MF_FAULT_BARO_STUCK, MF_SENSOR_BARO},
    };
    const struct mf_faults *f = ctx;
    uint32_t lost = f->sensors->lost(f->sensors_ctx, t_us);
    for (size_t i = 0; i < sizeof k_loses / sizeof k_loses[0]; i++) {
        if (mf_faults_active(f, k_loses[i].fault, t_us, NULL)) {
            lost |= 1u << k_loses[i].sensor;
        }
    }
    return lost;
}

static int faulty_sense(void *ctx, mf_us_t t_us, struct mf_sensor_values *values)
{
    const struct mf_faults *f = ctx;
    return f->sensors->sample(f->sensors_ctx, t_us, values);
}

static int faulty_calibrate(void *ctx, mf_us_t t_us, enum mf_calibrates what)
{
    const struct mf_faults *f = ctx;
    return f->sensors->calibrate(f->sensors_ctx, t_us, what);
}

static int faulty_calibration(void *ctx, mf_us_t t_us, struct mf_calibration_state *state)
{
    const struct mf_faults *f = ctx;
    return f->sensors->calibration(f->sensors_ctx, t_us, state);
}

void mf_faults_sense(struct mf_faults *faults, const struct mf_sensors_ops *sensors, void *ctx)
{
    MF_ASSERT(faults != NULL && sensors != NULL);
    faults->sensors = sensors;
    faults->sensors_ctx = ctx;
}

/* ---- requests, questions, events ---- */

static int faults_set(void *ctx, mf_us_t t_us, enum mf_fault fault, bool on,
                      const struct mf_fault_values *with)
{
    struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL);
    if (!exists(fault)) {
        return MF_E_NOSUPP;
    }
    if (on && with != NULL && !within(fault, with)) {
        return MF_E_RANGE;
    }
    if (!on && f->book == NULL) {
        return MF_E_OK; /* the fault was never active */
    }
    struct mf_fault_book *book = open_book(f);
    if (book == NULL) {
        return MF_E_FULL;
    }
    mf_faults_time(f, t_us);
    for (size_t i = 0; !on && i < book->count; i++) {
        if (mf_fault_covers(&book->scheduled[i], fault, t_us)) {
            book->scheduled[i].to_us = t_us;
        }
    }
    if (on && book->asked[fault].on && with == NULL) {
        return MF_E_OK; /* the fault is active already, and continues */
    }
    book->asked[fault].on = on;
    book->asked[fault].since_us = t_us;
    book->asked[fault].with = with != NULL ? *with : mf_fault_default(fault);
    mf_faults_time(f, t_us);
    return MF_E_OK;
}

static bool faults_active(void *ctx, mf_us_t t_us, enum mf_fault fault,
                          struct mf_fault_values *with)
{
    struct mf_fault_active active;
    if (!exists(fault) || !mf_faults_active(ctx, fault, t_us, &active)) {
        return false;
    }
    if (with != NULL) {
        *with = *active.with;
    }
    return true;
}

static mf_us_t faults_next(void *ctx, mf_us_t t_us)
{
    mf_faults_time(ctx, t_us);
    return mf_faults_next(ctx, ALL_FAULTS, t_us);
}

static bool faults_happened(void *ctx, mf_us_t t_us, enum mf_happening what, uint16_t index)
{
    struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL);
    struct mf_fault_book *book = f->book;
    bool follows = false;
    if (book == NULL) {
        return false;
    }
    for (size_t i = 0; i < book->count; i++) {
        const struct mf_fault_plan *p = &book->scheduled[i].plan;
        if (p->on == what && book->scheduled[i].from_us == MF_NEVER &&
            (what != MF_HAPPENING_WAYPOINT || p->index == index)) {
            book->scheduled[i].from_us = after(t_us, p->after_us);
            book->scheduled[i].to_us = after(book->scheduled[i].from_us, p->for_us);
            follows = true;
        }
    }
    book->moved.next_us =
        /* unknown until it is computed again */
        follows ? book->moved.seen_us : book->moved.next_us;
    return follows;
}

static bool is_over(const struct mf_fault_planned *planned, mf_us_t t_us)
{
    return planned->to_us <= t_us;
}

/* Remove expired plans, and all plans of a fault (MF_FAULT_COUNT: of no fault). The order of the
 * others stays. */
static void take_out(struct mf_fault_book *book, mf_us_t t_us, enum mf_fault fault)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < book->count; i++) {
        if (!is_over(&book->scheduled[i], t_us) && book->scheduled[i].plan.fault != fault) {
            book->scheduled[kept++] = book->scheduled[i];
        }
    }
    book->count = kept;
}

static int faults_plan(void *ctx, mf_us_t t_us, const struct mf_fault_plan *plan)
{
    struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL && plan != NULL);
    if (plan->on == MF_HAPPENING_BOOT && plan->after_us < t_us) {
        return MF_E_RANGE;
    }
    if (f->book != NULL) {
        take_out(f->book, t_us, MF_FAULT_COUNT);
    }
    const int err = mf_faults_schedule(f, plan);
    mf_faults_time(f, t_us);
    return err;
}

static void faults_unplan(void *ctx, mf_us_t t_us, enum mf_fault fault)
{
    struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL);
    if (f->book != NULL) {
        mf_faults_time(f, t_us);
        take_out(f->book, t_us, fault);
        mf_faults_time(f, t_us);
    }
}

static bool faults_planned(void *ctx, mf_us_t t_us, uint32_t index,
                           struct mf_fault_planned *planned)
{
    const struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL && planned != NULL);
    for (uint32_t i = 0; f->book != NULL && i < f->book->count; i++) {
        if (!is_over(&f->book->scheduled[i], t_us) && index-- == 0) {
            *planned = f->book->scheduled[i];
            return true;
        }
    }
    return false;
}

const struct mf_sensors_ops mf_faults_sensors_ops = {.sample = faulty_sense,
                                                     .calibrate = faulty_calibrate,
                                                     .calibration = faulty_calibration,
                                                     .lost = faulty_lost};
const struct mf_inject_ops mf_faults_inject_ops = {.set = faults_set,
                                                   .active = faults_active,
                                                   .next = faults_next,
                                                   .happened = faults_happened,
                                                   .plan = faults_plan,
                                                   .unplan = faults_unplan,
                                                   .planned = faults_planned};

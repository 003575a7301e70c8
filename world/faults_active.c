/* SPDX-License-Identifier: Apache-2.0 */
/* Active faults at an instant, and the next change. Called by world/faults_airframe, faults_gnss,
 * faults_power and faults. */
#include "world/faults.h"

#include <string.h>

bool mf_fault_covers(const struct mf_fault_planned *planned, enum mf_fault fault, mf_us_t t_us)
{
    return planned->plan.fault == fault && planned->from_us <= t_us && t_us < planned->to_us;
}

bool mf_fault_book_active(const struct mf_fault_book *book, enum mf_fault fault, mf_us_t t_us,
                          struct mf_fault_active *active)
{
    MF_ASSERT(book != NULL && (uint32_t)fault < (uint32_t)MF_FAULT_COUNT);
    struct mf_fault_active last = {-1, NULL};
    for (size_t i = 0; i < book->count; i++) {
        if (mf_fault_covers(&book->scheduled[i], fault, t_us) &&
            book->scheduled[i].from_us >= last.since_us) {
            last.since_us = book->scheduled[i].from_us;
            last.with = &book->scheduled[i].plan.with;
        }
    }
    if (book->asked[fault].on && t_us >= book->asked[fault].since_us &&
        book->asked[fault].since_us >= last.since_us) {
        last.since_us = book->asked[fault].since_us;
        last.with = &book->asked[fault].with;
    }
    if (last.with != NULL && active != NULL) {
        *active = last;
    }
    return last.with != NULL;
}

double mf_faults_drifted_s(const struct mf_fault_active *active, mf_us_t t_us, double speed_mps)
{
    MF_ASSERT(t_us >= active->since_us && speed_mps > 0.0);
    return (double)(t_us - active->since_us) / 1e6 + MF_DRIFT_FIRST_M / speed_mps;
}

/* First instant after t_us at which a plan or a request begins or ends. */
static mf_us_t next_boundary_us(const struct mf_faults *faults, uint64_t which, mf_us_t t_us)
{
    mf_us_t next_us = MF_NEVER;
    const struct mf_fault_book *book = faults->book;
    if (book == NULL) {
        return MF_NEVER;
    }
    for (size_t i = 0; i < book->count; i++) {
        if ((which >> book->scheduled[i].plan.fault & 1u) != 0) {
            const mf_us_t from_us = book->scheduled[i].from_us;
            const mf_us_t to_us = book->scheduled[i].to_us;
            next_us = from_us > t_us ? mf_earlier(next_us, from_us) : next_us;
            next_us = to_us > t_us ? mf_earlier(next_us, to_us) : next_us;
        }
    }
    for (size_t i = 0; i < MF_FAULT_COUNT; i++) {
        const mf_us_t since_us = book->asked[i].since_us;
        if ((which >> i & 1u) != 0 && since_us > t_us) {
            next_us = mf_earlier(next_us, since_us);
        }
    }
    return next_us;
}

static bool same_values(const struct mf_fault_values *a, const struct mf_fault_values *b)
{
    bool is_same_state = strcmp(a->text, b->text) == 0;
    for (size_t i = 0; i < MF_FAULT_VALUES; i++) {
        is_same_state = is_same_state && a->value[i] == b->value[i];
    }
    return is_same_state;
}

/* Faults that begin from their start if they begin again. */
#define FROM_ITS_BEGINNING                                                   \
    (UINT64_C(1) << MF_FAULT_GPS_STUCK | UINT64_C(1) << MF_FAULT_GPS_DRIFT | \
     UINT64_C(1) << MF_FAULT_BATTERY_DRAIN | UINT64_C(1) << MF_FAULT_BREACH_DRIFT)

/* Are the same faults active with the same values at two instants? Overlapping plans may begin and
 * end without a change. */
static bool is_same_state(const struct mf_faults *faults, uint64_t which, mf_us_t a_us,
                          mf_us_t b_us)
{
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        struct mf_fault_active a = {-1, NULL};
        struct mf_fault_active b = {-1, NULL};
        if ((which >> i & 1u) != 0) {
            (void)mf_faults_active(faults, (enum mf_fault)i, a_us, &a);
            (void)mf_faults_active(faults, (enum mf_fault)i, b_us, &b);
        }
        if ((a.with == NULL) != (b.with == NULL) ||
            (a.with != NULL && !same_values(a.with, b.with)) ||
            ((FROM_ITS_BEGINNING >> i & 1u) != 0 && a.since_us != b.since_us)) {
            return false;
        }
    }
    return true;
}

mf_us_t mf_faults_next(const struct mf_faults *faults, uint64_t which, mf_us_t t_us)
{
    MF_ASSERT(faults != NULL);
    mf_us_t next_us = t_us;
    do {
        next_us = next_boundary_us(faults, which, next_us);
    } while (next_us != MF_NEVER && is_same_state(faults, which, t_us, next_us));
    return next_us;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/flight/faults.h"

#include "firmware/flight/health.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

/* What it resists it corrects so much later, and while the estimate drifts again and again [us]: a
 * period of the slowest stream of positions, which shows a small one before it is corrected. */
#define CORRECT_US MF_SECOND_US

/* ---- what moves the vehicle, or what it believes ---- */

static const enum mf_fault k_displaces[] = {MF_FAULT_GPS_GLITCH, MF_FAULT_GPS_DRIFT,
                                            MF_FAULT_BREACH_TELEPORT, MF_FAULT_BREACH_DRIFT};
#define DISPLACES (sizeof k_displaces / sizeof k_displaces[0])
/* Bits of that list: what Hold resists. It does not resist a true drift, or nothing would breach. */
#define RESISTED 7u

static uint8_t displaced(const struct mf_vehicle *v, mf_us_t t_us)
{
    unsigned bits = 0;
    for (size_t i = 0; i < DISPLACES; i++) {
        bits |= mf_inject_active(&v->hal, t_us, k_displaces[i], NULL) ? 1u << i : 0u;
    }
    return (uint8_t)bits;
}

static void show_displacement(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_shown_faults *f = &v->faults;
    const unsigned now = displaced(v, t_us);
    const unsigned ended = f->displaced & ~now;
    const bool flies = mf_navigator_flies(v);
    const bool moves = ((now | f->displaced) & MF_FAULTS_TRULY) != 0;
    f->displaced = (uint8_t)now;
    if (moves && flies) { /* it must not arrive where it did not lead */
        mf_navigator_correct(v, t_us);
    }
    if (((now & RESISTED) | ended) != 0) {
        f->correct_us = t_us + CORRECT_US;
    }
}

static void show_motors(struct mf_vehicle *v, mf_us_t t_us)
{
    struct mf_shown_faults *f = &v->faults;
    const bool off = mf_inject_active(&v->hal, t_us, MF_FAULT_MOTOR_OFF, NULL);
    const bool terminated = v->commander.mode == MF_MODE_TERMINATION;
    if (off == f->motors_off) {
        return;
    }
    f->motors_off = off;
    mf_log_event(&v->hal, t_us, MF_WARNING, "motors", off ? "failed" : "work again");
    if (!v->commander.armed) {
        return;
    }
    if (off) {
        mf_say(v, MF_CRITICAL, "Motor failure detected");
        mf_navigator_fall(v, t_us);
    } else if (!terminated) {
        mf_navigator_begin(v, t_us, (enum mf_mode)v->commander.mode, NULL);
    }
    mf_announce(v, t_us);
}

/* ---- when ---- */

mf_us_t mf_faults_run(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_shown_faults *f = &v->faults;
    const mf_us_t next_us = mf_inject_next(&v->hal, due_us);
    const bool changed = due_us >= f->next_us;
    MF_ASSERT(next_us > due_us);
    f->next_us = next_us;
    if (changed) {
        v->estimate.t_us = -1;
        show_motors(v, due_us);
        show_displacement(v, due_us);
    }
    if (due_us >= f->correct_us) {
        const bool drifts = mf_inject_active(&v->hal, due_us, MF_FAULT_GPS_DRIFT, NULL);
        f->correct_us = drifts ? due_us + CORRECT_US : MF_NEVER;
        mf_navigator_correct(v, due_us);
    }
    return mf_earlier(next_us, f->correct_us);
}

/* ---- the way in ---- */

static int looked(struct mf_vehicle *v, mf_us_t now_us, int err)
{
    if (err == MF_E_OK) {
        mf_health_look(v, now_us);
    }
    return err;
}

int mf_vehicle_inject(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault, bool on,
                      const struct mf_fault_values *with)
{
    return looked(v, now_us, mf_inject_set(&v->hal, now_us, fault, on, with));
}

int mf_vehicle_plan(struct mf_vehicle *v, mf_us_t now_us, const struct mf_fault_plan *plan)
{
    return looked(v, now_us, mf_inject_plan(&v->hal, now_us, plan));
}

int mf_vehicle_unplan(struct mf_vehicle *v, mf_us_t now_us, enum mf_fault fault)
{
    const int err = mf_inject_set(&v->hal, now_us, fault, false, NULL);
    mf_inject_unplan(&v->hal, now_us, fault);
    mf_health_look(v, now_us);
    return err;
}

int mf_vehicle_fail_unit(struct mf_vehicle *v, mf_us_t now_us, int32_t unit, int32_t type)
{
    const int err = mf_inject_unit(&v->hal, now_us, unit, type);
    mf_health_look(v, now_us); /* what was refused may have ended another way of the unit */
    return err;
}

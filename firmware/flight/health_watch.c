/* SPDX-License-Identifier: Apache-2.0 */
/* Task that checks the health when it may have changed, for vehicle.c. */
#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/flight/commander.h"
#include "firmware/flight/estimate.h"
#include "firmware/flight/failsafe_act.h"
#include "firmware/flight/faults.h"
#include "firmware/flight/health.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/flight/state.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"
#include "mavlink/enums.h"

/* Interval of polls of a device that does not know its future [us]. */
#define POLL_US         (100 * MF_MS_US)
#define BATTERY_POLL_US (1000 * MF_MS_US)

/* A charge that was reported does not recover in flight. @return when the next level is reached */
static mf_us_t watch_charge(struct mf_vehicle *v, mf_us_t due_us)
{
    struct mf_battery battery;
    mf_us_t at_us = MF_NEVER;
    /* A board may connect a battery later, so the device is polled. */
    if (mf_power_read(&v->hal, due_us, &battery) != MF_E_OK) {
        return due_us + BATTERY_POLL_US;
    }
    const size_t level = mf_health_charge_level(&v->params, &battery);
    const uint8_t state = mf_health_charge(&v->params, &battery);
    const struct mf_charge *charge = mf_health_charge_at(level);
    MF_ASSERT((charge == NULL) == (state == MAV_BATTERY_CHARGE_STATE_OK));
    /* PX4: a warning only increases while armed. A battery whose voltage recovers without load is
     * not charged. */
    if (v->commander.armed ? state > v->watched.charge : state != v->watched.charge) {
        v->watched.charge = state;
        if (v->commander.armed && charge != NULL) {
            mf_say(v, charge->severity, charge->text);
        }
        mf_failsafe_set(v, due_us, MF_CAUSE_BATTERY_EMERGENCY,
                        state == MAV_BATTERY_CHARGE_STATE_EMERGENCY);
        mf_failsafe_set(v, due_us, MF_CAUSE_BATTERY_CRITICAL,
                        state == MAV_BATTERY_CHARGE_STATE_CRITICAL);
    }
    /* A simulated battery knows when it falls below the next threshold; a real one is polled. */
    if (level > 0 && mf_power_next(&v->hal, due_us,
                                   mf_param_f(&v->params, mf_health_charge_at(level - 1)->below),
                                   &at_us) != MF_E_OK) {
        at_us = due_us + BATTERY_POLL_US;
    }
    return at_us;
}

/* Warn where models of the geoid end: beyond them, the altitude above the ellipsoid is a guess. */
static void watch_datum(struct mf_vehicle *v, mf_us_t due_us)
{
    const bool charted = mf_estimate_at(v, due_us)->charted;
    if (charted == v->watched.uncharted) {
        v->watched.uncharted = !charted;
        mf_say(v, charted ? MF_INFO : MF_WARNING,
               charted ? "GNSS: inside a geoid model again"
                       : "GNSS: " MF_DATUM_NONE ", undulation held");
    }
}

/* Motors that fail in the air: it falls, and nothing leads anywhere until they work again.
 * @return when to ask again */
static mf_us_t watch_motors(struct mf_vehicle *v, mf_us_t due_us)
{
    mf_us_t next_us = MF_NEVER;
    const bool failed = mf_airframe_motors(&v->hal, due_us, &next_us) != MF_E_OK;
    const bool terminated = v->commander.mode == MF_MODE_TERMINATION;
    MF_ASSERT(next_us > due_us);
    /* The mode stays: PX4 does not have a mode for a falling vehicle. */
    if (failed == v->watched.motors_failed) {
        return next_us;
    }
    v->watched.motors_failed = failed;
    mf_log_event(&v->hal, due_us, MF_WARNING, "motors", failed ? "failed" : "work again");
    if (!v->commander.armed) {
        return next_us;
    }
    if (failed) {
        mf_say(v, MF_CRITICAL, "Motor failure detected");
        mf_navigator_fall(v, due_us);
    } else if (!terminated) {
        /* The vehicle has moved, so the mode begins again from here. */
        mf_navigator_begin(v, due_us, (enum mf_mode)v->commander.mode, NULL);
    }
    mf_announce(v, due_us);
    return next_us;
}

mf_us_t mf_health_run(struct mf_vehicle *v, mf_us_t due_us)
{
    /* Faults are first, so that all devices are read after their begin or end. */
    const mf_us_t faults_us = mf_faults_run(v, due_us);
    const mf_us_t motors_us = watch_motors(v, due_us);
    const bool position = mf_estimate_at(v, due_us)->position;
    if (position != v->watched.had_position) {
        v->watched.had_position = position;
        if (position) {
            mf_commander_position_found(v, due_us);
        } else {
            /* Posted: the loss may change the mode, and the commander runs after the fence has
             * looked. */
            mf_commander_post(v, due_us, MF_EV_POSITION_LOST);
        }
    }
    watch_datum(v, due_us);
    const mf_us_t correct_us = mf_navigator_watch(v, due_us);
    /* The estimate may have jumped out of the fence. */
    mf_wake_at(v, MF_TASK_FENCE, due_us);
    const mf_us_t charge_us = watch_charge(v, due_us);
    mf_us_t at_us = MF_NEVER;
    /* A receiver that cannot tell when its report changes is polled. */
    if (mf_gnss_next(&v->hal, due_us, &at_us) != MF_E_OK || at_us <= due_us) {
        at_us = due_us + POLL_US;
    }
    const struct mf_estimate *e = &v->estimate;
    if (e->position && e->lost_us != MF_NEVER) { /* dead reckoning ends */
        at_us = mf_earlier(at_us, e->lost_us + e->coast_us);
    }
    at_us = mf_earlier(mf_earlier(at_us, faults_us), mf_earlier(motors_us, correct_us));
    MF_ASSERT(at_us > due_us);
    return mf_earlier(at_us, charge_us > due_us ? charge_us : due_us + BATTERY_POLL_US);
}

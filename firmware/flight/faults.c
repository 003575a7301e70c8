/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the vehicle, for the control API, recordings and MAVLink: requests to hal/inject.h. */
#include "firmware/flight/faults.h"

#include "firmware/flight/estimate.h"
#include "firmware/flight/health.h"
#include "firmware/flight/navigator.h"
#include "firmware/flight/news.h"
#include "firmware/link/say.h"
#include "firmware/state/vehicle.h"

static int looked(struct mf_vehicle *v, mf_us_t now_us, int err)
{
    /* a refused request has not changed a device */
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
    /* Ended first, so that the log tells its end; the plans would not. */
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

mf_us_t mf_faults_run(struct mf_vehicle *v, mf_us_t due_us)
{
    const mf_us_t next_us = mf_inject_next(&v->hal, due_us);
    MF_ASSERT(next_us > due_us);
    /* Not at every run: the health task also runs for the fence and the battery. */
    if (due_us >= v->faults_us) {
        mf_estimate_expire(&v->estimate); /* devices may answer otherwise now */
    }
    v->faults_us = next_us;
    return next_us;
}

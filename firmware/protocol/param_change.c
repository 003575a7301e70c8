/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/protocol/param_change.h"

#include "firmware/core/log_record.h"
#include "firmware/core/param.h"
#include "firmware/core/tasks.h"
#include "firmware/core/text.h"
#include "firmware/flight/fence_change.h"
#include "firmware/flight/navigator.h"
#include "firmware/link/link.h"
#include "firmware/state/vehicle.h"

#include <string.h>

/* Time within which inputs are checked after a change of a time-out [us]. */
#define LOOK_US (50 * MF_MS_US)

/* Write the new value to the host's log, so that a user finds the cause of a changed flight at its
 * time. */
static void log_value(struct mf_vehicle *v, enum mf_param param)
{
    struct mf_text text = mf_text(mf_param_info(param)->name);
    mf_text_add(&text, " = ");
    if (mf_param_info(param)->is_float) {
        mf_text_add_float(&text, (double)mf_param_f(&v->params, param), 6);
    } else {
        mf_text_add_int(&text, mf_param_i(&v->params, param));
    }
    mf_log_event(&v->hal, v->instant_us, MF_INFO, "param", text.s);
}

/* GF_ parameters are part of the fence: a limit that shrinks may leave the vehicle outside at this
 * instant. */
static void tell_fence(struct mf_vehicle *v, enum mf_param param)
{
    if (strncmp(mf_param_info(param)->name, "GF_", 3) == 0) {
        mf_fence_changed(v, v->instant_us);
    }
}

/* Is it one of those by which a leg is flown? */
static bool flies_by(const struct mf_vehicle *v, enum mf_param param)
{
    const bool corners = param == MF_PARAM_NAV_ACC_RAD || param == MF_PARAM_NAV_MC_ALT_RAD ||
                         param == MF_PARAM_COM_SPOOLUP_TIME;
    return strncmp(mf_param_info(param)->name, "MPC_", 4) == 0 ||
           (v->options.px4_motion && corners);
}

/* Check inputs soon after a change of a time-out: a shorter one also counts for earlier messages.
 * Not at once, so that a client may set two of them. */
static void look_at_inputs(struct mf_vehicle *v, enum mf_param param)
{
    if (param == MF_PARAM_COM_OF_LOSS_T || param == MF_PARAM_COM_RC_LOSS_T) {
        mf_wake_at(v, MF_TASK_INPUTS, v->now.transport_us + LOOK_US);
    }
}

/* Set a parameter. All links get its value a second time a little later, as from PX4: MAVSDK counts
 * the first message as the answer, and learns from the second that a known value has changed. */
int mf_param_set(struct mf_vehicle *v, enum mf_param param, uint32_t bits)
{
    struct mf_msg_param_value m;
    bool news;
    MF_ASSERT((unsigned)param < MF_PARAM_COUNT);
    const int err = mf_param_put(v, param, bits, &news);
    if (err != MF_E_OK) {
        return err;
    }
    mf_param_encode(&v->params, param, &m);
    mf_links_send(v, MF_MSG_PARAM_VALUE, &m);
    if (news) {
        log_value(v, param);
        mf_log_param(v, param);
        if (flies_by(v, param)) {
            mf_navigator_refresh(v, v->instant_us);
        }
        tell_fence(v, param);
        look_at_inputs(v, param);
    }
    return MF_E_OK;
}

/* The board's word counts until the next start: it is neither saved nor told. */
int mf_param_override(struct mf_vehicle *v, const char *name, double value)
{
    const int param = mf_param_launch(&v->params, name, value);
    MF_ASSERT(v != NULL && name != NULL);
    if (param < 0) {
        return param;
    }
    tell_fence(v, (enum mf_param)param);
    look_at_inputs(v, (enum mf_param)param);
    return MF_E_OK;
}

/* Read-only to clients: they say what this vehicle is, and must fit the table. */
static void set_launched(struct mf_vehicle *v, const char *name, int32_t value)
{
    const int err = mf_param_override(v, name, (double)value);
    MF_ASSERT(err == MF_E_OK);
}

/* Clients read ids and geoid as parameters, where PX4 has its own ids. */
void mf_vehicle_set_launched(struct mf_vehicle *v)
{
    const struct mf_earth_about earth = mf_earth_about(&v->hal);
    const int64_t print = earth.fingerprint; /* as a client sees 32 bits: signed */
    set_launched(v, "MAV_SYS_ID", v->sysid);
    set_launched(v, "MAV_COMP_ID", v->compid);
    set_launched(v, "MF_GEOID", (int32_t)earth.model);
    set_launched(v, "MF_GEOID_HASH",
                 (int32_t)(print > INT32_MAX ? print - INT64_C(0x100000000) : print));
}

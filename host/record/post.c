/* SPDX-License-Identifier: Apache-2.0 */
/* Faults and plans that are posted to a drone, recorded first, for the control API and conform. */
#include "host/record/post.h"

#include "drone/record.h"
#include "firmware/flight/faults.h"
#include "host/spec/faultspec.h"

#include <stdio.h>
#include <string.h>

/* Record an order, and bring the vehicle to the present. */
static void record_order(struct mf_drone *d, enum mf_record_fault what, bool values,
                         const char *text)
{
    mf_drone_note(d, &(struct mf_record){.type = MF_RECORD_FAULT,
                                         .value = {what, values},
                                         .bytes = (const uint8_t *)text,
                                         .n = strlen(text)});
    mf_vehicle_catch_up(mf_drone_vehicle(d));
}

int mf_post_fault(struct mf_drone *d, enum mf_fault fault, bool on,
                  const struct mf_fault_values *with)
{
    struct mf_vehicle *v = mf_drone_vehicle(d);
    struct mf_fault_plan plan = {.fault = fault, .for_us = MF_NEVER};
    char text[MF_FAULT_SPEC_MAX];
    MF_ASSERT((unsigned)fault < (unsigned)MF_FAULT_COUNT);
    if (with != NULL) {
        plan.with = *with;
        mf_fault_spec_print(&plan, text);
    } else {
        (void)snprintf(text, sizeof text, "%s", mf_fault_name(fault));
    }
    record_order(d, on ? MF_RECORD_FAULT_ON : MF_RECORD_FAULT_OFF, with != NULL, text);
    return mf_vehicle_inject(v, *mf_vehicle_clock(v), fault, on, with);
}

int mf_post_plan(struct mf_drone *d, const struct mf_fault_plan *plan, bool at_once)
{
    struct mf_vehicle *v = mf_drone_vehicle(d);
    struct mf_fault_plan own = *plan;
    char text[MF_FAULT_SPEC_MAX];
    mf_fault_spec_print(plan, text);
    record_order(d, at_once ? MF_RECORD_FAULT_PLAN_NOW : MF_RECORD_FAULT_PLAN, true, text);
    if (at_once) {
        own.on = MF_HAPPENING_BOOT;
        own.after_us = *mf_vehicle_clock(v);
    }
    return mf_vehicle_plan(v, *mf_vehicle_clock(v), &own);
}

int mf_post_unplan(struct mf_drone *d, enum mf_fault fault)
{
    struct mf_vehicle *v = mf_drone_vehicle(d);
    record_order(d, MF_RECORD_FAULT_UNPLAN, false, mf_fault_name(fault));
    return mf_vehicle_unplan(v, *mf_vehicle_clock(v), fault);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "host/post.h"

#include "host/faultspec.h"

#include <stdio.h>
#include <string.h>

int mf_post_fault(struct mf_recorder *r, struct mf_vehicle *v, enum mf_fault fault, bool on,
                  const struct mf_fault_values *with)
{
    struct mf_fault_plan plan = {.fault = fault, .for_us = MF_NEVER};
    char text[MF_FAULT_SPEC_MAX];
    MF_ASSERT((unsigned)fault < (unsigned)MF_FAULT_COUNT);
    if (with != NULL) {
        plan.with = *with;
        mf_fault_spec_print(&plan, text);
    } else {
        (void)snprintf(text, sizeof text, "%s", mf_fault_name(fault));
    }
    mf_recorder_put(r, &(struct mf_record){.type = MF_RECORD_FAULT,
                                           .value = {on, with != NULL},
                                           .bytes = (const uint8_t *)text,
                                           .n = strlen(text)});
    mf_vehicle_catch_up(v);
    return mf_vehicle_inject(v, v->now.vehicle_us, fault, on, with);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/protocol/command_value.h"

#include "firmware/link/say.h"
#include "hal/assert.h"
#include "math/trig.h"

int32_t mf_command_whole(float value, int32_t max)
{
    MF_ASSERT(max >= 0 && max <= 1 << 24);
    const int32_t n = mf_round_i32((double)value);
    return value >= 0.0f && value <= (float)max && (float)n == value ? n : -1;
}

int32_t mf_command_whole_or_none(float value, int32_t max)
{
    return value != value ? 0 : mf_command_whole(value, max);
}

int mf_command_refuse(struct mf_vehicle *v, int err, const char *text)
{
    mf_say(v, MF_CRITICAL, text);
    return err;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks of the system: monotonic time, and UTC. */
#include "hal-posix/clock.h"

#include <time.h>

static mf_us_t read_us(clockid_t id)
{
    struct timespec t;
    const int result = clock_gettime(id, &t);
    MF_ASSERT(result == 0);
    return (mf_us_t)t.tv_sec * MF_SECOND_US + t.tv_nsec / 1000;
}

mf_us_t mf_monotonic_us(void)
{
    return read_us(CLOCK_MONOTONIC);
}

int64_t mf_utc_us(void)
{
    return read_us(CLOCK_REALTIME);
}

static struct mf_now read_both(void *ctx)
{
    return mf_pace_now(ctx, mf_monotonic_us());
}

const struct mf_clock_ops mf_clock_pace_ops = {.read = read_both};

/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-posix/clock_wall.h"

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

void mf_clock_wall_start(struct mf_clock_wall *clock)
{
    clock->start_us = mf_monotonic_us();
}

static struct mf_now read_both(void *ctx)
{
    const struct mf_clock_wall *clock = ctx;
    const mf_us_t t_us = mf_monotonic_us() - clock->start_us;
    return (struct mf_now){.vehicle_us = t_us, .transport_us = t_us};
}

const struct mf_clock_ops mf_clock_wall_ops = {.read = read_both};

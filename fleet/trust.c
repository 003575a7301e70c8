/* SPDX-License-Identifier: Apache-2.0 */
/* Trust in drones. Called by fleet/grid_controller. */
#include "fleet/trust.h"

#define HALF 0.5

static double capped(const struct mf_trust_settings *s, double x)
{
    return s->compat || x < 1.0 ? x : 1.0;
}

/* A task that a drone reports as done takes a tick, also one of no ticks. */
static double ticks(uint32_t n)
{
    return n > 0 ? (double)n : 1.0;
}

double mf_trust_ratio(const struct mf_trust_settings *s, uint32_t estimated, uint32_t actual)
{
    MF_ASSERT(s != NULL);
    return capped(s, ticks(estimated) / ticks(actual));
}

/* Factor of the battery: 1 down to half a charge, from there linear down to 0. */
static double battery_factor(const struct mf_trust_settings *s, double part)
{
    MF_ASSERT(part >= 0.0);
    return part >= HALF && !s->compat ? 1.0 : part / HALF;
}

double mf_trust_after(const struct mf_trust_settings *s, double trust, double ratio, double part)
{
    const double battery = battery_factor(s, part);
    return capped(s, trust * (s->alpha * ratio + s->beta * battery));
}

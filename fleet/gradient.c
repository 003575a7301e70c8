/* SPDX-License-Identifier: Apache-2.0 */
/* Slopes and velocities of a gradient walk. Called by boards/swarm/heard. */
#include "fleet/gradient.h"

#include "math/trig.h"
#include "world/noise.h"

#define LEAST_SAMPLES 4u
#define QUIET_S       5.0 /* a member wanders after this time without a packet [s] */
/* Keeps the slope across a line of places finite: smaller spreads than this do not count. */
#define SOFTNESS_M2  1.0
#define WEAVE_RAD    0.5
#define WEAVE_S      4.0
#define TURN_RADPS   1.5
#define WANDER_RADPS 0.5

bool mf_gradient_hear(struct mf_gradient *g, double near_dbm, uint32_t beacon, const double *ne_m,
                      double dbm)
{
    MF_ASSERT(g->count >= 2);
    if (g->done || beacon != g->aim) {
        return false;
    }
    const uint32_t n = g->samples++ % MF_GRADIENT_SAMPLES;
    g->sample[n].north_m = (float)ne_m[0];
    g->sample[n].east_m = (float)ne_m[1];
    g->sample[n].dbm = (float)dbm;
    g->quiet = 0;
    if (dbm < near_dbm) {
        return false;
    }
    g->reached++;
    g->samples = 0;
    g->done = g->back && g->aim == 0;
    g->back = g->back || g->aim + 1u == g->count;
    g->aim = g->done ? 0 : g->back ? g->aim - 1u : g->aim + 1u;
    return true;
}

bool mf_gradient_slope(const struct mf_gradient *g, double *ne)
{
    const uint32_t n = g->samples < MF_GRADIENT_SAMPLES ? g->samples : MF_GRADIENT_SAMPLES;
    double mean[3] = {0}, nn = SOFTNESS_M2, ee = SOFTNESS_M2, cross = 0.0, north = 0.0, east = 0.0;
    if (n < LEAST_SAMPLES) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        mean[0] += (double)g->sample[i].north_m / n;
        mean[1] += (double)g->sample[i].east_m / n;
        mean[2] += (double)g->sample[i].dbm / n;
    }
    for (uint32_t i = 0; i < n; i++) {
        const double a = (double)g->sample[i].north_m - mean[0];
        const double b = (double)g->sample[i].east_m - mean[1];
        const double s = (double)g->sample[i].dbm - mean[2];
        nn += a * a;
        ee += b * b;
        cross += a * b;
        north += a * s;
        east += b * s;
    }
    /* Cramer's rule without its positive determinant, because only the direction matters */
    ne[0] = ee * north - cross * east;
    ne[1] = nn * east - cross * north;
    const double length = mf_length2(ne[0], ne[1]);
    if (!(length > 1e-9)) {
        return false;
    }
    ne[0] /= length;
    ne[1] /= length;
    return true;
}

void mf_gradient_steer(struct mf_gradient *g, const struct mf_behaviour *b, struct mf_mind *mind,
                       float vel_ned_mps[3])
{
    double up[2];
    const double period_s = 1.0 / b->rate_hz;
    if ((double)g->quiet++ * period_s > QUIET_S) {
        g->samples = 0;
    }
    double turn = WANDER_RADPS * mf_sqrt(period_s) * mf_noise_gauss(mind->key, mind->turns);
    if (mf_gradient_slope(g, up)) {
        turn = mf_wrap_pi(mf_atan2(up[1], up[0]) - (double)mind->heading_rad);
        turn = mf_smaller(mf_larger(turn, -TURN_RADPS * period_s), TURN_RADPS * period_s);
    }
    mind->heading_rad = (float)mf_wrap_pi((double)mind->heading_rad + turn);
    const double weave = WEAVE_RAD * mf_sin(2.0 * MF_PI * (double)mind->turns * period_s / WEAVE_S);
    const double along = (double)mind->heading_rad + weave;
    vel_ned_mps[0] = (float)(b->speed_max_mps * mf_cos(along));
    vel_ned_mps[1] = (float)(b->speed_max_mps * mf_sin(along));
    vel_ned_mps[2] = 0.0f;
}

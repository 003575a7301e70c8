/* SPDX-License-Identifier: Apache-2.0 */
#include "world/wind.h"

#include "math/geodesic.h"
#include "math/trig.h"
#include "world/airframe_leg.h"

void mf_wind_init(struct mf_wind *wind, const struct mf_airframe_ops *airframe, void *airframe_ctx,
                  const struct mf_seed *seed, const struct mf_wind_settings *settings)
{
    MF_ASSERT(wind != NULL && airframe != NULL && seed != NULL && settings != NULL);
    MF_ASSERT(settings->speed_mps >= 0.0 && settings->gusts_mps >= 0.0 &&
              mf_within(settings->from_deg, 1e6));
    const double from_rad = mf_rad(settings->from_deg);
    const uint64_t north = mf_noise_key(seed, MF_NOISE_WIND_NORTH);
    const uint64_t east = mf_noise_key(seed, MF_NOISE_WIND_EAST);
    *wind = (struct mf_wind){
        .behind = {airframe, airframe_ctx},
        .gust = {mf_noise_smooth(north, settings->gust_time_s),
                 mf_noise_smooth(east, settings->gust_time_s)},
        .mean_ne_mps = {0.0 - settings->speed_mps * mf_cos(from_rad),
                        0.0 - settings->speed_mps * mf_sin(from_rad)},
        .gusts_mps = settings->gusts_mps,
        .full_at_m = 5.0,
        .give_s = 0.2,
        .drag_per_s = settings->drag_per_s,
        .lean_max = 1.0,
    };
}

/* The share of the full wind at the body, with its first two derivatives by time. */
static struct mf_noise_value share_at(const struct mf_wind *w, const struct mf_pose *pose)
{
    const double u = (pose->alt_amsl_m - pose->ground_amsl_m) / w->full_at_m;
    const double u_t = -(double)pose->vel_ned_mps[2] / w->full_at_m;
    const double u_tt = -(double)pose->acc_ned_mps2[2] / w->full_at_m;
    const struct mf_noise_value step = mf_noise_step(u);
    return (struct mf_noise_value){
        .x = step.x,
        .per_s = step.per_s * u_t,
        .per_s2 = step.per_s2 * u_t * u_t + step.per_s * u_tt,
    };
}

/* What the air does to one axis: its speed, and how far off the path the body is. */
struct push {
    double wind_mps;
    double off_m, vel_mps, acc_mps2;
};

static struct push push_at(const struct mf_wind *w, size_t axis, mf_us_t t_us,
                           const struct mf_noise_value *share)
{
    if (!(w->gusts_mps > 0.0)) {
        return (struct push){.wind_mps = w->mean_ne_mps[axis] * share->x};
    }
    const struct mf_noise_value gust = mf_noise_at(&w->gust[axis], t_us);
    const double give_m = w->gusts_mps * w->give_s;
    return (struct push){
        .wind_mps = (w->mean_ne_mps[axis] + w->gusts_mps * gust.x) * share->x,
        .off_m = give_m * gust.x * share->x,
        .vel_mps = give_m * (gust.per_s * share->x + gust.x * share->per_s),
        .acc_mps2 = give_m * (gust.per_s2 * share->x + 2.0 * gust.per_s * share->per_s +
                              gust.x * share->per_s2),
    };
}

/* Adds an acceleration [m/s^2] of the thrust to the one that roll and pitch already stand for. */
static void lean(const struct mf_wind *w, double north_mps2, double east_mps2, struct mf_pose *pose)
{
    const double climb_mps = -(double)pose->vel_ned_mps[2];
    const double thrust =
        MF_GRAVITY_MPS2 - (double)pose->acc_ned_mps2[2] + w->drag_per_s * climb_mps;
    const double up = thrust > 1.0 ? thrust : 1.0;
    const double sr = mf_sin((double)pose->roll_rad), cr = mf_cos((double)pose->roll_rad);
    const double sp = mf_sin((double)pose->pitch_rad), cp = mf_cos((double)pose->pitch_rad);
    const double sy = mf_sin((double)pose->yaw_rad), cy = mf_cos((double)pose->yaw_rad);
    /* per unit of upward thrust, along the heading and to its right */
    const double forward = -sp / cp + (north_mps2 * cy + east_mps2 * sy) / up;
    const double right = sr / (cr * cp) + (east_mps2 * cy - north_mps2 * sy) / up;
    const double wanted = mf_length2(forward, right);
    const double part = wanted > w->lean_max ? w->lean_max / wanted : 1.0;
    const double f = part * forward, r = part * right;
    pose->pitch_rad = (float)mf_atan2(-f, 1.0);
    pose->roll_rad = (float)mf_atan2(r, mf_sqrt(1.0 + f * f));
}

void mf_wind_blow(const struct mf_wind *w, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_noise_value share = share_at(w, pose);
    const struct push north = push_at(w, 0, t_us, &share);
    const struct push east = push_at(w, 1, t_us, &share);
    pose->wind_ne_mps[0] = (float)north.wind_mps;
    pose->wind_ne_mps[1] = (float)east.wind_mps;
    pose->gusts_mps = (float)(w->gusts_mps * share.x);
    if (north.off_m != 0.0 || east.off_m != 0.0) {
        const struct mf_geo there = mf_geo_from_local((struct mf_geo){pose->lat_deg, pose->lon_deg},
                                                      north.off_m, east.off_m);
        pose->lat_deg = there.lat_deg;
        pose->lon_deg = there.lon_deg;
    }
    if (w->armed) {
        lean(w, north.acc_mps2 + w->drag_per_s * (north.vel_mps - north.wind_mps),
             east.acc_mps2 + w->drag_per_s * (east.vel_mps - east.wind_mps), pose);
    }
    pose->vel_ned_mps[0] += (float)north.vel_mps;
    pose->vel_ned_mps[1] += (float)east.vel_mps;
    pose->acc_ned_mps2[0] += (float)north.acc_mps2;
    pose->acc_ned_mps2[1] += (float)east.acc_mps2;
}

static int wind_arm(void *ctx, mf_us_t t_us, bool on)
{
    struct mf_wind *w = ctx;
    MF_ASSERT(w != NULL);
    const int err = w->behind.airframe->arm(w->behind.ctx, t_us, on);
    w->armed = err == MF_E_OK ? on : w->armed;
    return err;
}

static int wind_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_wind *w = ctx;
    MF_ASSERT(w != NULL && pose != NULL);
    const int err = mf_behind_sample(ctx, t_us, pose);
    if (err == MF_E_OK && !pose->on_ground) {
        mf_wind_blow(w, t_us, pose);
    }
    return err;
}

const struct mf_airframe_ops mf_wind_airframe_ops = {
    .arm = wind_arm,
    .plan = mf_behind_plan,
    .sample = wind_sample,
    .next = mf_behind_next,
    .turn = mf_behind_turn,
    .limit = mf_behind_limit,
};

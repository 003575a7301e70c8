/* SPDX-License-Identifier: Apache-2.0 */
/* Wind and gusts on a body. Called by world/world and faults_airframe, and through the HAL. */
#include "world/wind.h"

#include "math/geodesic.h"
#include "math/trig.h"
#include "world/thrust.h"

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
        .wrapped = {airframe, airframe_ctx},
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

/* Share of the full wind at the body, with its derivatives by time, as over flat ground. Fields
 * that end in _per_s include changes of the vertical speed that no acceleration shows. */
struct share {
    double x, x_per_s, x_per_s2;
    double x_per_s_per_s, x_per_s2_per_s;
};

static struct share share_at(const struct mf_wind *w, const struct mf_pose *pose)
{
    const double u = (pose->alt_amsl_m - pose->ground_amsl_m) / w->full_at_m;
    const double u_t = -(double)pose->vel_ned_mps[2] / w->full_at_m;
    const double u_tt = -(double)pose->acc_ned_mps2[2] / w->full_at_m;
    const double u_t_t = -(double)pose->sinks_mps2 / w->full_at_m;
    const double u_tt_t = -(double)pose->sinks_mps3 / w->full_at_m;
    const struct mf_noise_value step = mf_noise_step(u);
    return (struct share){
        .x = step.x,
        .x_per_s = step.per_s * u_t,
        .x_per_s2 = step.per_s2 * u_t * u_t + step.per_s * u_tt,
        .x_per_s_per_s = step.per_s2 * u_t * u_t + step.per_s * u_t_t,
        .x_per_s2_per_s = step.per_s3 * u_t * u_t * u_t + step.per_s2 * u_t * (2.0 * u_t_t + u_tt) +
                          step.per_s * u_tt_t,
    };
}

/* Effect of the air on one axis: its speed, and the distance of the body from its path; derivatives
 * of the speeds and of the acceleration. */
struct push {
    double wind_mps, off_m, vel_mps, acc_mps2;
    double wind_per_s, vel_per_s, acc_per_s;
};

static struct push push_at(const struct mf_wind *w, size_t axis, mf_us_t t_us,
                           const struct share *share)
{
    const double mean_mps = w->mean_ne_mps[axis];
    if (!(w->gusts_mps > 0.0)) {
        return (struct push){.wind_mps = mean_mps * share->x,
                             .wind_per_s = mean_mps * share->x_per_s};
    }
    const struct mf_noise_value gust = mf_noise_at(&w->gust[axis], t_us);
    const double give_m = w->gusts_mps * w->give_s;
    const double wind_mps = mean_mps + w->gusts_mps * gust.x;
    return (struct push){
        .wind_mps = wind_mps * share->x,
        .wind_per_s = wind_mps * share->x_per_s + w->gusts_mps * gust.per_s * share->x,
        .off_m = give_m * gust.x * share->x,
        .vel_mps = give_m * (gust.per_s * share->x + gust.x * share->x_per_s),
        .vel_per_s = give_m * (gust.per_s2 * share->x + 2.0 * gust.per_s * share->x_per_s +
                               gust.x * share->x_per_s_per_s),
        .acc_mps2 = give_m * (gust.per_s2 * share->x + 2.0 * gust.per_s * share->x_per_s +
                              gust.x * share->x_per_s2),
        .acc_per_s = give_m * (gust.per_s3 * share->x + 3.0 * gust.per_s2 * share->x_per_s +
                               gust.per_s * (2.0 * share->x_per_s_per_s + share->x_per_s2) +
                               gust.x * share->x_per_s2_per_s),
    };
}

/* Add the thrust of swaying and of holding against the air to the one that roll and pitch already
 * show, per unit of upward thrust. */
static void lean(const struct mf_wind *w, const struct push *north, const struct push *east,
                 struct mf_pose *pose)
{
    const double drag = w->drag_per_s;
    const double north_mps2 = north->acc_mps2 + drag * (north->vel_mps - north->wind_mps);
    const double east_mps2 = east->acc_mps2 + drag * (east->vel_mps - east->wind_mps);
    const double north_mps3 = north->acc_per_s + drag * (north->vel_per_s - north->wind_per_s);
    const double east_mps3 = east->acc_per_s + drag * (east->vel_per_s - east->wind_per_s);
    struct mf_thrust up = {
        .up = MF_GRAVITY_MPS2 - (double)pose->acc_ned_mps2[2] - drag * (double)pose->vel_ned_mps[2],
        .up_per_s = -(double)pose->sinks_mps3 - drag * (double)pose->sinks_mps2,
    };
    mf_thrust_hold_up(&up);
    const double sr = mf_sin((double)pose->roll_rad), cr = mf_cos((double)pose->roll_rad);
    const double sp = mf_sin((double)pose->pitch_rad), cp = mf_cos((double)pose->pitch_rad);
    const double sy = mf_sin((double)pose->yaw_rad), cy = mf_cos((double)pose->yaw_rad);
    const double rollspeed_rps = (double)pose->rollspeed_rps;
    const double pitchspeed_rps = (double)pose->pitchspeed_rps;
    const double yawspeed_rps = (double)pose->yawspeed_rps;
    const double ahead = (north_mps2 * cy + east_mps2 * sy) / up.up;
    const double aside = (east_mps2 * cy - north_mps2 * sy) / up.up;
    const double grows = up.up_per_s / up.up;
    const struct mf_thrust t = {
        .forward = -sp / cp + ahead,
        .right = sr / (cr * cp) + aside,
        .up = 1.0,
        .forward_per_s = -pitchspeed_rps / (cp * cp) + (north_mps3 * cy + east_mps3 * sy) / up.up +
                         yawspeed_rps * aside - ahead * grows,
        .right_per_s = rollspeed_rps / (cr * cr * cp) + pitchspeed_rps * sr * sp / (cr * cp * cp) +
                       (east_mps3 * cy - north_mps3 * sy) / up.up - yawspeed_rps * ahead -
                       aside * grows,
    };
    mf_thrust_point(&t, w->lean_max, pose);
}

void mf_wind_blow(const struct mf_wind *w, mf_us_t t_us, struct mf_pose *pose)
{
    const struct share share = share_at(w, pose);
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
        lean(w, &north, &east, pose);
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
    const int err = w->wrapped.airframe->arm(w->wrapped.ctx, t_us, on);
    w->armed = err == MF_E_OK ? on : w->armed;
    return err;
}

static int wind_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_wind *w = ctx;
    MF_ASSERT(w != NULL && pose != NULL);
    const int err = mf_wrapped_sample(ctx, t_us, pose);
    if (err == MF_E_OK && !pose->on_ground) {
        mf_wind_blow(w, t_us, pose);
    }
    return err;
}

const struct mf_airframe_ops mf_wind_airframe_ops = {
    .arm = wind_arm,
    .plan = mf_wrapped_plan,
    .sample = wind_sample,
    .next = mf_wrapped_next,
    .turn = mf_wrapped_turn,
    .limit = mf_wrapped_limit,
    .motors = mf_wrapped_motors,
};

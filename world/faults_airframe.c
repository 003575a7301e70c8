/* SPDX-License-Identifier: Apache-2.0 */
/* The body with its faults: see the table in hal/inject.h for what each changes. */
#include "math/geodesic.h"
#include "math/trig.h"
#include "world/faults.h"
#include "world/wind.h"

/* How often a place is moved back: the azimuthal plane is another one at the other end. */
#define ROUNDS 3

void mf_faults_carry(struct mf_faults *faults, const struct mf_airframe_ops *airframe, void *ctx)
{
    MF_ASSERT(faults != NULL && airframe != NULL);
    faults->behind = (struct mf_behind){airframe, ctx};
}

/* ---- motors ---- */

void mf_faults_time(struct mf_faults *f, mf_us_t t_us)
{
    const bool off = mf_faults_active(f, MF_FAULT_MOTOR_OFF, t_us, NULL);
    if (off == f->motors_off) {
        return;
    }
    f->motors_off = off;
    if (f->armed && f->behind.airframe != NULL) {
        (void)f->behind.airframe->arm(f->behind.ctx, t_us, !off);
    }
}

static int faulty_arm(void *ctx, mf_us_t t_us, bool on)
{
    struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL);
    mf_faults_time(f, t_us);
    if (on && f->motors_off) {
        return MF_E_IO;
    }
    const int err = f->behind.airframe->arm(f->behind.ctx, t_us, on);
    f->armed = err == MF_E_OK ? on : f->armed;
    return err;
}

/* ---- where it is ---- */

/* Adds a speed or a distance in a direction. */
static void add(double ne[2], const struct mf_fault_values *with, double times)
{
    const double bearing_rad = mf_rad((double)with->value[1]);
    ne[0] += (double)with->value[0] * times * mf_cos(bearing_rad);
    ne[1] += (double)with->value[0] * times * mf_sin(bearing_rad);
}

/* How far from where it flew it is [m], and how fast that changes. */
struct push {
    double off_m[2];
    double vel_mps[2];
};

static struct push push_at(const struct mf_faults *f, mf_us_t t_us)
{
    struct push p = {{0.0, 0.0}, {0.0, 0.0}};
    struct mf_fault_active active;
    if (mf_faults_active(f, MF_FAULT_BREACH_TELEPORT, t_us, &active)) {
        add(p.off_m, active.with, 1.0);
    }
    if (mf_faults_active(f, MF_FAULT_BREACH_DRIFT, t_us, &active)) {
        add(p.off_m, active.with,
            mf_faults_drifted_s(&active, t_us, (double)active.with->value[0]));
        add(p.vel_mps, active.with, 1.0);
    }
    return p;
}

static bool moves(const struct push *p)
{
    return p->off_m[0] != 0.0 || p->off_m[1] != 0.0;
}

/* The place that is pushed to @p wanted. */
static struct mf_geo unpushed(const struct push *p, struct mf_geo wanted)
{
    struct mf_geo from = mf_geo_from_local(wanted, -p->off_m[0], -p->off_m[1]);
    for (int i = 0; i < ROUNDS; i++) {
        double miss_m[2];
        const struct mf_geo there = mf_geo_from_local(from, p->off_m[0], p->off_m[1]);
        mf_geo_to_local(there, wanted, miss_m);
        from = mf_geo_from_local(from, miss_m[0], miss_m[1]);
    }
    return from;
}

static int faulty_plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    struct mf_faults *f = ctx;
    struct mf_leg pushed[MF_PLAN_LEGS_MAX];
    MF_ASSERT(f != NULL && n <= MF_PLAN_LEGS_MAX && (legs != NULL || n == 0));
    mf_faults_time(f, t_us);
    const struct push p = push_at(f, t_us);
    if (!moves(&p)) {
        return mf_behind_plan(ctx, t_us, legs, n);
    }
    for (size_t i = 0; i < n; i++) {
        pushed[i] = legs[i];
        if (!legs[i].velocity && mf_abs(legs[i].lat_deg) <= 90.0 &&
            mf_abs(legs[i].lon_deg) <= 180.0) {
            const struct mf_geo to =
                unpushed(&p, (struct mf_geo){legs[i].lat_deg, legs[i].lon_deg});
            pushed[i].lat_deg = to.lat_deg;
            pushed[i].lon_deg = to.lon_deg;
        }
    }
    return mf_behind_plan(ctx, t_us, n > 0 ? pushed : NULL, n);
}

static void push(const struct mf_faults *f, mf_us_t t_us, struct mf_pose *pose)
{
    const struct push p = push_at(f, t_us);
    if (moves(&p)) {
        const struct mf_geo to = mf_geo_from_local((struct mf_geo){pose->lat_deg, pose->lon_deg},
                                                   p.off_m[0], p.off_m[1]);
        pose->lat_deg = to.lat_deg;
        pose->lon_deg = to.lon_deg;
    }
    if (!pose->on_ground) {
        pose->vel_ned_mps[0] += (float)p.vel_mps[0];
        pose->vel_ned_mps[1] += (float)p.vel_mps[1];
    }
}

/* ---- wind ---- */

/* As world/wind.h has it, without gusts; and it is felt on the ground, too. */
static void blow(const struct mf_faults *f, mf_us_t t_us, struct mf_pose *pose)
{
    struct mf_fault_active active;
    if (!mf_faults_active(f, MF_FAULT_WIND, t_us, &active)) {
        return;
    }
    const struct mf_wind_settings settings = {
        .speed_mps = (double)active.with->value[0],
        .from_deg = (double)active.with->value[1],
        .gust_time_s = 1.0,
    };
    const struct mf_seed seed = {0, 0};
    const struct mf_pose before = *pose;
    struct mf_wind wind;
    mf_wind_init(&wind, f->behind.airframe, f->behind.ctx, &seed, &settings);
    wind.armed = f->armed && !f->motors_off;
    if (!pose->on_ground) {
        mf_wind_blow(&wind, t_us, pose);
    }
    for (int i = 0; i < 2; i++) {
        pose->wind_ne_mps[i] = before.wind_ne_mps[i] + (float)wind.mean_ne_mps[i];
    }
    pose->gusts_mps = before.gusts_mps;
}

static int faulty_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL && pose != NULL);
    const int err = mf_behind_sample(ctx, t_us, pose);
    if (err == MF_E_OK) {
        push(f, t_us, pose);
        blow(f, t_us, pose);
    }
    return err;
}

const struct mf_airframe_ops mf_faults_airframe_ops = {
    .arm = faulty_arm,
    .plan = faulty_plan,
    .sample = faulty_sample,
    .next = mf_behind_next,
    .turn = mf_behind_turn,
    .limit = mf_behind_limit,
};

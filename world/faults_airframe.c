/* SPDX-License-Identifier: Apache-2.0 */
/* The body with its faults: see the table in hal/inject.h for what each changes. */
#include "math/geodesic.h"
#include "math/trig.h"
#include "world/faults.h"
#include "world/wind.h"

/* Iterations that correct a displaced place: the azimuthal plane is a different one at each
 * place. */
#define ROUNDS 3
/* Displacement during one flight beyond which the search for the arrival ends [m]. */
#define FARTHEST_M 4e6
/* Distance ahead at which the body aims against a drift that it cannot overcome [m]. */
#define AGAINST_M 1e5
/* SPOT_M: a target within this distance is straight above or below [m]; SPOT_TIMES: limit of the
 * duration of a flight there, as a multiple of that without drift. */
#define SPOT_M     0.5
#define SPOT_TIMES 4

void mf_faults_carry(struct mf_faults *faults, const struct mf_airframe_ops *airframe, void *ctx)
{
    MF_ASSERT(faults != NULL && airframe != NULL);
    faults->wrapped = (struct mf_wrapped){airframe, ctx};
}

/* ---- motors ---- */

static void fail_motors(struct mf_faults *f, mf_us_t t_us)
{
    const bool off = mf_faults_active(f, MF_FAULT_MOTOR_OFF, t_us, NULL);
    if (off == f->motors_off) {
        return;
    }
    f->motors_off = off;
    if (f->armed && f->wrapped.airframe != NULL) {
        (void)f->wrapped.airframe->arm(f->wrapped.ctx, t_us, !off);
    }
}

static int faulty_motors(void *ctx, mf_us_t t_us, mf_us_t *next_us)
{
    const struct mf_faults *f = ctx;
    const int err = mf_wrapped_motors(ctx, t_us, next_us);
    *next_us = mf_earlier(*next_us, mf_faults_next(f, UINT64_C(1) << MF_FAULT_MOTOR_OFF, t_us));
    return mf_faults_active(f, MF_FAULT_MOTOR_OFF, t_us, NULL) ? (int)MF_E_IO : err;
}

static int faulty_arm(void *ctx, mf_us_t t_us, bool on)
{
    struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL);
    mf_faults_time(f, t_us);
    if (on && f->motors_off) {
        return MF_E_IO;
    }
    const int err = f->wrapped.airframe->arm(f->wrapped.ctx, t_us, on);
    f->armed = err == MF_E_OK ? on : f->armed;
    return err;
}

/* ---- where it is ---- */

#define MOVES (UINT64_C(1) << MF_FAULT_BREACH_TELEPORT | UINT64_C(1) << MF_FAULT_BREACH_DRIFT)

/* Adds a speed or a distance in a direction. */
static void add(double ne[2], const struct mf_fault_values *with, double times)
{
    const double bearing_rad = mf_rad((double)with->value[1]);
    ne[0] += (double)with->value[0] * times * mf_cos(bearing_rad);
    ne[1] += (double)with->value[0] * times * mf_sin(bearing_rad);
}

/* Displacement of the body by faults [m]. */
static void off_at(const struct mf_moved *m, mf_us_t t_us, double off_m[2])
{
    MF_ASSERT(t_us >= m->from_us);
    const double for_s = (double)(t_us - m->from_us) / 1e6;
    off_m[0] = m->off_m[0] + m->vel_mps[0] * for_s;
    off_m[1] = m->off_m[1] + m->vel_mps[1] * for_s;
}

/* Update at an instant at which displacements may begin or end. The body stays displaced after a
 * fault. */
static void turn_over(const struct mf_faults *f, struct mf_moved *m, mf_us_t t_us)
{
    struct mf_fault_active a;
    struct mf_fault_values none = {.text = ""};
    const bool jumps = mf_faults_active(f, MF_FAULT_BREACH_TELEPORT, t_us, &a);
    const struct mf_fault_values jump = jumps ? *a.with : none;
    if (jump.value[0] != m->jump.value[0] || jump.value[1] != m->jump.value[1]) {
        m->jump = jump;
        add(m->off_m, &jump, 1.0);
    }
    const bool drifts = mf_faults_active(f, MF_FAULT_BREACH_DRIFT, t_us, &a);
    const mf_us_t since_us = drifts ? a.since_us : -1;
    if (since_us == m->since_us) {
        return;
    }
    off_at(m, t_us, m->off_m);
    m->from_us = t_us;
    m->since_us = since_us;
    m->vel_mps[0] = m->vel_mps[1] = 0.0;
    if (drifts) {
        add(m->vel_mps, a.with, 1.0);
        add(m->off_m, a.with, MF_DRIFT_FIRST_M / (double)a.with->value[0]);
    }
}

/* Update at all such instants up to t_us. */
static void advance_to(const struct mf_faults *f, struct mf_moved *m, mf_us_t t_us)
{
    while (m->next_us <= t_us) {
        const mf_us_t at_us = mf_faults_next(f, MOVES, m->seen_us);
        m->next_us = at_us;
        if (at_us <= t_us) {
            turn_over(f, m, at_us);
            m->seen_us = at_us;
        }
    }
}

static void move(struct mf_faults *f, mf_us_t t_us)
{
    struct mf_moved *m = &f->book->moved;
    advance_to(f, m, t_us);
    turn_over(f, m, t_us); /* a request may be new at this very instant */
    m->seen_us = t_us;
    m->next_us = mf_faults_next(f, MOVES, t_us);
}

static bool is_off(const double off_m[2])
{
    return off_m[0] != 0.0 || off_m[1] != 0.0;
}

static void displace_pose(const struct mf_faults *f, mf_us_t t_us, struct mf_pose *pose)
{
    struct mf_moved m = {.off_m = {0.0, 0.0}}; /* without a book faults have never moved the body */
    double off_m[2] = {0.0, 0.0};
    if (f->book != NULL) {
        m = f->book->moved;
        advance_to(f, &m, t_us);
        off_at(&m, t_us, off_m);
    }
    if (is_off(off_m)) {
        const struct mf_geo to =
            mf_geo_from_local((struct mf_geo){pose->lat_deg, pose->lon_deg}, off_m[0], off_m[1]);
        pose->lat_deg = to.lat_deg;
        pose->lon_deg = to.lon_deg;
    }
    /* adding 0 turns a speed of -0 into 0, so that results with and without a book are equal */
    if (!pose->on_ground) {
        pose->vel_ned_mps[0] += (float)m.vel_mps[0];
        pose->vel_ned_mps[1] += (float)m.vel_mps[1];
    }
}

/* ---- flight ---- */

/* Find the place that the displacement moves to @p wanted. */
static struct mf_geo unpushed(const double off_m[2], struct mf_geo wanted)
{
    struct mf_geo from = mf_geo_from_local(wanted, -off_m[0], -off_m[1]);
    for (int i = 0; i < ROUNDS; i++) {
        double miss_m[2];
        const struct mf_geo there = mf_geo_from_local(from, off_m[0], off_m[1]);
        mf_geo_to_local(there, wanted, miss_m);
        from = mf_geo_from_local(from, miss_m[0], miss_m[1]);
    }
    return from;
}

struct order {
    mf_us_t t_us;
    const struct mf_leg *legs;
    size_t n;
};

/* Send the body to the places that the displacement until @p until_us moves to the targets.
 * @param at_us  out: instant of the arrival there */
static int send_plan(struct mf_faults *f, const struct order *o, mf_us_t until_us, mf_us_t *at_us)
{
    struct mf_leg pushed[MF_PLAN_LEGS_MAX];
    double off_m[2] = {0.0, 0.0};
    if (f->book != NULL) {
        off_at(&f->book->moved, until_us, off_m);
    }
    for (size_t i = 0; i < o->n; i++) {
        const struct mf_leg *leg = &o->legs[i];
        pushed[i] = *leg;
        if (is_off(off_m) && !leg->velocity && mf_abs(leg->lat_deg) <= 90.0 &&
            mf_abs(leg->lon_deg) <= 180.0) {
            const struct mf_geo to = unpushed(off_m, (struct mf_geo){leg->lat_deg, leg->lon_deg});
            pushed[i].lat_deg = to.lat_deg;
            pushed[i].lon_deg = to.lon_deg;
        }
    }
    const int err = mf_wrapped_plan(f, o->t_us, o->n > 0 ? pushed : NULL, o->n);
    *at_us = MF_NEVER;
    if (err == MF_E_OK) {
        (void)mf_wrapped_next(f, o->t_us, MF_WHEN_ARRIVED, 0.0, at_us);
    }
    return err;
}

/* Is the displacement until then within the limits of the arithmetic? */
static bool is_near(const struct mf_moved *m, mf_us_t t_us)
{
    double off_m[2];
    off_at(m, t_us, off_m);
    return mf_abs(off_m[0]) < FARTHEST_M && mf_abs(off_m[1]) < FARTHEST_M;
}

/* Does the order lead straight up or down? Such an order can always be followed, though not at its
 * place. */
static bool is_above(struct mf_faults *f, const struct order *o)
{
    struct mf_pose pose;
    if (mf_wrapped_sample(f, o->t_us, &pose) != MF_E_OK) {
        return false;
    }
    displace_pose(f, o->t_us, &pose);
    const struct mf_geo here = {pose.lat_deg, pose.lon_deg};
    const struct mf_geo there = {o->legs[0].lat_deg, o->legs[0].lon_deg};
    return mf_geo_inverse(here, there).distance_m < SPOT_M;
}

/* Fly against the drift: to the place that the drift will have moved to the target at the arrival.
 * Finds that instant by bisection over orders to the body, each of which arrives in time or does
 * not. */
static int send_against(struct mf_faults *f, const struct order *o)
{
    MF_ASSERT(f->book != NULL); /* the drift is in the book */
    const struct mf_moved *const moved = &f->book->moved;
    mf_us_t at_us;
    mf_us_t early_us = o->t_us;
    mf_us_t late_us;
    int err = send_plan(f, o, early_us, &late_us);
    if (err != MF_E_OK || late_us == MF_NEVER || late_us == early_us) {
        return err;
    }
    const bool above = is_above(f, o);
    const mf_us_t last_us = above ? o->t_us + SPOT_TIMES * (late_us - o->t_us) : MF_NEVER;
    while (!f->astray) {
        f->astray = late_us > last_us || !is_near(moved, late_us) ||
                    send_plan(f, o, late_us, &at_us) != MF_E_OK;
        if (f->astray || at_us <= late_us) {
            break;
        }
        early_us = late_us;
        late_us += late_us - o->t_us;
    }
    if (f->astray && above) {
        f->astray = false;
        return send_plan(f, o, o->t_us, &at_us);
    }
    if (f->astray) { /* the drift is faster: the body flies on against it, and never arrives */
        const double *vel = moved->vel_mps;
        const double lasts_s = AGAINST_M / mf_length2(vel[0], vel[1]);
        return send_plan(f, o, o->t_us + (mf_us_t)(lasts_s * 1e6), &at_us);
    }
    while (late_us - early_us > 1) {
        const mf_us_t middle_us = early_us + (late_us - early_us) / 2;
        (void)send_plan(f, o, middle_us, &at_us);
        early_us = at_us > middle_us ? middle_us : early_us;
        late_us = at_us > middle_us ? late_us : middle_us;
    }
    return send_plan(f, o, late_us, &at_us);
}

static int faulty_plan(void *ctx, mf_us_t t_us, const struct mf_leg *legs, size_t n)
{
    struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL && n <= MF_PLAN_LEGS_MAX && (legs != NULL || n == 0));
    mf_faults_time(f, t_us);
    const struct order o = {t_us, legs, n};
    const bool led = n > 0 && !legs[0].velocity && !legs[0].land;
    mf_us_t at_us;
    const bool was_astray = f->astray;
    f->astray = false;
    const bool drifts = f->book != NULL && is_off(f->book->moved.vel_mps);
    const int err = led && drifts ? send_against(f, &o) : send_plan(f, &o, t_us, &at_us);
    f->astray = err == MF_E_OK ? f->astray : was_astray;
    return err;
}

static int faulty_next(void *ctx, mf_us_t t_us, enum mf_when when, double value, mf_us_t *at_us)
{
    const struct mf_faults *f = ctx;
    const int err = mf_wrapped_next(ctx, t_us, when, value, at_us);
    if (err == MF_E_OK && when == MF_WHEN_ARRIVED && f->astray) {
        *at_us = MF_NEVER;
    }
    return err;
}

/* ---- wind ---- */

/* Apply wind as world/wind.h does, without gusts; it also acts on the ground. */
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
        .drag_per_s = f->drag_per_s,
    };
    const struct mf_seed seed = {0, 0};
    const struct mf_pose before = *pose;
    struct mf_wind wind;
    mf_wind_init(&wind, f->wrapped.airframe, f->wrapped.ctx, &seed, &settings);
    wind.armed = f->armed && !f->motors_off;
    if (!pose->on_ground) {
        mf_wind_blow(&wind, t_us, pose);
    }
    for (int i = 0; i < 2; i++) {
        pose->wind_ne_mps[i] = before.wind_ne_mps[i] + (float)wind.mean_ne_mps[i];
    }
    pose->gusts_mps = before.gusts_mps;
}

void mf_faults_time(struct mf_faults *f, mf_us_t t_us)
{
    if (f->book != NULL) {
        move(f, t_us);
        fail_motors(f, t_us);
    }
}

static int faulty_sample(void *ctx, mf_us_t t_us, struct mf_pose *pose)
{
    const struct mf_faults *f = ctx;
    MF_ASSERT(f != NULL && pose != NULL);
    const int err = mf_wrapped_sample(ctx, t_us, pose);
    if (err == MF_E_OK) {
        displace_pose(f, t_us, pose);
        blow(f, t_us, pose);
    }
    return err;
}

const struct mf_airframe_ops mf_faults_airframe_ops = {
    .arm = faulty_arm,
    .plan = faulty_plan,
    .sample = faulty_sample,
    .next = faulty_next,
    .turn = mf_wrapped_turn,
    .limit = mf_wrapped_limit,
    .motors = faulty_motors,
};

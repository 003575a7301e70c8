/* SPDX-License-Identifier: Apache-2.0 */
/*
 * physics_vs_sih [FOLDER]: flies the missions of recorded PX4 flights with world/airframe_physics
 * and prints, leg by leg, what PX4 did, what the model does and by how much they differ, against
 * the tolerances of the recordings' README. FOLDER holds the recordings, by default
 * ../shared/data/px4_sih. The exit code is 1 if more figures than before are out of tolerance, and
 * 2 without recordings.
 *
 * Both flights go through the same filters: speeds over 0.3 s, vertical speeds and accelerations
 * over 0.6 s.
 */
#include "math/geodesic.h"
#include "math/trig.h"
#include "world/airframe_physics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_MAX 8192
#define STEPS_MAX   12
#define RADIUS_M    2.0 /* NAV_ACC_RAD */
#define ALT_RAD_M   0.8 /* NAV_MC_ALT_RAD */
#define GROUND_M    488.0
#define STEP_S      0.02
#define OUT_MAX     16   /* PX4's own flights differ by more than the tolerances, see compare() */
#define CORNER_M    10.0 /* so far from the ends of a leg the path belongs to a corner */

_Noreturn void mf_assert_failed(const char *expr, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    abort();
}

static const struct mf_geo k_home = {47.397742, 8.545594};

/* ---- the missions ---- */

enum what { END, CLIMB, GO, LAND };

/* What a step does and which event of the recording ends it. */
struct step {
    enum what what;
    double north_m;
    double east_m;
    double up_m;
    double hold_s;    /* at the target, before its event */
    double at_s;      /* begins then, by the recording's clock; 0: where the last one ended */
    const char *mark; /* "reached 1", ...; "near": within the radius; "next": the next begins */
};

struct flight {
    const char *name;
    float cruise_mps;
    const char *begins;
    struct step step[STEPS_MAX];
};

/* clang-format off */
static const struct flight k_flight[] = {
    {"takeoff_land_10m", 5.0f, "text Armed", {
        {CLIMB, 0, 0, 10, 0, 0, "landed 2"},
        {LAND, 0, 0, 0, 0, 18.44, "touch"}}},
    {"square_100m_default", 5.0f, "text Armed", {
        {CLIMB, 0, 0, 10, 0, 0, "reached 0"},
        {GO, 100, 0, 10, 0, 0, "reached 1"},
        {GO, 100, 100, 10, 0, 0, "reached 2"},
        {GO, 0, 100, 10, 0, 0, "reached 3"},
        {GO, 0, 0, 10, 0, 0, "reached 5"},
        {LAND, 0, 0, 0, 0, 116.0, "touch"}}},
    {"square_100m_cruise10", 10.0f, "text Armed", {
        {CLIMB, 0, 0, 10, 0, 0, "reached 0"},
        {GO, 100, 0, 10, 0, 0, "reached 1"},
        {GO, 100, 100, 10, 0, 0, "reached 2"},
        {GO, 0, 100, 10, 0, 0, "reached 3"},
        {GO, 0, 0, 10, 0, 0, "reached 5"},
        {LAND, 0, 0, 0, 0, 84.0, "touch"}}},
    {"straight_300m_climb", 10.0f, "text Armed", {
        {CLIMB, 0, 0, 10, 0, 0, "reached 0"},
        {GO, 150, 0, 30, 0, 0, "reached 1"},
        {GO, 300, 0, 15, 5, 0, "reached 2"},
        {LAND, 0, 0, 0, 0, 0, "touch"}}},
    {"short_legs_10m", 5.0f, "text Armed", {
        {CLIMB, 0, 0, 10, 0, 0, "reached 0"},
        {GO, 10, 5, 10, 0, 0, "reached 1"},
        {GO, 20, 0, 10, 0, 0, "reached 2"},
        {GO, 30, 5, 10, 0, 0, "reached 3"},
        {GO, 40, 0, 10, 0, 0, "reached 4"},
        {GO, 50, 5, 10, 0, 0, "reached 5"},
        {GO, 60, 0, 10, 0, 0, "reached 6"},
        {LAND, 0, 0, 0, 0, 0, "touch"}}},
    {"reposition_turns", 5.0f, "text Armed", {
        {CLIMB, 0, 0, 10, 0, 0, "landed 2"},
        {GO, 80, 0, 10, 0, 15.75, "next"},
        {GO, 0, 60, 20, 0, 21.65, "next"},
        {GO, -40, 0, 10, 0, 26.55, "near"},
        {CLIMB, -40, 0, 30, 0, 65.75, "near"},
        {GO, 0, 0, 30, 0, 0, "text RTL: land"},
        {LAND, 0, 0, 0, 0, 0, "touch"}}},
};
/* clang-format on */

/* ---- tracks ---- */

struct sample {
    double t_s;
    double x[3]; /* position, NED [m] */
    double v[3];
    double tilt_deg;
};

struct track {
    struct sample sample[SAMPLES_MAX];
    int count;
    double begin_s[STEPS_MAX]; /* of each step */
    double end_s[STEPS_MAX];
};

static struct track g_sih;
static struct track g_model;

static double tilt_of(double roll_rad, double pitch_rad)
{
    return acos(cos(roll_rad) * cos(pitch_rad)) * 180.0 / MF_PI;
}

static int index_at(const struct track *k, double t_s)
{
    int low = 0;
    int high = k->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (k->sample[middle].t_s < t_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Mean over a window around an instant. */
static double mean(const struct track *k, double t_s, double window_s,
                   double (*value)(const struct sample *s))
{
    const int to = index_at(k, t_s + window_s / 2);
    double sum = 0.0;
    int n = 0;
    for (int i = index_at(k, t_s - window_s / 2); i < to; i++) {
        sum += value(&k->sample[i]);
        n++;
    }
    return n > 0 ? sum / n : 0.0;
}

/* Slope of a velocity over a window: least squares. */
static double slope(const struct track *k, double t_s, double window_s, int axis)
{
    const int to = index_at(k, t_s + window_s / 2);
    double s = 0.0, st = 0.0, stt = 0.0, sv = 0.0, stv = 0.0;
    for (int i = index_at(k, t_s - window_s / 2); i < to; i++) {
        const double t = k->sample[i].t_s - t_s;
        const double v = k->sample[i].v[axis];
        s += 1.0, st += t, stt += t * t, sv += v, stv += t * v;
    }
    const double d = s * stt - st * st;
    return s > 3.0 && d > 0.0 ? (s * stv - st * sv) / d : 0.0;
}

static double speed_of(const struct sample *s)
{
    return hypot(s->v[0], s->v[1]);
}

static double up_of(const struct sample *s)
{
    return -s->v[2];
}

static double tilt_deg_of(const struct sample *s)
{
    return s->tilt_deg;
}

/* ---- a recording ---- */

static FILE *open_part(const char *folder, const char *name, const char *end)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s%s", folder, name, end);
    return fopen(path, "r");
}

static bool read_track(struct track *k, const char *folder, const char *name)
{
    char line[512];
    FILE *f = open_part(folder, name, ".csv");
    k->count = 0;
    if (f == NULL) {
        return false;
    }
    while (fgets(line, sizeof line, f) != NULL && k->count < SAMPLES_MAX) {
        double value[10];
        char *at = line;
        int n = 0;
        while (n < 10) {
            char *end;
            value[n] = strtod(at, &end);
            if (end == at) {
                break;
            }
            at = *end == ',' ? end + 1 : end;
            n++;
        }
        if (n == 10) {
            struct sample *s = &k->sample[k->count++];
            *s = (struct sample){.t_s = value[0] * 1e-3,
                                 .x = {value[1], value[2], value[3]},
                                 .v = {value[4], value[5], value[6]},
                                 .tilt_deg = tilt_of(value[7], value[8])};
        }
    }
    (void)fclose(f);
    return k->count > 0;
}

/* When the recording first says something after an instant; NAN: never. */
static double event_s(const char *folder, const char *name, const char *what, double after_s)
{
    char line[512];
    double found = (double)NAN;
    FILE *f = open_part(folder, name, ".events.csv");
    while (f != NULL && isnan(found) && fgets(line, sizeof line, f) != NULL) {
        char *end;
        const double t_s = strtod(line, &end) * 1e-3;
        if (*end != ',' || t_s <= after_s) {
            continue;
        }
        char *comma = strchr(end + 1, ',');
        if (comma != NULL) {
            *comma = ' ';
            if (comma[1] == '"') {
                memmove(comma + 1, comma + 2, strlen(comma + 1));
            }
        }
        if (strncmp(end + 1, what, strlen(what)) == 0) {
            found = t_s;
        }
    }
    if (f != NULL) {
        (void)fclose(f);
    }
    return found;
}

/* The ground stops a descent: the strongest upward acceleration of the last five seconds. */
static double touch_s(const struct track *k, double detected_s)
{
    double best = (double)INFINITY;
    double found = detected_s;
    for (int i = index_at(k, detected_s - 5.0); i < index_at(k, detected_s); i++) {
        const double a = slope(k, k->sample[i].t_s, 0.3, 2);
        if (a < best) {
            best = a;
            found = k->sample[i].t_s;
        }
    }
    return found;
}

static double near_s(const struct track *k, const struct step *step, double after_s)
{
    for (int i = index_at(k, after_s); i < k->count; i++) {
        const double *x = k->sample[i].x;
        if (hypot(x[0] - step->north_m, x[1] - step->east_m) <= RADIUS_M &&
            fabs(x[2] + step->up_m) <= ALT_RAD_M) {
            return k->sample[i].t_s;
        }
    }
    return (double)NAN;
}

static bool read_flight(struct track *k, const char *folder, const struct flight *f)
{
    if (!read_track(k, folder, f->name)) {
        return false;
    }
    double last_s = event_s(folder, f->name, f->begins, -1.0);
    for (int i = 0; f->step[i].what != END; i++) {
        const struct step *step = &f->step[i];
        k->begin_s[i] = step->at_s > last_s ? step->at_s : last_s;
        if (strcmp(step->mark, "next") == 0) {
            last_s = step[1].at_s;
        } else if (strcmp(step->mark, "near") == 0) {
            last_s = near_s(k, step, k->begin_s[i]);
        } else if (strcmp(step->mark, "touch") == 0) {
            last_s = touch_s(k, event_s(folder, f->name, "text Landing detected", k->begin_s[i]));
        } else {
            last_s = event_s(folder, f->name, step->mark, k->begin_s[i]);
        }
        k->end_s[i] = last_s;
    }
    return true;
}

/* ---- the model's flight ---- */

static struct mf_leg leg_of(const struct flight *f, const struct step *step)
{
    const struct mf_geo to = mf_geo_from_local(k_home, step->north_m, step->east_m);
    return (struct mf_leg){
        .lat_deg = to.lat_deg,
        .lon_deg = to.lon_deg,
        .alt_amsl_m = GROUND_M + step->up_m,
        .speed_h_mps = f->cruise_mps,
        .speed_up_mps = 3.0f,
        .speed_down_mps = 1.5f,
        .yaw_rad = NAN,
        .yaw_rate_rps = 1.0f,
        .radius_m = (float)RADIUS_M,
        .land = step->what == LAND,
    };
}

static mf_us_t us_of(double t_s)
{
    return (mf_us_t)(t_s * 1e6);
}

static void sample_until(struct track *k, struct mf_airframe_physics *b, double until_s)
{
    struct mf_pose pose;
    while (k->count < SAMPLES_MAX) {
        const double t_s = k->begin_s[0] + STEP_S * k->count;
        double ne_m[2];
        if (t_s >= until_s) {
            return;
        }
        (void)mf_airframe_physics_ops.sample(b, us_of(t_s), &pose);
        mf_geo_to_local(k_home, (struct mf_geo){pose.lat_deg, pose.lon_deg}, ne_m);
        k->sample[k->count++] = (struct sample){
            .t_s = t_s,
            .x = {ne_m[0], ne_m[1], GROUND_M - pose.alt_amsl_m},
            .v = {(double)pose.vel_ned_mps[0], (double)pose.vel_ned_mps[1],
                  (double)pose.vel_ned_mps[2]},
            .tilt_deg = tilt_of((double)pose.roll_rad, (double)pose.pitch_rad),
        };
    }
}

/* What a navigator does: a plan per step, a new one when the first leg is reached. */
static void fly(struct track *k, const struct track *sih, const struct flight *f)
{
    static struct mf_airframe_physics b;
    const struct mf_airframe_ops *ops = &mf_airframe_physics_ops;
    double now_s = sih->begin_s[0];
    mf_airframe_physics_init(&b, k_home.lat_deg, k_home.lon_deg, GROUND_M, 0.0f,
                             &mf_physics_limits_px4);
    k->count = 0;
    k->begin_s[0] = now_s;
    (void)ops->arm(&b, us_of(now_s), true);
    for (int i = 0; f->step[i].what != END; i++) {
        const struct step *step = &f->step[i];
        const bool follows =
            step->what == GO && step[1].what == GO && step->hold_s <= 0.0 && step[1].at_s <= 0.0;
        const struct mf_leg legs[2] = {leg_of(f, step), leg_of(f, &step[follows ? 1 : 0])};
        mf_us_t at_us = 0;
        if (i > 0) { /* pauses last as long as the recorded ones */
            now_s += sih->begin_s[i] - sih->end_s[i - 1];
        }
        sample_until(k, &b, now_s);
        if (ops->plan(&b, us_of(now_s), legs, follows ? 2 : 1) != MF_E_OK) {
            printf("%s: step %d refused\n", f->name, i);
            return;
        }
        (void)ops->next(&b, us_of(now_s), MF_WHEN_ARRIVED, 0.0, &at_us);
        k->begin_s[i] = now_s;
        now_s = strcmp(step->mark, "next") == 0 ? now_s + sih->end_s[i] - sih->begin_s[i]
                                                : (double)at_us * 1e-6 + 1e-6 + step->hold_s;
        k->end_s[i] = now_s;
        sample_until(k, &b, now_s);
    }
    sample_until(k, &b, now_s + 1.0);
}

/* ---- comparison ---- */

/* One interval between two events of one flight. */
struct leg {
    double duration_s;
    double speed_mps; /* greatest */
    double acc_mps2;  /* the same, horizontal */
    double tilt_deg;  /* the same */
    double up_mps;    /* the same */
    double down_mps;  /* the same */
    double climb_mps; /* mean */
    double low_s;     /* from the beginning to 1.5 m above the end */
    double land_mps;  /* from 4 m to 1.5 m above the end */
};

static double greater(double a, double b)
{
    return a > b ? a : b;
}

/* How long after the beginning it is, falling, at a height above the end. */
static double height_s(const struct track *k, int step, double height_m)
{
    const double end_m = -k->sample[index_at(k, k->end_s[step]) - 1].x[2];
    for (int i = index_at(k, k->begin_s[step]); i < k->count; i++) {
        if (-k->sample[i].x[2] - end_m <= height_m) {
            return k->sample[i].t_s - k->begin_s[step];
        }
    }
    return (double)NAN;
}

static struct leg measure(const struct track *k, int step)
{
    const int from = index_at(k, k->begin_s[step]);
    const int to = index_at(k, k->end_s[step]);
    struct leg l = {.duration_s = k->end_s[step] - k->begin_s[step]};
    l.low_s = height_s(k, step, 1.5);
    l.land_mps = 2.5 / (l.low_s - height_s(k, step, 4.0));
    l.climb_mps = (k->sample[from].x[2] - k->sample[to - 1].x[2]) / l.duration_s;
    for (int i = from; i < to; i++) {
        const double t_s = k->sample[i].t_s;
        const double up = mean(k, t_s, 0.6, up_of);
        l.speed_mps = greater(l.speed_mps, mean(k, t_s, 0.3, speed_of));
        l.acc_mps2 = greater(l.acc_mps2, hypot(slope(k, t_s, 0.6, 0), slope(k, t_s, 0.6, 1)));
        l.tilt_deg = greater(l.tilt_deg, mean(k, t_s, 0.3, tilt_deg_of));
        l.up_mps = greater(l.up_mps, up);
        l.down_mps = greater(l.down_mps, -up);
    }
    return l;
}

/* Horizontal distance of a point from the model's path at about the same step. */
static double off_path(const double x[3], int step)
{
    const int to = index_at(&g_model, g_model.end_s[step] + 5.0);
    double best = (double)INFINITY;
    for (int i = index_at(&g_model, g_model.begin_s[step] - 5.0); i < to; i++) {
        const double *a = g_model.sample[i].x;
        const double d = hypot(x[0] - a[0], x[1] - a[1]);
        best = d < best ? d : best;
    }
    return best;
}

/* Greatest distance of the recorded path from the model's: near corners, or elsewhere. */
static double path_gap(int step, bool corners)
{
    const int from = index_at(&g_sih, g_sih.begin_s[step]);
    const int to = index_at(&g_sih, g_sih.end_s[step]);
    double worst = 0.0;
    for (int i = from; i < to; i += 5) {
        const double *x = g_sih.sample[i].x;
        const double *a = g_sih.sample[from].x;
        const double *b = g_sih.sample[to - 1].x;
        const bool corner = hypot(x[0] - a[0], x[1] - a[1]) < CORNER_M ||
                            hypot(x[0] - b[0], x[1] - b[1]) < CORNER_M;
        worst = corner == corners ? greater(worst, off_path(x, step)) : worst;
    }
    return worst;
}

static int g_figures;
static int g_out;

/* One figure: what PX4 did, what the model does, and whether that is within the tolerance. */
static void figure(const char *name, double sih, double model, double tolerance)
{
    const bool out = !(fabs(model - sih) <= tolerance);
    g_figures++;
    g_out += out ? 1 : 0;
    printf("  %-10s %7.2f %7.2f %+6.2f of %.2f%s\n", name, sih, model, model - sih, tolerance,
           out ? "  OUT" : "");
}

/* Some tolerances cannot be kept, because PX4's flights do not keep them among themselves: the same
 * leg of the square takes 23.9 and 25.7 s, the same landing descends at 1.06 to 1.76 m/s where the
 * parameter says 1.5, six equal short legs reach 3.5 to 4.0 m/s and 25 to 32 degrees. */
static void compare(const struct flight *f, int step)
{
    const enum what what = f->step[step].what;
    const struct leg a = measure(&g_sih, step);
    const struct leg b = measure(&g_model, step);
    printf("%s, to %s\n", f->name, f->step[step].mark);
    if (what == LAND) {
        figure("to 1.5 m", a.low_s, b.low_s, greater(1.0, 0.05 * a.low_s));
        figure("down", a.down_mps, b.down_mps, 0.1 * a.down_mps);
        figure("last 4 m", a.land_mps, b.land_mps, 0.1 * a.land_mps);
        return;
    }
    figure("duration", a.duration_s, b.duration_s, greater(1.0, 0.05 * a.duration_s));
    if (what == CLIMB) {
        figure("up", a.up_mps, b.up_mps, 0.1 * a.up_mps);
        return;
    }
    figure("speed", a.speed_mps, b.speed_mps, 0.05 * a.speed_mps);
    figure("acc", a.acc_mps2, b.acc_mps2, 0.2 * a.acc_mps2);
    figure("tilt", a.tilt_deg, b.tilt_deg, 3.0);
    figure("path", 0.0, path_gap(step, false), 1.5);
    figure("corners", 0.0, path_gap(step, true), 3.0);
    if (fabs(f->step[step].up_m - f->step[step - 1].up_m) > 10.0) {
        figure("climb", a.climb_mps, b.climb_mps, 0.1 * fabs(a.climb_mps));
    }
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "../shared/data/px4_sih";
    puts("                 PX4   model");
    for (size_t i = 0; i < sizeof k_flight / sizeof k_flight[0]; i++) {
        const struct flight *f = &k_flight[i];
        if (!read_flight(&g_sih, folder, f)) {
            printf("physics.out: not measured, there are no recordings of PX4 in %s\n", folder);
            return 2;
        }
        fly(&g_model, &g_sih, f);
        for (int k = 0; f->step[k].what != END; k++) {
            compare(f, k);
        }
    }
    const bool over = g_out > OUT_MAX;
    printf("%d figures compared with PX4's, out of tolerance:\n", g_figures);
    printf("physics.out %d figures must %d %s\n", g_out, OUT_MAX, over ? "over" : "ok");
    return over ? 1 : 0;
}

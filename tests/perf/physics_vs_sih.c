/* SPDX-License-Identifier: Apache-2.0 */
/*
 * physics_vs_sih FLOWN [FOLDER]: compares what a drone with --motion physics told of its flights
 * over MAVLink (FLOWN, written by sih_flights.py) with recorded flights of a PX4 that flew the same
 * (FOLDER, by default ../shared/data/px4_sih), leg by leg, against the tolerances of the
 * recordings' README. The exit code is 1 if more figures than before are out of tolerance, and 2
 * without recordings.
 *
 * Both flights go through the same filters: speeds over 0.3 s, vertical speeds and accelerations
 * over 0.6 s.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEG         57.29577951308232
#define SAMPLES_MAX 8192
#define STEPS_MAX   12
#define RADIUS_M    2.0  /* NAV_ACC_RAD */
#define ALT_RAD_M   0.8  /* NAV_MC_ALT_RAD */
#define OUT_MAX     9    /* PX4's own flights differ by more than the tolerances, see compare() */
#define CORNER_M    10.0 /* so far from the ends of a leg the path belongs to a corner */

/* ---- the missions ---- */

enum what { END, CLIMB, GO, LAND };

/* What a step does, what begins and what ends it. */
struct step {
    enum what what;
    double north_m;
    double east_m;
    double up_m;
    double at_s;      /* begins then, by the clock of PX4's recording; 0: by an event */
    const char *from; /* ... this one; NULL: where the last step ended */
    const char *mark; /* "reached 1", ...; "near": within the radius; "next": the next begins */
};

struct flight {
    const char *name;
    const char *begins;
    struct step step[STEPS_MAX];
};

#define RTL_LANDS "text RTL: land"

/* clang-format off */
static const struct flight k_flight[] = {
    {"takeoff_land_10m", "text Armed", {
        {CLIMB, 0, 0, 10, 0, NULL, "landed 2"},
        {LAND, 0, 0, 0, 0, "text Landing at", "touch"}}},
    {"square_100m_default", "text Armed", {
        {CLIMB, 0, 0, 10, 0, NULL, "reached 0"},
        {GO, 100, 0, 10, 0, NULL, "reached 1"},
        {GO, 100, 100, 10, 0, NULL, "reached 2"},
        {GO, 0, 100, 10, 0, NULL, "reached 3"},
        {GO, 0, 0, 10, 0, NULL, "reached 5"},
        {LAND, 0, 0, 0, 0, RTL_LANDS, "touch"}}},
    {"square_100m_cruise10", "text Armed", {
        {CLIMB, 0, 0, 10, 0, NULL, "reached 0"},
        {GO, 100, 0, 10, 0, NULL, "reached 1"},
        {GO, 100, 100, 10, 0, NULL, "reached 2"},
        {GO, 0, 100, 10, 0, NULL, "reached 3"},
        {GO, 0, 0, 10, 0, NULL, "reached 5"},
        {LAND, 0, 0, 0, 0, RTL_LANDS, "touch"}}},
    {"straight_300m_climb", "text Armed", {
        {CLIMB, 0, 0, 10, 0, NULL, "reached 0"},
        {GO, 150, 0, 30, 0, NULL, "reached 1"},
        {GO, 300, 0, 15, 0, NULL, "reached 2"},
        {LAND, 0, 0, 0, 0, NULL, "touch"}}},
    {"short_legs_10m", "text Armed", {
        {CLIMB, 0, 0, 10, 0, NULL, "reached 0"},
        {GO, 10, 5, 10, 0, NULL, "reached 1"},
        {GO, 20, 0, 10, 0, NULL, "reached 2"},
        {GO, 30, 5, 10, 0, NULL, "reached 3"},
        {GO, 40, 0, 10, 0, NULL, "reached 4"},
        {GO, 50, 5, 10, 0, NULL, "reached 5"},
        {GO, 60, 0, 10, 0, NULL, "reached 6"},
        {LAND, 0, 0, 0, 0, NULL, "touch"}}},
    {"reposition_turns", "text Armed", {
        {CLIMB, 0, 0, 10, 0, NULL, "landed 2"},
        {GO, 80, 0, 10, 15.75, NULL, "next"},
        {GO, 0, 60, 20, 21.65, NULL, "next"},
        {GO, -40, 0, 10, 26.55, NULL, "near"},
        {CLIMB, -40, 0, 30, 65.75, NULL, "near"},
        {GO, 0, 0, 30, 0, NULL, RTL_LANDS},
        {LAND, 0, 0, 0, 0, NULL, "touch"}}},
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
static struct track g_drone;

static double tilt_of(double roll_rad, double pitch_rad)
{
    return acos(cos(roll_rad) * cos(pitch_rad)) * DEG;
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

/* @param to_s  clock of PX4's recording when the flight begins; NAN: this is it */
static bool read_flight(struct track *k, const char *folder, const struct flight *f, double to_s)
{
    if (!read_track(k, folder, f->name)) {
        return false;
    }
    double last_s = event_s(folder, f->name, f->begins, -1.0);
    const double late_s = isnan(to_s) ? 0.0 : last_s - to_s;
    for (int i = 0; f->step[i].what != END; i++) {
        const struct step *step = &f->step[i];
        const double from_s = step->from != NULL
                                  ? event_s(folder, f->name, step->from, last_s - 0.1)
                                  : step->at_s + late_s;
        k->begin_s[i] = from_s > last_s ? from_s : last_s;
        if (strcmp(step->mark, "next") == 0) {
            last_s = step[1].at_s + late_s;
        } else if (strcmp(step->mark, "near") == 0) {
            last_s = near_s(k, step, k->begin_s[i]);
        } else if (strcmp(step->mark, "touch") == 0 && isnan(to_s)) {
            last_s = touch_s(k, event_s(folder, f->name, "text Landing detected", k->begin_s[i]));
        } else if (strcmp(step->mark, "touch") == 0) {
            last_s = event_s(folder, f->name, "landed 1", k->begin_s[i]);
        } else {
            last_s = event_s(folder, f->name, step->mark, k->begin_s[i]);
        }
        k->end_s[i] = last_s;
    }
    return true;
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

/* Horizontal distance of a point from the drone's path at about the same step. */
static double off_path(const double x[3], int step)
{
    const int to = index_at(&g_drone, g_drone.end_s[step] + 5.0);
    double best = (double)INFINITY;
    for (int i = index_at(&g_drone, g_drone.begin_s[step] - 5.0); i < to; i++) {
        const double *a = g_drone.sample[i].x;
        const double d = hypot(x[0] - a[0], x[1] - a[1]);
        best = d < best ? d : best;
    }
    return best;
}

/* Greatest distance of PX4's path from the drone's: near corners, or elsewhere. */
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

/* One figure: what PX4 did, what the drone did, and whether that is within the tolerance. */
static void figure(const char *name, double sih, double drone, double tolerance)
{
    const bool out = !(fabs(drone - sih) <= tolerance);
    g_figures++;
    g_out += out ? 1 : 0;
    printf("  %-10s %7.2f %7.2f %+6.2f of %.2f%s\n", name, sih, drone, drone - sih, tolerance,
           out ? "  OUT" : "");
}

/* Some tolerances cannot be kept, because PX4's flights do not keep them among themselves: the same
 * leg of the square takes 23.9 and 25.7 s, the same landing descends at 1.06 to 1.76 m/s where the
 * parameter says 1.5, six equal short legs reach 3.5 to 4.0 m/s and 25 to 32 degrees. From 9 m to
 * 1.5 m above the ground landings take 8.4 to 9.8 s, and one 14.2 s: after a return, as the one of
 * 8.4 s. */
static void compare(const struct flight *f, int step)
{
    const enum what what = f->step[step].what;
    const struct leg a = measure(&g_sih, step);
    const struct leg b = measure(&g_drone, step);
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
    const char *folder = argc > 2 ? argv[2] : "../shared/data/px4_sih";
    if (argc < 2) {
        puts("physics_vs_sih FLOWN [FOLDER]");
        return 2;
    }
    puts("                 PX4   drone");
    for (size_t i = 0; i < sizeof k_flight / sizeof k_flight[0]; i++) {
        const struct flight *f = &k_flight[i];
        if (!read_flight(&g_sih, folder, f, (double)NAN)) {
            printf("physics.out: not measured, there are no recordings of PX4 in %s\n", folder);
            return 2;
        }
        if (!read_flight(&g_drone, argv[1], f, g_sih.begin_s[0])) {
            printf("physics.out: %s was not flown\n", f->name);
            return 1;
        }
        for (int k = 0; f->step[k].what != END; k++) {
            compare(f, k);
        }
    }
    const bool over = g_out > OUT_MAX;
    printf("%d figures over MAVLink compared with PX4's, out of tolerance:\n", g_figures);
    printf("physics.out %d figures must %d %s\n", g_out, OUT_MAX, over ? "over" : "ok");
    return over ? 1 : 0;
}

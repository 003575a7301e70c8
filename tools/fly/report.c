/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/report.h"

#include "tools/fly/names.h"

#include <jansson.h>
#include <stdio.h>

static double seconds(int64_t us)
{
    return (double)us * 1e-6;
}

static void report_legs(const struct fly_flight *f)
{
    int64_t before_us = 0;
    fly_console_result(f->console, FLY_PLAIN, "  item  command            reached       leg");
    for (size_t i = 0; i < f->leg_count; i++) {
        const struct fly_leg *leg = &f->leg[i];
        fly_console_result(f->console, FLY_PLAIN, "  %4u  %-16s %7.1f s %7.1f s", leg->seq,
                           fly_command_name(leg->command).text, seconds(leg->vehicle_us),
                           seconds(leg->vehicle_us - before_us));
        before_us = leg->vehicle_us;
    }
}

static void report_figures(const struct fly_flight *f)
{
    const int64_t vehicle_us = f->end_vehicle_us - f->arm_vehicle_us;
    const int64_t wall_us = f->end_wall_us - f->arm_wall_us;
    fly_console_result(
        f->console, FLY_PLAIN,
        "  duration     %.1f s of vehicle time, %.3f s of the wall, %.3f s with the upload",
        seconds(vehicle_us), seconds(wall_us), seconds(f->end_wall_us - f->upload_wall_us));
    fly_console_result(f->console, FLY_PLAIN,
                       "  distance     %.1f m, at most %.1f m/s, %.1f m above home",
                       f->state.distance_m, f->state.speed_max_mps, f->state.alt_max_m);
    if (f->target_name != NULL) {
        fly_console_result(f->console, FLY_PLAIN, "  ended        %.2f m from %s", f->miss_m,
                           f->target_name);
    }
}

void fly_report(const struct fly_flight *f, int exit_code)
{
    struct fly_console *c = f->console;
    char with[96] = "";
    if (f->plan->fence_count + f->plan->rally_count > 0) {
        snprintf(with, sizeof with, ", with a geofence of %u items and %u rally points",
                 f->plan->fence_count, f->plan->rally_count);
    }
    if (f->armed_once && !f->options->quiet) {
        if (f->leg_count > 0) {
            report_legs(f);
        }
        report_figures(f);
    }
    if (exit_code == FLY_EXIT_FLOWN && f->options->upload) {
        fly_console_result(c, FLY_GOOD, "uploaded: %u items%s", f->plan->count, with);
    } else if (exit_code == FLY_EXIT_FLOWN) {
        fly_console_result(c, FLY_GOOD, "flown: %u items in %.1f s%s", f->plan->count,
                           seconds(f->end_vehicle_us - f->arm_vehicle_us), with);
    } else {
        fly_console_result(c, FLY_BAD, "%s: %s",
                           exit_code == FLY_EXIT_NO_VEHICLE ? "no vehicle" : "not flown",
                           f->reason);
    }
}

/* ---- JSON */

/* File names need not be UTF-8, JSON has to be. */
static json_t *text_json(const char *text)
{
    json_t *value = text == NULL ? json_null() : json_string(text);
    return value == NULL ? json_string("(not UTF-8)") : value;
}

static json_t *place_json(struct mf_geo place, double alt_rel_m)
{
    return json_pack("{s:f, s:f, s:f}", "lat_deg", place.lat_deg, "lon_deg", place.lon_deg,
                     "alt_rel_m", alt_rel_m);
}

static json_t *legs_json(const struct fly_flight *f)
{
    json_t *list = json_array();
    int64_t before_us = 0;
    for (size_t i = 0; i < f->leg_count; i++) {
        const struct fly_leg *leg = &f->leg[i];
        json_array_append_new(list, json_pack("{s:i, s:i, s:s, s:f, s:f, s:f, s:f, s:o}", "item",
                                              (int)leg->seq, "command", (int)leg->command, "name",
                                              fly_command_name(leg->command).text, "vehicle_s",
                                              seconds(leg->vehicle_us), "leg_s",
                                              seconds(leg->vehicle_us - before_us), "wall_s",
                                              seconds(leg->wall_us), "speed_mps", leg->speed_mps,
                                              "place", place_json(leg->place, leg->alt_rel_m)));
        before_us = leg->vehicle_us;
    }
    return list;
}

static json_t *vehicle_json(const struct fly_state *s)
{
    return s->seen
               ? json_pack("{s:s, s:s, s:i, s:i, s:s, s:b}", "autopilot",
                           fly_autopilot_name(s->autopilot).text, "type",
                           fly_type_name(s->type).text, "sysid", (int)s->sysid, "compid",
                           (int)s->compid, "mode", fly_mode_name(s->autopilot, s->custom_mode).text,
                           "armed", (int)s->armed)
               : json_null();
}

static json_t *flight_json(const struct fly_flight *f)
{
    const struct fly_state *s = &f->state;
    return f->armed_once
               ? json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "vehicle_s",
                           seconds(f->end_vehicle_us - f->arm_vehicle_us), "wall_s",
                           seconds(f->end_wall_us - f->arm_wall_us), "wall_with_upload_s",
                           seconds(f->end_wall_us - f->upload_wall_us), "distance_m", s->distance_m,
                           "speed_max_mps", s->speed_max_mps, "alt_max_m", s->alt_max_m)
               : json_null();
}

static json_t *end_json(const struct fly_flight *f)
{
    return f->target_name != NULL ? json_pack("{s:o, s:s, s:f}", "place",
                                              place_json(f->state.place, f->state.alt_rel_m),
                                              "target", f->target_name, "miss_m", f->miss_m)
                                  : json_null();
}

void fly_report_json(const struct fly_flight *f, int exit_code, FILE *out)
{
    static const char *const k_result[] = {"flown", "failed", "usage", "no vehicle"};
    const bool uploaded = exit_code == FLY_EXIT_FLOWN && f->options->upload;
    json_t *root = json_pack(
        "{s:s, s:o, s:o, s:o, s:i, s:i, s:i, s:f, s:i, s:i, s:o, s:o, s:o, s:o}", "result",
        uploaded ? "uploaded" : k_result[exit_code], "reason",
        text_json(exit_code == FLY_EXIT_FLOWN ? NULL : f->reason), "endpoint",
        text_json(f->options->endpoint), "plan", text_json(f->options->plan_path), "items",
        (int)f->plan->count, "fence_items", (int)f->plan->fence_count, "rally_points",
        (int)f->plan->rally_count, "total_wall_s", seconds(fly_client_now(f->client) - f->begin_us),
        "upload_repeats", (int)f->transfer.repeats, "upload_restarts", (int)f->transfer.restarts,
        "vehicle", vehicle_json(&f->state), "flight", flight_json(f), "end", end_json(f), "legs",
        legs_json(f));
    json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
    fputc('\n', out);
    json_decref(root);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/conform/story.h"

#include "firmware/flight/mode.h"
#include "host/base/json.h"
#include "host/spec/faultspec.h"
#include "host/spec/misbehavespec.h"
#include "mavlink/enums.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define LINE_MAX_BYTES 1024u
#define DEG_PER_RAD    57.29577951308232
/* Between two passes: so many samples at most, and none closer than STORY_SAMPLE_US. */
#define BETWEEN_MAX 256

_Static_assert(MF_FAULT_COUNT <= 64, "active faults are bits of an uint64_t");

struct line {
    struct mf_json json;
    char text[LINE_MAX_BYTES];
};

static struct mf_vehicle *vehicle(const struct story *story)
{
    return mf_drone_vehicle(&story->player->drone.object);
}

static void begin(struct line *line, mf_us_t t_us, const char *event)
{
    line->json = mf_json_writer(line->text, sizeof line->text);
    mf_json_object(&line->json, NULL);
    mf_json_number(&line->json, "t_s", (double)t_us / 1e6, 6);
    mf_json_text(&line->json, "event", event);
}

static void end(struct story *story, struct line *line)
{
    while (line->json.depth > 0) {
        mf_json_end(&line->json);
    }
    if (!line->json.full) {
        (void)fprintf(story->out, "%.*s\n", (int)line->json.len, line->text);
    }
    story->changed = true;
}

/* ---- samples */

static double heading_deg(const struct mf_pose *pose)
{
    const double deg = (double)pose->yaw_rad * DEG_PER_RAD;
    return deg < 0.0 ? deg + 360.0 : deg;
}

/* "T_US LAT LON ALT GROUND HEADING", and where the vehicle believes it is, if it does: " LAT LON
 * ALT" */
static void put_sample(struct story *story, mf_us_t t_us, const struct mf_pose *body,
                       const struct mf_pose *said)
{
    (void)fprintf(story->out, "%" PRId64 " %.8f %.8f %.3f %.3f %.1f", t_us, body->lat_deg,
                  body->lon_deg, body->alt_amsl_m, body->ground_amsl_m, heading_deg(body));
    if (said != NULL) {
        (void)fprintf(story->out, " %.8f %.8f %.3f", said->lat_deg, said->lon_deg,
                      said->alt_amsl_m);
    }
    (void)fputc('\n', story->out);
    story->sampled_us = t_us;
}

/* Write "f T_US NORTH EAST DOWN ROLL PITCH REMAINING VOLTAGE SENT RECEIVED LOST": velocity [m/s],
 * attitude [deg], battery (NaN: not known), frames of all links since they opened. */
static void put_figures(struct story *story, const struct mf_snapshot *s, mf_us_t t_us,
                        const struct mf_pose *body)
{
    struct mf_snapshot_link link;
    uint32_t sent = 0, received = 0, lost = 0;
    int found = MF_E_OK;
    for (uint16_t i = 0; found != MF_E_RANGE; i++) {
        found = mf_snapshot_link(vehicle(story), i, &link);
        if (found == MF_E_OK) {
            sent += link.stats.tx_frames;
            received += link.stats.rx_frames;
            lost += link.stats.tx_dropped + link.stats.rx_lost + link.bytes.bad_crc;
        }
    }
    const bool charge = s->has_battery && s->battery.remaining >= 0.0f;
    (void)fprintf(
        story->out,
        "f %" PRId64 " %.2f %.2f %.2f %.1f %.1f %.3f %.2f %" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
        t_us, (double)body->vel_ned_mps[0], (double)body->vel_ned_mps[1],
        (double)body->vel_ned_mps[2], (double)body->roll_rad * DEG_PER_RAD,
        (double)body->pitch_rad * DEG_PER_RAD, charge ? (double)s->battery.remaining : (double)NAN,
        s->has_battery ? (double)s->battery.voltage_v : (double)NAN, sent, received, lost);
}

/* A body without truth, as on a board with real motors, is where the vehicle says. */
static void sample(struct story *story, const struct mf_snapshot *s)
{
    const bool said = s->estimate.position;
    if (s->body || said) {
        const struct mf_pose *body = s->body ? &s->truth : &s->estimate.pose;
        put_sample(story, s->vehicle_us, body, said ? &s->estimate.pose : NULL);
        put_figures(story, s, s->vehicle_us, body);
    }
}

/* Vehicle time is about to pass: where the body will be until something happens. What the vehicle
 * believes is off by as much as it was. */
static void before(void *ctx, mf_us_t to_us)
{
    struct story *story = ctx;
    const struct mf_hal *hal = mf_vehicle_devices(vehicle(story));
    const struct mf_snapshot *s = &story->s;
    const mf_us_t wake_us = story->player->wake.essential_us;
    const mf_us_t until_us = to_us < wake_us ? to_us : wake_us;
    const mf_us_t from_us = story->sampled_us > s->vehicle_us ? story->sampled_us : s->vehicle_us;
    if (!story->booted || !s->body || until_us - from_us <= 2 * STORY_SAMPLE_US) {
        return;
    }
    const mf_us_t step_us = (until_us - from_us) / BETWEEN_MAX;
    const mf_us_t every_us = step_us > STORY_SAMPLE_US ? step_us : STORY_SAMPLE_US;
    for (mf_us_t t_us = from_us + every_us; t_us < until_us; t_us += every_us) {
        struct mf_pose pose, said = s->estimate.pose;
        if (hal->airframe->sample(hal->airframe_ctx, t_us, &pose) != MF_E_OK) {
            return;
        }
        said.lat_deg += pose.lat_deg - s->truth.lat_deg;
        said.lon_deg += pose.lon_deg - s->truth.lon_deg;
        said.alt_amsl_m += pose.alt_amsl_m - s->truth.alt_amsl_m;
        put_sample(story, t_us, &pose, s->estimate.position ? &said : NULL);
        put_figures(story, s, t_us, &pose);
    }
}

/* ---- what has changed */

static void tell_mode(struct story *story, const struct mf_status *s, mf_us_t t_us)
{
    struct line line;
    if (s->mode != story->s.mode || !story->booted) {
        story->s.mode = s->mode;
        begin(&line, t_us, "mode");
        mf_json_text(&line.json, "mode", mf_mode_info(s->mode)->text);
        mf_json_bool(&line.json, "failsafe", s->failsafe);
        end(story, &line);
    }
}

static void tell_state(struct story *story, const struct mf_status *s, mf_us_t t_us)
{
    static const char *const k_landed[] = {"undefined", "on_ground", "in_air", "takeoff",
                                           "landing"};
    struct line line;
    if (s->armed != story->s.armed) {
        story->s.armed = s->armed;
        begin(&line, t_us, "armed");
        mf_json_bool(&line.json, "armed", s->armed);
        end(story, &line);
    }
    if (s->landed != story->s.landed) {
        story->s.landed = s->landed;
        begin(&line, t_us, "landed");
        mf_json_text(&line.json, "landed_state", k_landed[s->landed]);
        end(story, &line);
    }
}

static void tell_faults(struct story *story, mf_us_t t_us)
{
    const struct mf_hal *hal = mf_vehicle_devices(vehicle(story));
    struct line line;
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        const bool active = mf_inject_active(hal, t_us, (enum mf_fault)i, NULL);
        if (active != ((story->faults >> i & 1u) != 0)) {
            story->faults ^= UINT64_C(1) << i;
            begin(&line, t_us, "fault");
            mf_json_text(&line.json, "fault", mf_fault_name((enum mf_fault)i));
            mf_json_bool(&line.json, "active", active);
            end(story, &line);
        }
    }
}

static void tell_home(struct story *story, const struct mf_snapshot *s)
{
    const struct mf_home *was = &story->s.home, *is = &s->home;
    struct line line;
    if (is->valid && (!was->valid || was->set_us != is->set_us || was->lat_deg != is->lat_deg ||
                      was->lon_deg != is->lon_deg || was->takeoff_amsl_m != is->takeoff_amsl_m)) {
        begin(&line, s->vehicle_us, "home");
        mf_json_number(&line.json, "lat_deg", is->lat_deg, 8);
        mf_json_number(&line.json, "lon_deg", is->lon_deg, 8);
        mf_json_number(&line.json, "alt_amsl_m", is->alt_amsl_m, 3);
        mf_json_number(&line.json, "takeoff_amsl_m", is->takeoff_amsl_m, 3);
        end(story, &line);
    }
}

static const char *command_name(uint16_t command)
{
    switch (command) {
#define X(name, spelling) \
    case MAV_CMD_##name:  \
        return #name;
        MF_RULE_COMMAND_LIST(X)
#undef X
    default:
        return NULL;
    }
}

/* What was answered and reached, each at its own instant. */
static void tell_done(struct story *story)
{
    const struct mf_journal *journal = mf_vehicle_journal(vehicle(story));
    const struct mf_answers *answers = &journal->answers;
    const struct mf_arrivals *arrivals = &journal->arrivals;
    struct line line;
    for (; story->answers != answers->count; story->answers++) {
        const struct mf_answer *a = &answers->last[story->answers % MF_ANSWERS_KEPT];
        begin(&line, a->t_us, "command");
        mf_json_integer(&line.json, "command", a->command);
        mf_json_text(&line.json, "name", command_name(a->command));
        mf_json_integer(&line.json, "result", a->result);
        mf_json_integer(&line.json, "system", a->sysid);
        mf_json_integer(&line.json, "component", a->compid);
        end(story, &line);
    }
    for (; story->arrivals != arrivals->count; story->arrivals++) {
        const struct mf_arrival *a = &arrivals->last[story->arrivals % MF_ARRIVALS_KEPT];
        begin(&line, a->t_us, "waypoint");
        mf_json_integer(&line.json, "item", a->seq);
        end(story, &line);
    }
}

/* ---- plans */

/* [command, latitude, longitude, altitude, first and third parameter]; null: none */
static void put_item(const struct story *story, const struct mf_snapshot_item *item)
{
    struct line line = {.json = mf_json_writer(line.text, sizeof line.text)};
    mf_json_array(&line.json, NULL);
    mf_json_integer(&line.json, NULL, item->command);
    mf_json_number(&line.json, NULL, item->place ? item->lat_deg : (double)NAN, 7);
    mf_json_number(&line.json, NULL, item->place ? item->lon_deg : (double)NAN, 7);
    mf_json_number(&line.json, NULL, item->alt_amsl_m, 1);
    mf_json_number(&line.json, NULL, (double)item->param[0], 3);
    mf_json_number(&line.json, NULL, (double)item->param[2], 3);
    mf_json_end(&line.json);
    (void)fprintf(story->out, "%.*s", (int)line.json.len, line.text);
}

static void tell_plan(struct story *story, size_t which, mf_us_t t_us, uint32_t tag, uint32_t count)
{
    static const struct {
        const char *name;
        enum mf_store_area area;
    } k_plan[] = {
        {"mission", MF_STORE_MISSION}, {"fence", MF_STORE_FENCE}, {"rally", MF_STORE_RALLY}};
    struct mf_snapshot_item item;
    if (story->tag[which] == tag && story->count[which] == count) {
        return;
    }
    story->tag[which] = tag;
    story->count[which] = count;
    (void)fprintf(story->out, "{\"t_s\":%.6f,\"event\":\"%s\",\"count\":%" PRIu32 ",\"items\":[",
                  (double)t_us / 1e6, k_plan[which].name, count);
    for (uint32_t i = 0; i < count && i < STORY_ITEMS_MAX; i++) {
        if (mf_snapshot_item(vehicle(story), k_plan[which].area, (uint16_t)i, &item) == MF_E_OK) {
            (void)fputs(i == 0 ? "" : ",", story->out);
            put_item(story, &item);
        }
    }
    (void)fputs("]}\n", story->out);
    story->changed = true;
}

/* How far from home the parameters let it go; 0: any */
static void tell_limit(struct story *story, mf_us_t t_us)
{
    float distance_m, height_m;
    struct line line;
    mf_snapshot_limits(vehicle(story), &distance_m, &height_m);
    if (story->distance_m != distance_m || story->height_m != height_m) {
        story->distance_m = distance_m;
        story->height_m = height_m;
        begin(&line, t_us, "limit");
        mf_json_number(&line.json, "distance_max_m", (double)distance_m, 3);
        mf_json_number(&line.json, "height_max_m", (double)height_m, 3);
        end(story, &line);
    }
}

static void tell_plans(struct story *story, const struct mf_snapshot *s)
{
    struct line line;
    tell_plan(story, 0, s->vehicle_us, s->mission_tag, s->mission_count);
    tell_plan(story, 1, s->vehicle_us, s->fence_tag, s->fence_count);
    tell_plan(story, 2, s->vehicle_us, s->rally_tag, s->rally_count);
    tell_limit(story, s->vehicle_us);
    if (story->current != s->mission_current) {
        story->current = s->mission_current;
        begin(&line, s->vehicle_us, "current");
        mf_json_integer(&line.json, "item", s->mission_current);
        end(story, &line);
    }
}

/* ---- when it looks */

/* A pass has ended, or the vehicle has booted. */
static void after(void *ctx)
{
    struct story *story = ctx;
    struct mf_snapshot s;
    mf_snapshot_take(vehicle(story), &s);
    const struct mf_status now = mf_vehicle_status(vehicle(story));
    tell_mode(story, &now, s.vehicle_us);
    tell_state(story, &now, s.vehicle_us);
    tell_done(story);
    tell_home(story, &s);
    tell_plans(story, &s);
    tell_faults(story, s.vehicle_us);
    if (story->changed || s.vehicle_us - story->sampled_us >= STORY_SAMPLE_US) {
        sample(story, &s);
    }
    story->changed = false;
    story->s = s;
    story->booted = true;
}

static void on_boot(void *ctx, int64_t epoch_utc_us)
{
    struct story *story = ctx;
    const struct drone_settings *settings = &story->player->drone.settings;
    const struct mf_journal *journal = mf_vehicle_journal(vehicle(story));
    struct line line;
    begin(&line, 0, "boot");
    mf_json_integer(&line.json, "utc_us", epoch_utc_us);
    mf_json_integer(&line.json, "system_id", settings->sysid);
    mf_json_integer(&line.json, "component_id", settings->compid);
    end(story, &line);
    memset(&story->s, 0, sizeof story->s);
    story->booted = false;
    story->sampled_us = 0;
    story->faults = 0;
    story->current = 0;
    story->distance_m = story->height_m = 0.0f;
    story->answers = journal->answers.count;
    story->arrivals = journal->arrivals.count;
    memset(story->tag, 0, sizeof story->tag);
    memset(story->count, 0, sizeof story->count);
    story->s.landed = MF_LANDED_ON_GROUND;
    after(story);
}

/* The vehicle's log tells each change at its own instant, and texts. */
static void on_log(void *ctx, mf_us_t t_us, enum mf_severity severity, const char *topic,
                   const char *text)
{
    struct story *story = ctx;
    struct line line;
    if (!story->player->booted || !story->booted) {
        return;
    }
    tell_done(story); /* before */
    if (strcmp(topic, "text") == 0) {
        begin(&line, t_us, "statustext");
        mf_json_integer(&line.json, "severity", severity);
        mf_json_text(&line.json, "text", text);
        end(story, &line);
    } else if (strcmp(topic, "mode") == 0) {
        const struct mf_status now = mf_vehicle_status(vehicle(story));
        tell_mode(story, &now, t_us);
    } else if (strcmp(topic, "armed") == 0 || strcmp(topic, "landed") == 0) {
        const struct mf_status now = mf_vehicle_status(vehicle(story));
        tell_state(story, &now, t_us);
    } else if (strcmp(topic, "fault") == 0) {
        tell_faults(story, t_us);
    }
}

static const struct mf_log_ops k_log = {on_log};

void story_init(struct story *story, FILE *out, struct player *player)
{
    *story = (struct story){.out = out, .player = player};
    player->log = &k_log;
    player->watch = (struct player_watch){on_boot, before, after};
    player->watch_ctx = story;
}

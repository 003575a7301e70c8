/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/fly/state.h"

#include "math/trig.h"
#include "mavlink/enums.h"
#include "tools/fly/names.h"

#include <stdio.h>
#include <string.h>

#define REBOOT_MS    5000    /* vehicle time that far back is a new boot, not an overtaken frame */
#define TRACK_STEP_M 0.2     /* least distance between two points of a track; less is noise */
#define SPARSE_US    1000000 /* least time between two positions for a mean speed */
#define HOME_MOVED_M 0.05

bool fly_is_autopilot(const struct fly_message *in)
{
    const struct mf_msg_heartbeat *h = &in->m.heartbeat;
    return in->info->id == MF_MSG_HEARTBEAT && h->autopilot != MAV_AUTOPILOT_INVALID &&
           h->type != MAV_TYPE_GCS && in->sysid != 0;
}

/* ---- one function per message */

static unsigned on_heartbeat(struct fly_state *s, const struct fly_message *in)
{
    const struct mf_msg_heartbeat *h = &in->m.heartbeat;
    if (!fly_is_autopilot(in)) {
        return 0;
    }
    const bool armed = (h->base_mode & MAV_MODE_FLAG_SAFETY_ARMED) != 0;
    unsigned changes = s->seen ? 0 : FLY_SEEN;
    changes |= s->seen && armed != s->armed ? FLY_ARMED : 0;
    changes |= s->seen && h->custom_mode != s->custom_mode ? FLY_MODE : 0;
    s->seen = true;
    s->sysid = in->sysid;
    s->compid = in->compid;
    s->autopilot = h->autopilot;
    s->type = h->type;
    s->custom_mode = h->custom_mode;
    s->armed = armed;
    return changes;
}

static unsigned on_time(struct fly_state *s, uint32_t boot_ms)
{
    const int32_t step_ms = (int32_t)(boot_ms - s->boot_ms);
    if (!s->has_time) {
        s->time_us = (int64_t)boot_ms * 1000;
    } else if (step_ms > 0) {
        s->time_us += (int64_t)step_ms * 1000;
    } else if (step_ms > -REBOOT_MS) {
        return 0;
    }
    const bool reboot = s->has_time && step_ms <= -REBOOT_MS;
    s->has_time = true;
    s->boot_ms = boot_ms;
    return reboot ? FLY_REBOOT : 0;
}

static unsigned on_sys_status(struct fly_state *s, const struct fly_message *in)
{
    s->has_health = true;
    s->sensors_enabled = in->m.sys_status.onboard_control_sensors_enabled;
    s->sensors_health = in->m.sys_status.onboard_control_sensors_health;
    return 0;
}

static double maximum(double a, double b)
{
    return a > b ? a : b;
}

/* Since the position before, along the ground, where that was a while ago: a vehicle that reports
 * only where something happens is seen at rest. 0: not known */
static double mean_speed_mps(const struct fly_state *s)
{
    const double way_m = mf_geo_inverse(s->before_place, s->place).distance_m;
    const int64_t past_us = s->time_us - s->before_us;
    return past_us >= SPARSE_US ? way_m * 1e6 / (double)past_us : 0.0;
}

static void track(struct fly_state *s)
{
    const double flat_m = mf_geo_inverse(s->track_place, s->place).distance_m;
    const double up_m = s->alt_amsl_m - s->track_alt_m;
    const double step_m = mf_length2(flat_m, up_m);
    s->speed_max_mps = maximum(s->speed_max_mps, maximum(s->speed_mps, mean_speed_mps(s)));
    s->alt_max_m = maximum(s->alt_max_m, s->alt_rel_m);
    if (step_m >= TRACK_STEP_M) {
        s->distance_m += step_m;
        s->track_place = s->place;
        s->track_alt_m = s->alt_amsl_m;
    }
}

static unsigned on_position(struct fly_state *s, const struct fly_message *in)
{
    const struct mf_msg_global_position_int *p = &in->m.global_position_int;
    const double vn = p->vx * 0.01;
    const double ve = p->vy * 0.01;
    if (p->lat == 0 && p->lon == 0) {
        return 0; /* ArduPilot before its first fix */
    }
    s->has_position = true;
    s->positions++;
    s->place = (struct mf_geo){p->lat * 1e-7, p->lon * 1e-7};
    s->alt_amsl_m = p->alt * 1e-3;
    s->alt_rel_m = p->relative_alt * 1e-3;
    s->speed_mps = mf_length2(vn, ve);
    const unsigned changes = FLY_POSITION | on_time(s, p->time_boot_ms);
    if (s->tracking) {
        track(s);
    }
    s->before_place = s->place;
    s->before_us = s->time_us;
    return changes;
}

static unsigned on_landed(struct fly_state *s, const struct fly_message *in)
{
    const uint8_t landed = in->m.extended_sys_state.landed_state;
    const unsigned changes = landed != s->landed ? FLY_LANDED : 0;
    s->landed = landed;
    return changes;
}

static unsigned on_home(struct fly_state *s, const struct fly_message *in)
{
    const struct mf_msg_home_position *h = &in->m.home_position;
    const struct mf_geo home = {h->latitude * 1e-7, h->longitude * 1e-7};
    const bool moved = !s->has_home || mf_geo_inverse(s->home, home).distance_m > HOME_MOVED_M ||
                       mf_abs(s->home_alt_m - h->altitude * 1e-3) > HOME_MOVED_M;
    s->has_home = true;
    s->home = home;
    s->home_alt_m = h->altitude * 1e-3;
    return moved ? FLY_HOME : 0;
}

static unsigned on_current(struct fly_state *s, const struct fly_message *in)
{
    const struct mf_msg_mission_current *m = &in->m.mission_current;
    const unsigned changes = !s->has_current || m->seq != s->current ? FLY_CURRENT : 0;
    s->has_current = true;
    s->current = m->seq;
    s->mission_state = m->mission_state;
    return changes;
}

static unsigned on_reached(struct fly_state *s, const struct fly_message *in)
{
    /* PX4 repeats the last one */
    const uint16_t seq = in->m.mission_item_reached.seq;
    if (s->has_reached && seq == s->reached) {
        return 0;
    }
    s->has_reached = true;
    s->reached = seq;
    return FLY_REACHED;
}

/* Texts go to terminals and into JSON: plain ASCII, and no blank end (PX4 ends some with a tab). */
static void clean(char *text)
{
    size_t used = 0;
    for (size_t i = 0; text[i] != '\0'; i++) {
        text[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : (char)(text[i] == '\t' ? ' ' : '?');
        used = text[i] == ' ' ? used : i + 1;
    }
    text[used] = '\0';
}

/* A text longer than 50 characters comes in pieces of the same id; the last one is not full. */
static unsigned on_text(struct fly_state *s, const struct fly_message *in)
{
    const struct mf_msg_statustext *t = &in->m.statustext;
    const size_t n = strnlen(t->text, sizeof t->text);
    if (t->id == 0 || t->id != s->text_id || t->chunk_seq == 0) {
        s->pieces[0] = '\0';
    }
    s->text_id = t->id;
    const size_t used = strlen(s->pieces);
    snprintf(s->pieces + used, sizeof s->pieces - used, "%.*s", (int)n, t->text);
    if (t->id != 0 && n == sizeof t->text) {
        return 0;
    }
    s->severity = t->severity;
    memcpy(s->text, s->pieces, sizeof s->text);
    clean(s->text);
    if (t->severity <= MAV_SEVERITY_WARNING) {
        memcpy(s->complaint, s->text, sizeof s->complaint);
    }
    return FLY_TEXT;
}

static unsigned on_system_time(struct fly_state *s, const struct fly_message *in)
{
    return on_time(s, in->m.system_time.time_boot_ms);
}

static unsigned on_attitude(struct fly_state *s, const struct fly_message *in)
{
    return on_time(s, in->m.attitude.time_boot_ms);
}

static const struct {
    uint32_t id;
    unsigned (*update)(struct fly_state *s, const struct fly_message *in);
    bool event; /* counts however late it comes */
} k_message[] = {
    {MF_MSG_HEARTBEAT, on_heartbeat, false},          {MF_MSG_SYS_STATUS, on_sys_status, false},
    {MF_MSG_SYSTEM_TIME, on_system_time, false},      {MF_MSG_ATTITUDE, on_attitude, false},
    {MF_MSG_GLOBAL_POSITION_INT, on_position, false}, {MF_MSG_EXTENDED_SYS_STATE, on_landed, false},
    {MF_MSG_HOME_POSITION, on_home, false},           {MF_MSG_MISSION_CURRENT, on_current, false},
    {MF_MSG_MISSION_ITEM_REACHED, on_reached, false}, {MF_MSG_STATUSTEXT, on_text, true},
};
_Static_assert(sizeof k_message / sizeof k_message[0] == FLY_STATE_MESSAGES, "one order each");

unsigned fly_state_update(struct fly_state *s, const struct fly_message *in)
{
    for (size_t i = 0; i < FLY_STATE_MESSAGES; i++) {
        if (k_message[i].id != in->info->id) {
            continue;
        }
        if (in->order <= s->order[i] && !k_message[i].event) {
            return 0;
        }
        s->order[i] = in->order;
        return k_message[i].update(s, in);
    }
    return 0;
}

/* ---- questions */

void fly_state_track(struct fly_state *s)
{
    s->tracking = true;
    s->track_place = s->place;
    s->track_alt_m = s->alt_amsl_m;
    s->distance_m = 0.0;
    s->speed_max_mps = 0.0;
    s->before_place = s->place;
    s->before_us = s->time_us;
    s->alt_max_m = s->alt_rel_m;
}

bool fly_state_ready(const struct fly_state *s, char *reason, size_t size)
{
    const uint32_t prearm = MAV_SYS_STATUS_PREARM_CHECK;
    const uint32_t sick = s->sensors_enabled & ~s->sensors_health;
    /* an autopilot that runs no pre-arm check says nothing of it: then every enabled
     * sensor counts */
    const bool checks = ((s->sensors_enabled | s->sensors_health) & prearm) != 0;
    const bool healthy = checks ? (s->sensors_health & prearm) != 0 : sick == 0;
    char names[160];
    reason[0] = '\0';
    if (!s->has_health) {
        snprintf(reason, size, "no SYS_STATUS from the vehicle");
    } else if (!s->has_position) {
        snprintf(reason, size, "no global position");
    } else if (!s->has_home) {
        snprintf(reason, size, "no home position");
    } else if (!healthy) {
        fly_sensor_names(sick, names, sizeof names);
        snprintf(reason, size, "not healthy: %s", names[0] == '\0' ? "pre-arm check" : names);
    }
    return reason[0] == '\0';
}

double fly_state_distance_m(const struct fly_state *s, struct mf_geo to)
{
    return mf_geo_inverse(s->place, to).distance_m;
}

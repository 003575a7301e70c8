/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/replay/flight.h"

#include "host/base/value.h"
#include "math/calendar.h"
#include "mavlink/enums.h"
#include "tools/replay/frame.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* GCC 12 reports a leak of memory that a structure keeps and another function closes or frees. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

#define MS_US        INT64_C(1000)
#define SECOND_US    INT64_C(1000000)
#define BOOT_WRAP_US ((INT64_C(1) << 32) * MS_US) /* of time_boot_ms */
#define UTC_MAX_US   (((int64_t)MF_CALENDAR_DAY_MAX + 1) * MF_CALENDAR_DAY_S * SECOND_US)
#define FIRST_ROOM   64u
#define UNKNOWN      UINT32_MAX

/* Last values that the vehicle sent in this boot. */
struct state {
    uint32_t mode, armed, landed;
};

struct reader {
    struct replay_flight *flight;
    const struct replay_source *source;
    struct state last;
    bool full;
};

/* Room for one more element; it doubles at powers of two. @return NULL: no memory */
static void *grow(void *list, size_t count, size_t size)
{
    if (count != 0 && (count < FIRST_ROOM || (count & (count - 1)) != 0)) {
        return list;
    }
    const size_t room = count < FIRST_ROOM ? FIRST_ROOM : 2 * count;
    return room > SIZE_MAX / size ? NULL : realloc(list, room * size);
}

#define APPEND(r, list, count, ...)                                                           \
    do {                                                                                      \
        void *grown = grow((r)->flight->list, (r)->flight->count, sizeof *(r)->flight->list); \
        if (grown == NULL) {                                                                  \
            (r)->full = true;                                                                 \
        } else {                                                                              \
            (r)->flight->list = grown;                                                        \
            (r)->flight->list[(r)->flight->count++] = __VA_ARGS__;                            \
        }                                                                                     \
    } while (0)

static size_t this_boot(const struct reader *r)
{
    return r->flight->boots - 1;
}

static void on_boot(struct reader *r)
{
    r->last = (struct state){UNKNOWN, 0, UNKNOWN};
    APPEND(r, boot, boots, r->source->record.value[0]);
}

static void put_event(struct reader *r, enum replay_event_type type, uint32_t value)
{
    APPEND(r, event, events,
           (struct replay_event){
               .type = type, .boot = this_boot(r), .t_us = r->source->vehicle_us, .value = value});
}

static void put_change(struct reader *r, enum replay_event_type type, uint32_t *last,
                       uint32_t value)
{
    if (*last != value) {
        *last = value;
        put_event(r, type, value);
    }
}

/* Extend time_boot_ms, which wraps after 49 days, to the time that is nearest to the clock's. */
static int64_t boot_time(const struct reader *r, uint32_t boot_ms)
{
    const int64_t t_us = boot_ms * MS_US, clock_us = r->source->vehicle_us;
    if (clock_us < t_us || clock_us > UTC_MAX_US) {
        return t_us;
    }
    return t_us + (clock_us - t_us + BOOT_WRAP_US / 2) / BOOT_WRAP_US * BOOT_WRAP_US;
}

/* Add a sample. A message on request may repeat the one of the stream. */
static void put_sample(struct reader *r, const struct mf_msg_global_position_int *m)
{
    const struct replay_flight *f = r->flight;
    const struct replay_sample sample = {
        .boot = this_boot(r),
        .t_us = boot_time(r, m->time_boot_ms),
        .lat_e7 = m->lat,
        .lon_e7 = m->lon,
        .alt_amsl_mm = m->alt,
        .height_mm = m->relative_alt,
        .vel_ned_cmps = {m->vx, m->vy, m->vz},
        .heading_cdeg = m->hdg,
    };
    const struct replay_sample *last = f->samples > 0 ? &f->sample[f->samples - 1] : NULL;
    if (last == NULL || last->boot != sample.boot || last->t_us < sample.t_us) {
        APPEND(r, sample, samples, sample);
    }
}

/* Add a fix. The altitude above the ellipsoid is an extension, which frames of version 1 lack. */
static void put_fix(struct reader *r, const struct replay_frame *frame,
                    const struct mf_msg_gps_raw_int *m)
{
    if (frame->version == 2 && m->fix_type >= GPS_FIX_TYPE_3D_FIX && m->fix_type <= 6 &&
        m->time_usec <= INT64_MAX) {
        APPEND(r, fix, fixes,
               (struct replay_fix){.boot = this_boot(r),
                                   .t_us = (int64_t)m->time_usec,
                                   .undulation_mm = (int64_t)m->alt_ellipsoid - m->alt});
    }
}

static void on_frame(struct reader *r)
{
    const struct replay_frame f = replay_frame(r->source->record.bytes, r->source->record.n);
    union mf_msg m;
    if (f.info == NULL || f.sysid != r->flight->sysid || f.compid != r->flight->compid) {
        return; /* forwarded to another component */
    }
    memset(&m, 0, sizeof m);
    mf_msg_unpack(f.info, f.payload, f.n, &m);
    if (f.info->id == MF_MSG_GLOBAL_POSITION_INT) {
        put_sample(r, &m.global_position_int);
    } else if (f.info->id == MF_MSG_GPS_RAW_INT) {
        put_fix(r, &f, &m.gps_raw_int);
    } else if (f.info->id == MF_MSG_HEARTBEAT) {
        const bool armed = (m.heartbeat.base_mode & MAV_MODE_FLAG_SAFETY_ARMED) != 0;
        put_change(r, REPLAY_ARMED, &r->last.armed, armed);
        put_change(r, REPLAY_MODE, &r->last.mode, m.heartbeat.custom_mode);
    } else if (f.info->id == MF_MSG_EXTENDED_SYS_STATE) {
        put_change(r, REPLAY_LANDED_STATE, &r->last.landed, m.extended_sys_state.landed_state);
    } else if (f.info->id == MF_MSG_MISSION_ITEM_REACHED) {
        put_event(r, REPLAY_MISSION_REACHED, m.mission_item_reached.seq);
    }
}

/* "sysid=7" */
static void on_setting(struct reader *r)
{
    static const char k_sysid[] = "sysid=", k_compid[] = "compid=";
    const struct mf_record *record = &r->source->record;
    char text[16] = "";
    memcpy(text, record->bytes, record->n < sizeof text ? record->n : sizeof text - 1);
    if (strncmp(text, k_sysid, sizeof k_sysid - 1) == 0) {
        r->flight->sysid = (uint8_t)strtoul(text + sizeof k_sysid - 1, NULL, 10);
    } else if (strncmp(text, k_compid, sizeof k_compid - 1) == 0) {
        r->flight->compid = (uint8_t)strtoul(text + sizeof k_compid - 1, NULL, 10);
    }
}

/* ---- what the records around one say of it */

static int64_t between(const struct replay_fix *a, const struct replay_fix *b, int64_t t_us)
{
    const double part = (double)(t_us - a->t_us) / (double)(b->t_us - a->t_us);
    const double rise_mm = (double)(b->undulation_mm - a->undulation_mm) * part;
    return a->undulation_mm + (int64_t)(rise_mm + (rise_mm < 0.0 ? -0.5 : 0.5));
}

/* Both lists are in order of boots and times; a fix outside of a sample's boot says nothing. */
static void put_ellipsoid(struct replay_flight *f)
{
    size_t next = 0; /* the first fix that is not before the sample */
    for (size_t i = 0; i < f->samples; i++) {
        struct replay_sample *s = &f->sample[i];
        while (next < f->fixes && (f->fix[next].boot < s->boot ||
                                   (f->fix[next].boot == s->boot && f->fix[next].t_us < s->t_us))) {
            next++;
        }
        const struct replay_fix *after =
            next < f->fixes && f->fix[next].boot == s->boot ? &f->fix[next] : NULL;
        const struct replay_fix *before =
            next > 0 && f->fix[next - 1].boot == s->boot ? &f->fix[next - 1] : NULL;
        if (before != NULL && after != NULL) {
            s->alt_ellipsoid_mm = s->alt_amsl_mm + between(before, after, s->t_us);
        } else if (before != NULL || after != NULL) {
            s->alt_ellipsoid_mm = s->alt_amsl_mm + (before != NULL ? before : after)->undulation_mm;
        }
        s->ellipsoid_known = before != NULL || after != NULL;
    }
}

static void place_events(struct replay_flight *f)
{
    size_t next = 0;
    for (size_t i = 0; i < f->events; i++) {
        struct replay_event *e = &f->event[i];
        while (next < f->samples &&
               (f->sample[next].boot < e->boot ||
                (f->sample[next].boot == e->boot && f->sample[next].t_us <= e->t_us))) {
            next++;
        }
        e->at = next > 0 && f->sample[next - 1].boot == e->boot ? &f->sample[next - 1] : NULL;
    }
}

bool replay_flight_read(struct replay_flight *flight, struct replay_source *source, uint16_t link)
{
    struct reader r = {.flight = flight, .source = source};
    memset(flight, 0, sizeof *flight);
    flight->sysid = flight->compid = 1;
    while (!r.full && replay_next(source)) {
        if (source->record.type == MF_RECORD_SETTING) {
            on_setting(&r);
        } else if (source->record.type == MF_RECORD_BOOT) {
            on_boot(&r);
        } else if (source->record.type == MF_RECORD_OUT && source->record.link == link &&
                   flight->boots > 0) {
            on_frame(&r);
        }
    }
    memcpy(flight->link, replay_link_name(source, link), sizeof flight->link);
    flight->complete = source->complete;
    put_ellipsoid(flight);
    place_events(flight);
    return !r.full;
}

void replay_flight_free(struct replay_flight *flight)
{
    free(flight->boot);
    free(flight->sample);
    free(flight->event);
    free(flight->fix);
    memset(flight, 0, sizeof *flight);
}

size_t replay_flight_samples(const struct replay_flight *flight, size_t boot, size_t *n)
{
    size_t first = 0;
    while (first < flight->samples && flight->sample[first].boot < boot) {
        first++;
    }
    *n = 0;
    while (first + *n < flight->samples && flight->sample[first + *n].boot == boot) {
        ++*n;
    }
    return first;
}

/* ---- words and numbers */

const char *replay_mode_name(uint32_t custom_mode, char *text)
{
    static const struct {
        uint8_t main, sub;
        const char *name;
    } k_mode[] = {
        {1, 0, "MANUAL"},     {2, 0, "ALTCTL"},       {3, 0, "POSCTL"},  {3, 1, "ORBIT"},
        {4, 2, "TAKEOFF"},    {4, 3, "HOLD"},         {4, 4, "MISSION"}, {4, 5, "RTL"},
        {4, 6, "LAND"},       {4, 8, "FOLLOW"},       {5, 0, "ACRO"},    {6, 0, "OFFBOARD"},
        {7, 0, "STABILIZED"}, {10, 0, "TERMINATION"},
    };
    for (size_t i = 0; i < sizeof k_mode / sizeof k_mode[0]; i++) {
        if (custom_mode == ((uint32_t)k_mode[i].main << 16 | (uint32_t)k_mode[i].sub << 24)) {
            return k_mode[i].name;
        }
    }
    (void)snprintf(text, REPLAY_EVENT_TEXT_MAX, "%" PRIu32, custom_mode);
    return text;
}

const char *replay_landed_name(uint32_t landed_state)
{
    static const char *const k_name[] = {"undefined", "on_ground", "in_air", "takeoff", "landing"};
    return k_name[landed_state < sizeof k_name / sizeof k_name[0] ? landed_state : 0];
}

void replay_event_text(const struct replay_event *event, char *text)
{
    char mode[REPLAY_EVENT_TEXT_MAX];
    switch (event->type) {
    case REPLAY_MODE:
        (void)snprintf(text, REPLAY_EVENT_TEXT_MAX, "mode %.30s",
                       replay_mode_name(event->value, mode));
        break;
    case REPLAY_ARMED:
        (void)snprintf(text, REPLAY_EVENT_TEXT_MAX, "%s", event->value != 0 ? "armed" : "disarmed");
        break;
    case REPLAY_LANDED_STATE:
        (void)snprintf(text, REPLAY_EVENT_TEXT_MAX, "%s", replay_landed_name(event->value));
        break;
    case REPLAY_MISSION_REACHED:
    default:
        (void)snprintf(text, REPLAY_EVENT_TEXT_MAX, "mission item %" PRIu32, event->value);
        break;
    }
}

void replay_put_fixed(FILE *out, int64_t value, int decimals)
{
    const uint64_t size = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    uint64_t one = 1;
    for (int i = 0; i < decimals; i++) {
        one *= 10;
    }
    (void)fprintf(out, "%s%" PRIu64 ".%0*" PRIu64, value < 0 ? "-" : "", size / one, decimals,
                  size % one);
}

void replay_put_utc(FILE *out, int64_t utc_us)
{
    char text[MF_VALUE_UTC_TEXT_MAX];
    mf_value_utc_text(utc_us, 6, text);
    (void)fputs(text, out);
}

int64_t replay_utc(const struct replay_flight *flight, size_t boot, int64_t t_us)
{
    const int64_t epoch_us = flight->boot[boot];
    return epoch_us > 0 && t_us >= 0 && epoch_us < UTC_MAX_US && t_us < UTC_MAX_US - epoch_us
               ? epoch_us + t_us
               : 0;
}

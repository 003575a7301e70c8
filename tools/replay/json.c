/* SPDX-License-Identifier: Apache-2.0 */
/* A flight as JSON; docs/recording.md describes it. */
#include "tools/replay/flight.h"

#include <inttypes.h>

void replay_put_text(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\') {
            (void)fprintf(out, "\\%c", c);
        } else if (c < ' ' || c > '~' || c == '<') { /* which would end a page's data */
            (void)fprintf(out, "\\u%04x", c);
        } else {
            (void)fputc(c, out);
        }
    }
    (void)fputc('"', out);
}

static void put_utc(FILE *out, int64_t utc_us)
{
    if (utc_us == 0) {
        (void)fputs("null", out);
        return;
    }
    (void)fputc('"', out);
    replay_put_utc(out, utc_us);
    (void)fputc('"', out);
}

static void put_number(FILE *out, const char *key, int64_t value, int decimals)
{
    (void)fprintf(out, ", \"%s\": ", key);
    replay_put_fixed(out, value, decimals);
}

/* Begin a line: a comma after the line before, then the time. */
static void put_time(FILE *out, bool first, int64_t t_us, int64_t utc_us)
{
    (void)fprintf(out, "%s\n    {\"t_s\": ", first ? "" : ",");
    replay_put_fixed(out, t_us, 6);
    (void)fputs(", \"utc\": ", out);
    put_utc(out, utc_us);
}

static void put_event(FILE *out, const struct replay_event *e)
{
    char text[REPLAY_EVENT_TEXT_MAX];
    switch (e->type) {
    case REPLAY_MODE:
        (void)fprintf(out, ", \"type\": \"mode\", \"mode\": \"%s\", \"custom_mode\": %" PRIu32 "}",
                      replay_mode_name(e->value, text), e->value);
        break;
    case REPLAY_LANDED_STATE:
        (void)fprintf(out, ", \"type\": \"landed_state\", \"state\": \"%s\"}",
                      replay_landed_name(e->value));
        break;
    case REPLAY_MISSION_REACHED:
        (void)fprintf(out, ", \"type\": \"mission_item_reached\", \"item\": %" PRIu32 "}",
                      e->value);
        break;
    case REPLAY_ARMED:
    default:
        (void)fprintf(out, ", \"type\": \"%s\"}", e->value != 0 ? "armed" : "disarmed");
        break;
    }
}

static void put_sample(FILE *out, const struct replay_sample *s)
{
    put_number(out, "lat_deg", s->lat_e7, 7);
    put_number(out, "lon_deg", s->lon_e7, 7);
    if (s->ellipsoid_known) {
        put_number(out, "alt_ellipsoid_m", s->alt_ellipsoid_mm, 3);
    } else {
        (void)fputs(", \"alt_ellipsoid_m\": null", out);
    }
    put_number(out, "alt_amsl_m", s->alt_amsl_mm, 3);
    put_number(out, "height_m", s->height_mm, 3);
    (void)fputs(", \"vel_ned_mps\": [", out);
    for (size_t i = 0; i < 3; i++) {
        (void)fputs(i == 0 ? "" : ", ", out);
        replay_put_fixed(out, s->vel_ned_cmps[i], 2);
    }
    (void)fputc(']', out);
    put_number(out, "heading_deg", s->heading_cdeg, 2);
    (void)fputc('}', out);
}

static void put_boot(FILE *out, const struct replay_flight *f, size_t boot)
{
    size_t n;
    const size_t first = replay_flight_samples(f, boot, &n);
    (void)fputs("{\"utc\": ", out);
    put_utc(out, replay_utc(f, boot, 0));
    (void)fputs(",\n   \"events\": [", out);
    bool none = true;
    for (size_t i = 0; i < f->events; i++) {
        const struct replay_event *e = &f->event[i];
        if (e->boot == boot) {
            put_time(out, none, e->t_us, replay_utc(f, boot, e->t_us));
            put_event(out, e);
            none = false;
        }
    }
    (void)fputs("],\n   \"samples\": [", out);
    for (size_t i = first; i < first + n; i++) {
        const struct replay_sample *s = &f->sample[i];
        put_time(out, i == first, s->t_us, replay_utc(f, boot, s->t_us));
        put_sample(out, s);
    }
    (void)fputs("]}", out);
}

bool replay_json(const struct replay_flight *flight, FILE *out)
{
    (void)fprintf(out,
                  "{\"format\": \"mayfly-flight\",\n \"version\": 1,\n"
                  " \"system_id\": %u,\n \"component_id\": %u,\n \"link\": ",
                  flight->sysid, flight->compid);
    replay_put_text(out, flight->link);
    (void)fprintf(out, ",\n \"complete\": %s,\n \"boots\": [", flight->complete ? "true" : "false");
    for (size_t i = 0; i < flight->boots; i++) {
        (void)fputs(i == 0 ? "\n  " : ",\n  ", out);
        put_boot(out, flight, i);
    }
    (void)fputs("]}\n", out);
    return fflush(out) == 0 && ferror(out) == 0;
}

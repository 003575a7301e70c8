/* SPDX-License-Identifier: Apache-2.0 */
/* A flight as KML 2.2 with Google's extension gx:Track; docs/recording.md describes it. */
#include "tools/replay/flight.h"

/* Longitude, latitude, altitude above mean sea level. */
static void put_place(FILE *out, const struct replay_sample *s, char between)
{
    replay_put_fixed(out, s->lon_e7, 7);
    (void)fputc(between, out);
    replay_put_fixed(out, s->lat_e7, 7);
    (void)fputc(between, out);
    replay_put_fixed(out, s->alt_amsl_mm, 3);
}

static void put_when(FILE *out, int64_t utc_us)
{
    (void)fputs("<when>", out);
    replay_put_utc(out, utc_us);
    (void)fputs("</when>", out);
}

static void put_path(FILE *out, const struct replay_sample *s, size_t n)
{
    (void)fputs("   <Placemark><name>Path</name><styleUrl>#path</styleUrl><LineString>"
                "<altitudeMode>absolute</altitudeMode><coordinates>\n",
                out);
    for (size_t i = 0; i < n; i++) {
        put_place(out, &s[i], ',');
        (void)fputc('\n', out);
    }
    (void)fputs("   </coordinates></LineString></Placemark>\n", out);
}

static void put_track(FILE *out, const struct replay_flight *f, const struct replay_sample *s,
                      size_t n)
{
    (void)fputs("   <Placemark><name>Track</name><styleUrl>#path</styleUrl><gx:Track>"
                "<altitudeMode>absolute</altitudeMode>\n",
                out);
    for (size_t i = 0; i < n; i++) {
        put_when(out, replay_utc(f, s[i].boot, s[i].t_us));
        (void)fputc('\n', out);
    }
    for (size_t i = 0; i < n; i++) {
        (void)fputs("<gx:coord>", out);
        put_place(out, &s[i], ' ');
        (void)fputs("</gx:coord>\n", out);
    }
    (void)fputs("   </gx:Track></Placemark>\n", out);
}

static void put_event(FILE *out, const struct replay_flight *f, const struct replay_event *e)
{
    const int64_t utc_us = replay_utc(f, e->boot, e->t_us);
    char text[REPLAY_EVENT_TEXT_MAX];
    replay_event_text(e, text);
    (void)fprintf(out, "   <Placemark><name>%s</name>", text);
    if (utc_us != 0) {
        (void)fputs("<TimeStamp>", out);
        put_when(out, utc_us);
        (void)fputs("</TimeStamp>", out);
    }
    if (e->at != NULL) {
        (void)fputs("<Point><altitudeMode>absolute</altitudeMode><coordinates>", out);
        put_place(out, e->at, ',');
        (void)fputs("</coordinates></Point>", out);
    }
    (void)fputs("</Placemark>\n", out);
}

static void put_boot(FILE *out, const struct replay_flight *f, size_t boot)
{
    size_t n;
    const size_t first = replay_flight_samples(f, boot, &n);
    (void)fprintf(out, "  <Folder><name>Boot %zu</name>\n", boot + 1);
    if (n >= 2) { /* a line has two points at least */
        put_path(out, &f->sample[first], n);
    }
    if (n > 0 && replay_utc(f, boot, f->sample[first + n - 1].t_us) != 0) {
        put_track(out, f, &f->sample[first], n);
    }
    for (size_t i = 0; i < f->events; i++) {
        if (f->event[i].boot == boot) {
            put_event(out, f, &f->event[i]);
        }
    }
    (void)fputs("  </Folder>\n", out);
}

bool replay_kml(const struct replay_flight *flight, FILE *out)
{
    (void)fprintf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<kml xmlns=\"http://www.opengis.net/kml/2.2\" "
        "xmlns:gx=\"http://www.google.com/kml/ext/2.2\">\n"
        " <Document><name>Mayfly, system %u</name>\n"
        "  <description>Altitudes are above mean sea level, as KML has them.</description>\n"
        "  <Style id=\"path\"><LineStyle><color>ff00aaff</color><width>3</width>"
        "</LineStyle></Style>\n",
        flight->sysid);
    for (size_t i = 0; i < flight->boots; i++) {
        put_boot(out, flight, i);
    }
    (void)fputs(" </Document>\n</kml>\n", out);
    return fflush(out) == 0 && ferror(out) == 0;
}

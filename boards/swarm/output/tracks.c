/* SPDX-License-Identifier: Apache-2.0 */
/* Writes tracks of members as KML, CZML, GeoJSON or a picture in SVG. outputs.c calls it at the
 * end of a run. */
#include "boards/swarm/output/tracks.h"

#include "boards/swarm/members/members.h"
#include "firmware/flight/remote_id.h"
#include "fleet/overhead.h"
#include "fleet/query.h"
#include "host/base/value.h"

/* Track of one member in a file. */
struct track {
    struct swarm *w;
    const struct swarm_point *point;
    size_t count;
    char name[SWARM_NAME_MAX];
    FILE *to;
    bool first; /* first track of the file */
};

static void put_utc(const struct swarm *w, mf_us_t at_us, FILE *to)
{
    char utc[MF_VALUE_UTC_TEXT_MAX];
    mf_value_utc_text(w->scenario->time.epoch_us + at_us, 3, utc);
    (void)fputs(utc, to);
}

/* Write an interval of CZML: "FROM/TO". */
static void put_interval(const struct swarm *w, mf_us_t from_us, mf_us_t to_us, FILE *to)
{
    put_utc(w, from_us, to);
    (void)fputc('/', to);
    put_utc(w, to_us, to);
}

/* Height of a point above the ellipsoid, which viewers of CZML and GeoJSON expect [m]. */
static double ellipsoidal_m(struct swarm *w, const struct swarm_point *p)
{
    double undulation_m = 0.0;
    (void)mf_geoid_at(&w->members.geoid, p->lat_deg, p->lon_deg, &undulation_m, NULL);
    return p->alt_amsl_m + undulation_m;
}

/* ---- KML: all times, then all positions */

static void write_kml(const struct track *t)
{
    (void)fprintf(t->to,
                  "<Placemark><name>%s</name><gx:Track><altitudeMode>absolute</altitudeMode>\n",
                  t->name);
    for (size_t k = 0; k < t->count; k++) {
        (void)fputs("<when>", t->to);
        put_utc(t->w, t->point[k].at_us, t->to);
        (void)fputs("</when>\n", t->to);
    }
    for (size_t k = 0; k < t->count; k++) {
        (void)fprintf(t->to, "<gx:coord>%.7f %.7f %.3f</gx:coord>\n", t->point[k].lon_deg,
                      t->point[k].lat_deg, t->point[k].alt_amsl_m);
    }
    (void)fputs("</gx:Track></Placemark>\n", t->to);
}

/* ---- CZML: seconds and positions since an epoch */

static void write_czml(const struct track *t)
{
    static const char *const k_colour[] = {
        [MF_SCENARIO_KIND_VEHICLE] = "90, 170, 255", [MF_SCENARIO_KIND_AGENT] = "255, 159, 64",
        [MF_SCENARIO_KIND_GHOST] = "69, 192, 131",   [MF_SCENARIO_KIND_THING] = "170, 170, 170",
        [MF_SCENARIO_KIND_BODY] = "199, 125, 255",
    };
    _Static_assert(sizeof k_colour / sizeof k_colour[0] == MF_SCENARIO_KINDS, "a colour each");
    const int32_t as = mf_scenario_entity_of(t->w->scenario, t->point->i)->as;
    const mf_us_t from_us = t->point->at_us;
    (void)fprintf(t->to, ",\n{\"id\": \"%s\", \"name\": \"%s\", \"availability\": \"", t->name,
                  t->name);
    put_interval(t->w, from_us, t->point[t->count - 1u].at_us, t->to);
    (void)fprintf(
        t->to,
        "\", \"point\": {\"pixelSize\": 6, \"color\": {\"rgba\": [%s, 255]}}, \"path\": "
        "{\"width\": "
        "1.5, \"leadTime\": 0, \"trailTime\": 120, \"material\": {\"solidColor\": {\"color\": "
        "{\"rgba\": "
        "[%s, 160]}}}},\n \"position\": {\"interpolationAlgorithm\": \"LINEAR\", \"epoch\": \"",
        k_colour[as], k_colour[as]);
    put_utc(t->w, from_us, t->to);
    (void)fputs("\", \"cartographicDegrees\": [", t->to);
    for (size_t k = 0; k < t->count; k++) {
        const struct swarm_point *p = &t->point[k];
        (void)fprintf(t->to, "%s%.6g,%.7f,%.7f,%.3f", k > 0 ? ", " : "",
                      (double)(p->at_us - from_us) / 1e6, p->lon_deg, p->lat_deg,
                      ellipsoidal_m(t->w, p));
    }
    (void)fputs("]}}", t->to);
}

static void begin_czml(const struct swarm *w, const struct swarm_point *point, size_t count,
                       FILE *to)
{
    mf_us_t last_us = 0;
    for (size_t k = 0; k < count; k++) {
        last_us = point[k].at_us > last_us ? point[k].at_us : last_us;
    }
    (void)fputs(
        "[{\"id\": \"document\", \"name\": \"mayfly-swarm\", \"version\": \"1.0\", \"clock\": "
        "{\"interval\": \"",
        to);
    put_interval(w, 0, last_us, to);
    (void)fputs("\", \"currentTime\": \"", to);
    put_utc(w, 0, to);
    (void)fputs("\", \"multiplier\": 1}}", to);
}

/* ---- GeoJSON: a flight record for each member */

/* Write the serial number that the member's remote identification sends. */
static void put_uas_id(const struct track *t, const struct mf_scenario_entity *e)
{
    if (mf_scenario_arrives(e)) {
        const struct mf_remote_id_card card = mf_remote_id_default((uint64_t)t->point->i + 1u);
        (void)fprintf(t->to, "\"uas_id\": \"%.*s\", ", (int)MF_REMOTE_ID_BYTES,
                      (const char *)card.uas_id);
    }
}

static void write_geojson(const struct track *t)
{
    const struct mf_scenario_entity *e = mf_scenario_entity_of(t->w->scenario, t->point->i);
    (void)fprintf(
        t->to,
        "%s\n{\"type\": \"Feature\", \"id\": %u, \"properties\": {\"name\": \"%s\", \"entity\": "
        "\"%s\", \"kind\": \"%s\", ",
        t->first ? "" : ",", (unsigned)t->point->i + 1u, t->name, e->name,
        mf_query_words(MF_QUERY_KIND)[e->as]);
    put_uas_id(t, e);
    (void)fputs("\"begin\": \"", t->to);
    put_utc(t->w, t->point->at_us, t->to);
    (void)fputs("\", \"end\": \"", t->to);
    put_utc(t->w, t->point[t->count - 1u].at_us, t->to);
    (void)fputs("\", \"coordTimes\": [", t->to);
    for (size_t k = 0; k < t->count; k++) {
        (void)fputs(k > 0 ? ", \"" : "\"", t->to);
        put_utc(t->w, t->point[k].at_us, t->to);
        (void)fputc('"', t->to);
    }
    const bool line = t->count > 1;
    (void)fprintf(t->to, "]},\n \"geometry\": {\"type\": \"%s\", \"coordinates\": %s",
                  line ? "LineString" : "Point", line ? "[" : "");
    for (size_t k = 0; k < t->count; k++) {
        const struct swarm_point *p = &t->point[k];
        (void)fprintf(t->to, "%s[%.7f, %.7f, %.3f]", k > 0 ? ", " : "", p->lon_deg, p->lat_deg,
                      ellipsoidal_m(t->w, p));
    }
    (void)fprintf(t->to, "%s}}", line ? "]" : "");
}

/* ---- SVG: from above */

/* Context of the picture: the swarm, and the points of all tracks. */
struct ways {
    const struct swarm *w;
    const struct swarm_point *point;
};

static uint32_t point_of_way(const void *ctx, size_t k, struct mf_geo *at)
{
    const struct swarm_point *p = &((const struct ways *)ctx)->point[k];
    *at = (struct mf_geo){p->lat_deg, p->lon_deg};
    return p->i;
}

static const char *place_of_thing(const void *ctx, uint32_t member, double *ne_m)
{
    const struct swarm *w = ((const struct ways *)ctx)->w;
    double neu_m[3];
    swarm_place(w, member, w->now_us, neu_m);
    ne_m[0] = neu_m[0];
    ne_m[1] = neu_m[1];
    return "#303030";
}

static void write_overhead(const struct swarm *w, const struct swarm_point *point, size_t count,
                           FILE *to)
{
    const struct ways ways = {w, point};
    mf_overhead_write(&(struct mf_overhead){.scenario = w->scenario,
                                            .points = count,
                                            .point = point_of_way,
                                            .thing = place_of_thing,
                                            .ctx = &ways},
                      to);
}

/* ---- all formats */

static void begin_track(const struct swarm *w, enum swarm_track of, const struct swarm_point *point,
                        size_t count, FILE *to)
{
    if (of == SWARM_TRACK_KML) {
        (void)fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml "
                    "xmlns=\"http://www.opengis.net/kml/2.2\" "
                    "xmlns:gx=\"http://www.google.com/kml/ext/2.2\"><Document>\n",
                    to);
    } else if (of == SWARM_TRACK_CZML) {
        begin_czml(w, point, count, to);
    } else {
        (void)fputs("{\"type\": \"FeatureCollection\", \"features\": [", to);
    }
}

void swarm_tracks_write(struct swarm *w, enum swarm_track of, const struct swarm_point *point,
                        size_t count, FILE *to)
{
    static void (*const k_write[SWARM_TRACKS])(const struct track *t) = {
        [SWARM_TRACK_KML] = write_kml,
        [SWARM_TRACK_CZML] = write_czml,
        [SWARM_TRACK_GEOJSON] = write_geojson};
    static const char *const k_end[SWARM_TRACKS] = {[SWARM_TRACK_KML] = "</Document></kml>\n",
                                                    [SWARM_TRACK_CZML] = "]\n",
                                                    [SWARM_TRACK_GEOJSON] = "\n]}\n"};
    struct track t = {.w = w, .to = to, .first = true};
    if (of == SWARM_TRACK_OVERHEAD) {
        write_overhead(w, point, count, to);
        return;
    }
    begin_track(w, of, point, count, to);
    for (size_t from = 0; from < count; from += t.count) {
        t.point = &point[from];
        t.count = 0;
        while (from + t.count < count && t.point[t.count].i == t.point->i) {
            t.count++;
        }
        mf_scenario_member_name(w->scenario, t.point->i, t.name);
        k_write[of](&t);
        t.first = false;
    }
    (void)fputs(k_end[of], to);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/replay/html.h"

#include "tools/replay/page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define PER_DEG 1e7 /* units of latitudes and longitudes: a centimetre */

static long long rounded(double value)
{
    return llround(value);
}

/* [time in ms, latitude and longitude in 1e-7 deg, altitude and ground in cm, heading in deg], then
 * nothing where the vehicle believed the same, 0 where it believed nothing, else how far it was
 * off: [latitude, longitude, altitude] */
static void put_instant(FILE *out, const struct replay_instant *i)
{
    (void)fprintf(out, "[%lld,%lld,%lld,%lld,%lld,%lld", rounded((double)i->t_us / 1e3),
                  rounded(i->lat_deg * PER_DEG), rounded(i->lon_deg * PER_DEG),
                  rounded(i->alt_amsl_m * 1e2), rounded(i->ground_amsl_m * 1e2),
                  rounded(i->heading_deg));
    const long long lat = rounded((i->said_lat_deg - i->lat_deg) * PER_DEG),
                    lon = rounded((i->said_lon_deg - i->lon_deg) * PER_DEG),
                    alt = rounded((i->said_alt_amsl_m - i->alt_amsl_m) * 1e2);
    if (!i->said) {
        (void)fputs(",0", out);
    } else if (lat != 0 || lon != 0 || alt != 0) {
        (void)fprintf(out, ",%lld,%lld,%lld", lat, lon, alt);
    }
    (void)fputc(']', out);
}

static void put_number(FILE *out, double value, double unit)
{
    if (isfinite(value)) {
        (void)fprintf(out, ",%lld", rounded(value / unit));
    } else {
        (void)fputs(",null", out);
    }
}

/* [time in ms, velocity north, east, down in cm/s, roll, pitch in 0.1 deg, charge in 1/1000,
 * voltage in 0.01 V, frames sent, received, lost]; null: not known */
static void put_figures(FILE *out, const struct replay_figures *f)
{
    (void)fprintf(out, "[%lld", rounded((double)f->t_us / 1e3));
    for (size_t i = 0; i < 3; i++) {
        put_number(out, f->vel_ned_mps[i], 0.01);
    }
    put_number(out, f->roll_deg, 0.1);
    put_number(out, f->pitch_deg, 0.1);
    put_number(out, f->remaining, 0.001);
    put_number(out, f->voltage_v, 0.01);
    put_number(out, f->sent, 1.0);
    put_number(out, f->received, 1.0);
    put_number(out, f->lost, 1.0);
    (void)fputc(']', out);
}

static void put_chapter(FILE *out, const struct replay_story *story,
                        const struct replay_chapter *chapter)
{
    (void)fputs("{\"events\":[\n", out);
    if (chapter->length > 0) {
        (void)fwrite(story->text + chapter->text, 1, chapter->length, out);
    }
    (void)fputs("],\n\"samples\":[", out);
    for (size_t i = 0; i < chapter->instants; i++) {
        (void)fputs(i == 0 ? "" : i % 16 == 0 ? ",\n" : ",", out);
        put_instant(out, &story->instant[chapter->first + i]);
    }
    (void)fputs("],\n\"figures\":[", out);
    for (size_t i = 0; i < chapter->figures; i++) {
        (void)fputs(i == 0 ? "" : i % 16 == 0 ? ",\n" : ",", out);
        put_figures(out, &story->figure[chapter->first_figures + i]);
    }
    (void)fputs("]}", out);
}

bool replay_html(const struct replay_story *story, const struct replay_about *about, FILE *out)
{
    static const char k_here[] = "{\"here\":\"the flight\"}";
    const char *page = (const char *)replay_page;
    const char *here = memmem(page, replay_page_size, k_here, sizeof k_here - 1);
    if (here == NULL) {
        return false; /* a page that was built without its place for data */
    }
    const char *rest = here + sizeof k_here - 1;
    (void)fwrite(page, 1, (size_t)(here - page), out);
    (void)fputs("{\"name\":", out);
    replay_put_text(out, about->name);
    (void)fprintf(out, ",\"truth\":%s,\"tolerance_m\":%.2f,\"notes\":[",
                  about->truth ? "true" : "false", story->tolerance_m);
    for (size_t i = 0; i < about->notes; i++) {
        (void)fputs(i == 0 ? "" : ",", out);
        replay_put_text(out, about->note[i]);
    }
    (void)fputs("],\"boots\":[", out);
    for (size_t i = 0; i < story->chapters; i++) {
        (void)fputs(i == 0 ? "" : ",\n", out);
        put_chapter(out, story, &story->chapter[i]);
    }
    (void)fputs("]}", out);
    (void)fwrite(rest, 1, replay_page_size - (size_t)(rest - page), out);
    return fflush(out) == 0 && ferror(out) == 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Control API: the track of the flight since the boot. */
#include "firmware/report/snapshot.h"
#include "host/api/api_route.h"
#include "host/base/value.h"

#include <string.h>

/* Maximum number of points in one answer; the longest point has less than 240 characters. */
#define POINTS_MAX 1700u
_Static_assert(POINTS_MAX * 240u + MF_API_EVENTS_KEPT * MF_API_EVENT_MAX < MF_HTTP_ANSWER_MAX,
               "they fit into an answer");
/* Reports with a smaller error than this count as equal to the truth [m]. */
#define APART_M 0.5

const struct mf_api_field mf_api_track_fields[] = {
    {"total", "integer", "number of points since the boot"},
    {"more", "boolean", "true: later points did not fit; ask again with after= the last one"},
    {"points", "array:point",
     "points of the track; between two of them the motion was even within 0.1 m"},
    {"events", "array:object",
     "kept events of that time: id, event, vehicle_time_s, and the fields of the event"},
    {NULL, NULL, NULL},
};

const struct mf_api_field mf_api_track_query[] = {
    {"after", "number:0..1000000000",
     "vehicle time [s]; the answer has later points and events only"},
    {NULL, NULL, NULL},
};

void mf_api_track(struct mf_api *api)
{
    struct mf_pose truth;
    struct mf_estimate estimate;
    if (!mf_snapshot_motion(api->vehicle, &truth, &estimate)) {
        return;
    }
    const struct mf_track_point now = {
        .t_us = *mf_vehicle_clock(api->vehicle),
        .truth = {truth.lat_deg, truth.lon_deg, truth.alt_amsl_m},
        .reported = {estimate.pose.lat_deg, estimate.pose.lon_deg, estimate.pose.alt_amsl_m},
        .reports = estimate.position,
        .ground_amsl_m = (float)truth.ground_amsl_m,
    };
    mf_track_add(&api->track, &now);
}

static void write_place(struct mf_json *j, const struct mf_track_place *place)
{
    mf_json_number(j, "lat_deg", place->lat_deg, 7);
    mf_json_number(j, "lon_deg", place->lon_deg, 7);
    mf_json_number(j, "alt_amsl_m", place->alt_amsl_m, 2);
}

static void write_point(struct mf_json *j, const struct mf_track_point *p)
{
    mf_json_object(j, NULL);
    mf_json_number(j, "vehicle_time_s", (double)p->t_us / 1e6, 6);
    write_place(j, &p->truth);
    mf_json_number(j, "ground_amsl_m", (double)p->ground_amsl_m, 2);
    if (p->reports && mf_track_apart_m(&p->truth, &p->reported) > APART_M) {
        mf_json_object(j, "reported");
        write_place(j, &p->reported);
        mf_json_end(j);
    } else {
        mf_json_null(j, "reported");
    }
    mf_json_bool(j, "reports", p->reports);
    mf_json_end(j);
}

/* Read after which point the answer begins. @return false: refused */
static bool read_after(struct mf_api_call *call, mf_us_t *after_us)
{
    struct mf_http_text text;
    char copy[32];
    double after_s = -1.0;
    *after_us = -1;
    if (!mf_api_query(call, "after", &text)) {
        return true;
    }
    const size_t n = text.len < sizeof copy - 1 ? text.len : sizeof copy - 1;
    memcpy(copy, text.at, n);
    copy[n] = '\0';
    const char *end = mf_value_number(copy, &after_s);
    if (end == NULL || *end != '\0' || !(after_s >= 0.0 && after_s <= 1e9)) {
        mf_api_refuse(call, 422, "after: allowed: 0 .. 1e9, a vehicle time [s]");
        return false;
    }
    *after_us = mf_us_of(after_s);
    return true;
}

/* Write the kept events since the boot with vehicle times after @p after_us and up to @p until_us:
 * id, name, and the members of their data as reported. */
static void write_events(const struct mf_api *api, struct mf_json *j, mf_us_t after_us,
                         mf_us_t until_us)
{
    const uint64_t oldest = mf_api_oldest_piece(api);
    mf_json_array(j, "events");
    for (uint64_t n = oldest > api->boot_piece ? oldest : api->boot_piece; n < api->piece_count;
         n++) {
        const size_t i = n % MF_API_EVENTS_KEPT;
        if (api->piece[i].t_us <= after_us || api->piece[i].t_us > until_us) {
            continue;
        }
        const char *object = &api->piece[i].text[api->piece[i].data];
        mf_json_object(j, NULL);
        mf_json_integer(j, "id", (int64_t)api->piece[i].id);
        mf_json_text(j, "event", api->piece[i].event);
        /* the members without the braces */
        mf_json_members(j, object + 1, strcspn(object, "\n") - 2u);
        mf_json_end(j);
    }
    mf_json_end(j);
}

void mf_api_get_track(struct mf_api_call *call)
{
    const struct mf_track *track = &call->api->track;
    mf_us_t after_us;
    if (!read_after(call, &after_us)) {
        return;
    }
    const uint32_t from = mf_track_after(track, after_us);
    const uint32_t end = track->count - from > POINTS_MAX ? from + POINTS_MAX : track->count;
    mf_json_integer(&call->json, "total", track->total);
    mf_json_bool(&call->json, "more", end < track->count);
    mf_json_array(&call->json, "points");
    for (uint32_t i = from; i < end; i++) {
        write_point(&call->json, &track->point[i]);
    }
    mf_json_end(&call->json);
    const bool all = end == track->count;
    write_events(call->api, &call->json, after_us, all ? MF_NEVER : track->point[end - 1u].t_us);
}

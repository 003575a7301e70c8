/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics for Prometheus, for boards/posix and boards/swarm. */
#include "host/api/metrics.h"

#include "drone/quality.h"
#include "firmware/flight/mode.h"
#include "firmware/report/snapshot.h"
#include "firmware/state/journal.h"
#include "host/api/api_route.h"
#include "host/spec/faultspec.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Metrics: name, type, help. The function put_NAME() writes the samples of a metric. */
/* clang-format off */
#define METRIC_LIST(X) \
    X(mayfly_info, "gauge", "The program, by its labels; always 1.") \
    X(mayfly_vehicle_time_seconds, "gauge", "Vehicle time since the boot.") \
    X(mayfly_wall_time_seconds, "gauge", "Wall time since the boot.") \
    X(mayfly_clock_rate, "gauge", "Vehicle seconds per second that the clock must pass.") \
    X(mayfly_clock_achieved_rate, "gauge", "Vehicle seconds per second that passed lately.") \
    X(mayfly_clock_lost_seconds_total, "counter", "Seconds for which vehicle time waited, by reason.") \
    X(mayfly_armed, "gauge", "1: armed.") \
    X(mayfly_armable, "gauge", "1: the vehicle may be armed, or is.") \
    X(mayfly_mode, "gauge", "1 for the present flight mode.") \
    X(mayfly_landed_state, "gauge", "1 for the present landed state.") \
    X(mayfly_battery_remaining_ratio, "gauge", "Charge of the battery.") \
    X(mayfly_altitude_amsl_meters, "gauge", "True altitude above mean sea level.") \
    X(mayfly_faults_active, "gauge", "1 for each fault that is active.") \
    X(mayfly_commands_total, "counter", "Commands that were answered, by MAV_RESULT.") \
    X(mayfly_frames_received_total, "counter", "Good frames on all links.") \
    X(mayfly_frames_sent_total, "counter", "Frames on all links, without those of others.") \
    X(mayfly_frames_forwarded_total, "counter", "Frames of others that were passed on.") \
    X(mayfly_frames_rejected_total, "counter", "Frames that were not obeyed, by reason.") \
    X(mayfly_frames_unsent_total, "counter", "Frames that were not sent, by reason.") \
    X(mayfly_frames_lost_total, "counter", "Gaps in the sequence numbers of senders.") \
    X(mayfly_received_garbage_bytes_total, "counter", "Bytes that belonged to no frame.") \
    X(mayfly_links, "gauge", "Open links.") \
    X(mayfly_link_received_frames_total, "counter", "Good frames on this link.") \
    X(mayfly_link_sent_frames_total, "counter", "Frames on this link.") \
    X(mayfly_link_unsent_frames_total, "counter", "Frames for which this link had no room.") \
    X(mayfly_link_lost_frames_total, "counter", "Gaps in the sequence numbers of its senders.") \
    X(mayfly_link_queue_bytes, "gauge", "Bytes that wait to be sent.") \
    X(mayfly_link_quality_frames_total, "counter", "Frames into a link with a quality, each way.") \
    X(mayfly_link_quality_effects_total, "counter", "Frames into a link with a quality that it changed, by effect.") \
    X(mayfly_link_quality_stray_bytes_total, "counter", "Bytes of no frame over a link with a quality.") \
    X(mayfly_link_quality_under_way_bytes, "gauge", "Bytes that a link with a quality holds for later, with their times.") \
    X(mayfly_peers_opened_total, "counter", "Connections and UDP peers of MAVLink that were opened.") \
    X(mayfly_peers_turned_away_total, "counter", "Connections and UDP peers of MAVLink that were refused for lack of room.") \
    X(mayfly_peers, "gauge", "Connections and UDP peers, by kind of place.") \
    X(mayfly_peers_limit, "gauge", "Number of places of this kind.") \
    X(mayfly_peers_refused_total, "counter", "Connections and UDP peers for which no place of this kind was free.") \
    X(mayfly_peers_displaced_total, "counter", "Silent peers whose places others got.") \
    X(mayfly_peers_dropped_total, "counter", "Peers that were dropped since they did not read.") \
    X(mayfly_passes_total, "counter", "Passes of the scheduler.") \
    X(mayfly_tasks_total, "counter", "Tasks that the scheduler ran.") \
    X(mayfly_overruns_total, "counter", "Periodic tasks that skipped because the host was late.") \
    X(mayfly_events_total, "counter", "Events of the vehicle: arrivals, touchdowns, modes, arming.") \
    X(mayfly_http_requests_total, "counter", "HTTP requests that were answered.") \
    X(mayfly_http_refused_total, "counter", "HTTP requests that were malformed, too long or too slow.") \
    X(mayfly_http_turned_away_total, "counter", "HTTP connections that were refused for lack of room.") \
    X(mayfly_http_connections, "gauge", "Open HTTP connections.") \
    X(mayfly_http_streams, "gauge", "Open streams of events.") \
    X(process_resident_memory_bytes, "gauge", "Resident memory of the process.")
/* clang-format on */

struct out {
    char *at;
    size_t cap, len;
    bool full;
    const char *name; /* name of the present metric */
    struct mf_api *api;
    struct mf_status status;
    struct mf_snapshot snapshot;
    struct mf_api_figures figures;
    struct mf_link_stats links; /* sums of all links, open and closed */
    struct mf_parser_stats bytes;
};

__attribute__((format(printf, 2, 3))) static void put(struct out *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(o->at + o->len, o->cap - o->len, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= o->cap - o->len) {
        o->full = true;
    } else {
        o->len += (size_t)n;
    }
}

static void put_whole(struct out *o, uint64_t value)
{
    put(o, "%s %" PRIu64 "\n", o->name, value);
}

static void put_labelled(struct out *o, const char *label, const char *word, uint64_t value)
{
    put(o, "%s{%s=\"%s\"} %" PRIu64 "\n", o->name, label, word, value);
}

static void put_seconds(struct out *o, mf_us_t t_us)
{
    put(o, "%s %" PRId64 ".%06d\n", o->name, t_us / MF_SECOND_US, (int)(t_us % MF_SECOND_US));
}

/* ---- the vehicle */

static void put_mayfly_info(struct out *o)
{
    put(o, "%s{version=\"%s\",instance=\"%d\",system_id=\"%u\",clock=\"%s\"} 1\n", o->name,
        o->figures.version, (int)o->api->instance, o->status.sysid, o->figures.clock);
}

static void put_mayfly_vehicle_time_seconds(struct out *o)
{
    put_seconds(o, o->snapshot.vehicle_us);
}

static void put_mayfly_wall_time_seconds(struct out *o)
{
    put_seconds(o, o->figures.wall_us);
}

/* Write the clock's rate, which only real and scaled time have. */
static void put_mayfly_clock_rate(struct out *o)
{
    if (strcmp(o->figures.clock, "real") == 0) {
        put(o, "%s %.6g\n", o->name, o->figures.rate);
    }
}

static void put_mayfly_clock_achieved_rate(struct out *o)
{
    if (o->figures.achieved_rate >= 0.0) {
        put(o, "%s %.6g\n", o->name, o->figures.achieved_rate);
    }
}

static void put_mayfly_clock_lost_seconds_total(struct out *o)
{
    const char *const reason[] = {"host", "client"};
    const mf_us_t lost_us[] = {o->figures.late_us, o->figures.waited_us};
    for (size_t i = 0; i < 2; i++) {
        put(o, "%s{reason=\"%s\"} %" PRId64 ".%06d\n", o->name, reason[i],
            lost_us[i] / MF_SECOND_US, (int)(lost_us[i] % MF_SECOND_US));
    }
}

static void put_mayfly_armed(struct out *o)
{
    put_whole(o, o->snapshot.armed);
}

static void put_mayfly_armable(struct out *o)
{
    put_whole(o, o->snapshot.armed || o->snapshot.denial[0] == '\0');
}

static void put_mayfly_mode(struct out *o)
{
    for (int i = 0; i < MF_MODE_COUNT; i++) {
        put_labelled(o, "mode", mf_mode_info((enum mf_mode)i)->text, i == (int)o->snapshot.mode);
    }
}

static void put_mayfly_landed_state(struct out *o)
{
    static const char *const k_state[] = {"on_ground", "in_air", "takeoff", "landing"};
    for (unsigned i = 0; i < 4; i++) {
        put_labelled(o, "state", k_state[i], i + 1 == (unsigned)o->snapshot.landed);
    }
}

static void put_mayfly_battery_remaining_ratio(struct out *o)
{
    if (o->snapshot.has_battery && o->snapshot.battery.remaining >= 0.0f) {
        put(o, "%s %.4f\n", o->name, (double)o->snapshot.battery.remaining);
    }
}

static void put_mayfly_altitude_amsl_meters(struct out *o)
{
    if (o->snapshot.body) {
        put(o, "%s %.3f\n", o->name, o->snapshot.truth.alt_amsl_m);
    }
}

static void put_mayfly_faults_active(struct out *o)
{
    const struct mf_vehicle *v = o->api->vehicle;
    for (int i = 0; i < MF_FAULT_COUNT; i++) {
        put_labelled(o, "fault", mf_fault_name((enum mf_fault)i),
                     mf_inject_active(mf_vehicle_devices(v), o->status.now.vehicle_us,
                                      (enum mf_fault)i, NULL));
    }
}

static void put_mayfly_commands_total(struct out *o)
{
    const struct mf_answers *answers = &mf_vehicle_journal(o->api->vehicle)->answers;
    for (size_t i = 0; i < MF_RESULTS; i++) {
        const bool last = i + 1 == MF_RESULTS; /* further results are counted as the last one */
        put_labelled(o, "result", last ? "other" : mf_api_result_word(i), answers->results[i]);
    }
}

static void put_mayfly_passes_total(struct out *o)
{
    put_whole(o, o->status.counters.passes);
}

static void put_mayfly_tasks_total(struct out *o)
{
    put_whole(o, o->status.counters.tasks);
}

static void put_mayfly_overruns_total(struct out *o)
{
    put_whole(o, o->status.counters.overruns);
}

static void put_mayfly_events_total(struct out *o)
{
    put_whole(o, o->status.counters.events);
}

/* ---- links */

static void put_mayfly_frames_received_total(struct out *o)
{
    put_whole(o, o->links.rx_frames);
}

static void put_mayfly_frames_sent_total(struct out *o)
{
    put_whole(o, o->links.tx_frames);
}

static void put_mayfly_frames_forwarded_total(struct out *o)
{
    put_whole(o, o->links.tx_forwarded);
}

static void put_mayfly_frames_rejected_total(struct out *o)
{
    put_labelled(o, "reason", "unknown", o->bytes.unknown);
    put_labelled(o, "reason", "bad_crc", o->bytes.bad_crc);
    put_labelled(o, "reason", "bad_flags", o->bytes.bad_flags);
    put_labelled(o, "reason", "unhandled", o->links.rx_unhandled);
    put_labelled(o, "reason", "foreign", o->links.rx_foreign);
    put_labelled(o, "reason", "bad_value", o->links.rx_rejected);
    put_labelled(o, "reason", "unsigned", o->links.rx_unsigned);
    put_labelled(o, "reason", "bad_signature", o->links.rx_bad_signature);
    put_labelled(o, "reason", "replayed", o->links.rx_replayed);
    put_labelled(o, "reason", "ahead", o->links.rx_ahead);
}

static void put_mayfly_frames_unsent_total(struct out *o)
{
    put_labelled(o, "reason", "no_room", o->links.tx_dropped);
    put_labelled(o, "reason", "unfit", o->links.tx_unfit);
    put_labelled(o, "reason", "held_back", o->links.tx_held_back);
}

static void put_mayfly_frames_lost_total(struct out *o)
{
    put_whole(o, o->links.rx_lost);
}

static void put_mayfly_received_garbage_bytes_total(struct out *o)
{
    put_whole(o, o->bytes.skipped);
}

static void put_mayfly_links(struct out *o)
{
    put_whole(o, o->status.links_open);
}

#define LABEL_MAX 48u /* longer names are cut */

/* Escape a peer's name as the value of a label: characters that would need an escape, and non-ASCII
 * bytes, become '?'. */
static const char *label_text(const char *name, char text[LABEL_MAX])
{
    size_t n = 0;
    for (; n + 1 < LABEL_MAX && name[n] != '\0'; n++) {
        const bool plain = name[n] >= ' ' && name[n] <= '~' && name[n] != '"' && name[n] != '\\';
        text[n] = plain ? name[n] : '?';
    }
    text[n] = '\0';
    return text;
}

/* Call @p visit for each open link, with the board's knowledge of the link and its labels. */
static void visit_links(struct out *o,
                        void (*visit)(struct out *o, const struct mf_snapshot_link *link,
                                      const struct mf_api_link *about, const char *labels))
{
    struct mf_snapshot_link link;
    int result = MF_E_OK;
    for (uint16_t i = 0; result != MF_E_RANGE; i++) {
        struct mf_api_link about = {.transport = ""};
        char peer[LABEL_MAX];
        char labels[sizeof peer + 32u];
        result = mf_snapshot_link(o->api->vehicle, i, &link);
        if (result == MF_E_OK) {
            o->api->ops->link(o->api->ops_ctx, i, &about);
            (void)snprintf(labels, sizeof labels, "link=\"%u\",peer=\"%s\"", i,
                           label_text(link.name, peer));
            visit(o, &link, &about, labels);
        }
    }
}

#define EACH_LINK(metric, figure)                                                   \
    static void visit_##metric(struct out *o, const struct mf_snapshot_link *l,     \
                               const struct mf_api_link *about, const char *labels) \
    {                                                                               \
        (void)l, (void)about;                                                       \
        put(o, "%s{%s} %" PRIu64 "\n", o->name, labels, (uint64_t)(figure));        \
    }                                                                               \
    static void put_##metric(struct out *o)                                         \
    {                                                                               \
        visit_links(o, visit_##metric);                                             \
    }

EACH_LINK(mayfly_link_received_frames_total, l->stats.rx_frames)
EACH_LINK(mayfly_link_sent_frames_total, l->stats.tx_frames)
EACH_LINK(mayfly_link_unsent_frames_total, l->stats.tx_dropped)
EACH_LINK(mayfly_link_lost_frames_total, l->stats.rx_lost)
EACH_LINK(mayfly_link_queue_bytes, about->queued)

#define EACH_WAY(metric, figure)                                                         \
    static void visit_##metric(struct out *o, const struct mf_snapshot_link *l,          \
                               const struct mf_api_link *about, const char *labels)      \
    {                                                                                    \
        (void)l;                                                                         \
        for (int way = 0; about->quality != NULL && way < MF_WAY_COUNT; way++) {         \
            const struct mf_quality_line *line = &about->quality->line[way];             \
            put(o, "%s{%s,way=\"%s\"} %" PRIu32 "\n", o->name, labels, mf_way_name[way], \
                (figure));                                                               \
        }                                                                                \
    }                                                                                    \
    static void put_##metric(struct out *o)                                              \
    {                                                                                    \
        visit_links(o, visit_##metric);                                                  \
    }

EACH_WAY(mayfly_link_quality_frames_total, line->stats.frames)
EACH_WAY(mayfly_link_quality_stray_bytes_total, line->stats.stray)
EACH_WAY(mayfly_link_quality_under_way_bytes, line->used)

static void visit_effects(struct out *o, const struct mf_snapshot_link *l,
                          const struct mf_api_link *about, const char *labels)
{
    (void)l;
    for (int way = 0; about->quality != NULL && way < MF_WAY_COUNT; way++) {
        const struct mf_quality_stats *stats = &about->quality->line[way].stats;
        const struct {
            const char *name;
            uint32_t count;
        } k_effect[] = {
#define X(name, text) {#name, stats->name},
            MF_QUALITY_COUNT_LIST(X)
#undef X
        };
        /* all effects but the frames themselves and the bytes outside of frames */
        for (size_t i = 1; i + 1 < sizeof k_effect / sizeof k_effect[0]; i++) {
            put(o, "%s{%s,way=\"%s\",effect=\"%s\"} %" PRIu32 "\n", o->name, labels,
                mf_way_name[way], k_effect[i].name, k_effect[i].count);
        }
    }
}

static void put_mayfly_link_quality_effects_total(struct out *o)
{
    visit_links(o, visit_effects);
}

/* ---- the process */

static void put_mayfly_peers_opened_total(struct out *o)
{
    put_whole(o, o->figures.peers_opened);
}

static void put_mayfly_peers_turned_away_total(struct out *o)
{
    put_whole(o, o->figures.peers_turned_away);
}

#define EACH_KIND(metric, figure)                                               \
    static void put_##metric(struct out *o)                                     \
    {                                                                           \
        for (size_t i = 0; i < MF_API_PLACES; i++) {                            \
            const struct mf_api_places *p = &o->figures.places[i];              \
            put_labelled(o, "kind", p->kind != NULL ? p->kind : "", p->figure); \
        }                                                                       \
    }

EACH_KIND(mayfly_peers, used)
EACH_KIND(mayfly_peers_limit, max)
EACH_KIND(mayfly_peers_refused_total, refused)
EACH_KIND(mayfly_peers_displaced_total, displaced)

static void put_mayfly_peers_dropped_total(struct out *o)
{
    put_whole(o, o->figures.peers_dropped);
}

static void put_mayfly_http_requests_total(struct out *o)
{
    put_whole(o, o->api->server->http->stats.requests);
}

static void put_mayfly_http_refused_total(struct out *o)
{
    put_whole(o, o->api->server->http->stats.refused);
}

static void put_mayfly_http_turned_away_total(struct out *o)
{
    put_whole(o, o->figures.http_turned_away);
}

static void put_mayfly_http_connections(struct out *o)
{
    put_whole(o, o->api->server->http->count);
}

static void put_mayfly_http_streams(struct out *o)
{
    put_whole(o, mf_http_streams(o->api->server->http));
}

static void put_process_resident_memory_bytes(struct out *o)
{
    put_whole(o, o->figures.resident_bytes);
}

/* ---- all */

/* Compute the sums of the counters of closed and open links. */
static void add_links(struct out *o)
{
    struct mf_snapshot_link link;
    int result = MF_E_OK;
    o->links = o->api->gone;
    o->bytes = o->api->gone_bytes;
    for (uint16_t i = 0; result != MF_E_RANGE; i++) {
        result = mf_snapshot_link(o->api->vehicle, i, &link);
        if (result == MF_E_OK) {
            mf_api_add_link(&o->links, &o->bytes, &link);
        }
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written through o.at */
size_t mf_metrics_write(struct mf_api *api, char *text, size_t cap)
{
    static const struct {
        const char *name, *type, *help;
        void (*put)(struct out *o);
    } k_metric[] = {
#define X(name, type, help) {#name, type, help, put_##name},
        METRIC_LIST(X)
#undef X
    };
    struct out o = {.at = text, .cap = cap, .api = api};
    o.status = mf_vehicle_status(api->vehicle);
    mf_snapshot_take(api->vehicle, &o.snapshot);
    api->ops->figures(api->ops_ctx, &o.figures);
    add_links(&o);
    for (size_t i = 0; i < sizeof k_metric / sizeof k_metric[0] && !o.full; i++) {
        o.name = k_metric[i].name;
        put(&o, "# HELP %s %s\n# TYPE %s %s\n", o.name, k_metric[i].help, o.name, k_metric[i].type);
        k_metric[i].put(&o);
    }
    return o.full ? 0 : o.len;
}

void mf_api_get_metrics(struct mf_api_call *call)
{
    char *text = call->api->server->http->answer;
    call->answer->len = mf_metrics_write(call->api, text, MF_HTTP_ANSWER_MAX);
    call->answer->body = text;
    call->answer->status = call->answer->len > 0 ? 200 : 500;
}

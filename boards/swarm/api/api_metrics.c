/* SPDX-License-Identifier: Apache-2.0 */
/* Serves figures for Prometheus. api.c has the route in its table. */
#include "boards/swarm/api/api_internal.h"
#include "boards/swarm/ghosts/ghosts.h"
#include "boards/swarm/members/arrivals.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/members/vehicles.h"
#include "boards/swarm/processes/patience.h"
#include "boards/swarm/time/course.h"
#include "firmware/flight/mode.h"

#include <stdio.h>

struct counts {
    uint64_t armed, in_air, finished, failsafe, breach;
    uint32_t kind[MF_SCENARIO_KINDS], mode[MF_SCENARIO_KINDS][MF_MODE_COUNT];
};

static struct counts count(const struct swarm *w)
{
    struct counts c = {0};
    for (uint32_t i = 0; i < w->scenario->members; i++) {
        const struct mf_crowd_state now = swarm_state(w, i);
        if (swarm_is_thing(w, i) || swarm_is_absent(w, i, w->now_us)) {
            continue; /* skip things, which lack a mode, and absent members */
        }
        c.kind[mf_scenario_entity_of(w->scenario, i)->as]++;
        c.mode[mf_scenario_entity_of(w->scenario, i)->as][now.mode]++;
        c.armed += now.armed;
        c.in_air += now.landed == MF_LANDED_IN_AIR;
        c.finished += now.finished;
        c.failsafe += now.failsafe;
        c.breach += now.breach;
    }
    return c;
}

/* X(name, type, help, value) for each metric */
/* clang-format off */
#define METRIC_LIST(X) \
    X("mayfly_swarm_vehicles", "gauge", "Vehicles of the scenario.", c.kind[MF_SCENARIO_KIND_VEHICLE]) \
    X("mayfly_swarm_agents", "gauge", "Agents of the scenario.", c.kind[MF_SCENARIO_KIND_AGENT]) \
    X("mayfly_swarm_ghosts", "gauge", "Ghosts of the scenario.", c.kind[MF_SCENARIO_KIND_GHOST]) \
    X("mayfly_swarm_bodies", "gauge", "Bodies that autopilots of others fly.", c.kind[MF_SCENARIO_KIND_BODY]) \
    X("mayfly_swarm_ghosts_lost", "gauge", "Ghosts that are lost at present.", swarm_ghosts_lost(w)) \
    X("mayfly_swarm_ghost_losses_total", "counter", "Times that ghosts were lost.", g.losses) \
    X("mayfly_swarm_ghost_places_total", "counter", "Places of ghosts that were believed.", g.samples) \
    X("mayfly_swarm_ghost_refused_total", "counter", "Places of ghosts that were refused.", g.refused) \
    X("mayfly_swarm_ghost_doubles_total", "counter", "Frames of second senders with a ghost's system.", g.doubles) \
    X("mayfly_swarm_ghost_packets_refused_total", "counter", "Packets of ghosts' radios that were refused.", g.bad_packets) \
    X("mayfly_swarm_ghost_dropped_total", "counter", "Frames that links of ghosts did not take.", g.dropped) \
    X("mayfly_swarm_ghost_latency_seconds", "gauge", "Mean time until a drone answers.", g.latency_mean_s) \
    X("mayfly_swarm_ghost_latency_max_seconds", "gauge", "Longest time until a drone answered.", g.latency_most_s) \
    X("mayfly_swarm_armed", "gauge", "Members that are armed.", c.armed) \
    X("mayfly_swarm_in_air", "gauge", "Members in the air.", c.in_air) \
    X("mayfly_swarm_missions_finished", "gauge", "Vehicles whose mission is complete.", c.finished) \
    X("mayfly_swarm_missions_refused_total", "counter", "Missions that did not begin.", swarm_refused(w)) \
    X("mayfly_swarm_failsafe", "gauge", "Vehicles whose mode a failsafe chose.", c.failsafe) \
    X("mayfly_swarm_breach", "gauge", "Vehicles outside their fence.", c.breach) \
    X("mayfly_swarm_frozen", "gauge", "Vehicles that an assertion has ended.", mf_crowd_frozen(w->members.crowd)) \
    X("mayfly_swarm_steps_total", "counter", "Passes of all vehicles, turns of all agents.", swarm_steps(w)) \
    X("mayfly_swarm_time_seconds", "counter", "Vehicle time.", (double)w->now_us / 1e6) \
    X("mayfly_swarm_wall_seconds", "counter", "Time of the wall since the boot.", (double)f.wall_us / 1e6) \
    X("mayfly_swarm_late_seconds", "gauge", "Worst lateness of a clock that counts with the wall.", swarm_course_of(w)->late_s) \
    X("mayfly_swarm_held", "gauge", "Somebody holds time, or a client does not read.", swarm_api_held(w)) \
    X("mayfly_swarm_silences_total", "counter", "Times that participants were silent for longer than their patience.", swarm_silence_of(w)->count) \
    X("mayfly_swarm_links", "gauge", "Links of vehicles.", l->open) \
    X("mayfly_swarm_observed", "gauge", "Vehicles that have had a client.", l->observed_count) \
    X("mayfly_peers_opened_total", "counter", "Clients that came.", n->opened) \
    X("mayfly_peers_closed_total", "counter", "Clients that went.", n->closed) \
    X("mayfly_peers_turned_away_total", "counter", "Clients for which there was no room.", n->turned_away) \
    X("mayfly_peers_dropped_total", "counter", "Clients that did not take what was sent.", n->dropped_slow) \
    X("mayfly_frames_refused_total", "counter", "Frames for which a client's queue had no room.", n->tx_refused) \
    X("mayfly_received_bytes_total", "counter", "Bytes from clients.", n->rx_bytes) \
    X("mayfly_sent_bytes_total", "counter", "Bytes to clients.", n->tx_bytes) \
    X("mayfly_http_requests_total", "counter", "Requests that were answered.", a->http.stats.requests) \
    X("mayfly_http_refused_total", "counter", "Requests that were malformed, too long or too slow.", a->http.stats.refused) \
    X("process_resident_memory_bytes", "gauge", "Most memory that the process has had.", f.resident_bytes)
/* clang-format on */

/* Write the number of members by kind and mode, for each kind in the scenario. */
static size_t write_modes(const struct counts *c, char *text, size_t cap)
{
    size_t at = (size_t)snprintf(text, cap,
                                 "# HELP mayfly_swarm_members Members by kind and mode.\n"
                                 "# TYPE mayfly_swarm_members gauge\n");
    for (size_t kind = 0; kind < MF_SCENARIO_KINDS; kind++) {
        for (int mode = 0; mode < MF_MODE_COUNT && c->kind[kind] > 0; mode++) {
            at += (size_t)snprintf(
                text + at, cap - at, "mayfly_swarm_members{kind=\"%s\",mode=\"%s\"} %u\n",
                mf_query_words(MF_QUERY_KIND)[kind], mf_mode_info((enum mf_mode)mode)->text,
                (unsigned)c->mode[kind][mode]);
        }
    }
    return at;
}

void swarm_api_get_metrics(struct mf_api_call *call)
{
    const struct swarm_api *a = swarm_api_of(call);
    const struct swarm_links *l = a->l;
    const struct swarm *w = l->w;
    const struct mf_net_stats *n = &l->net.stats;
    const struct counts c = count(w);
    const struct swarm_ghost_figures g = swarm_ghosts_figures(w);
    struct mf_api_figures f;
    swarm_api_figures(swarm_api_of(call), &f);
    const struct {
        const char *name, *type, *help;
        double value;
    } metric[] = {
#define X(name, type, help, value) {name, type, help, (double)(value)},
        METRIC_LIST(X)
#undef X
    };
    char *text = a->http.answer;
    size_t at = 0;
    for (size_t i = 0; i < sizeof metric / sizeof metric[0]; i++) {
        at += (size_t)snprintf(text + at, MF_HTTP_ANSWER_MAX - at,
                               "# HELP %s %s\n# TYPE %s %s\n%s %.15g\n", metric[i].name,
                               metric[i].help, metric[i].name, metric[i].type, metric[i].name,
                               metric[i].value);
    }
    if (swarm_silence_of(w)->who[0] != '\0') {
        at += (size_t)snprintf(text + at, MF_HTTP_ANSWER_MAX - at,
                               "# HELP mayfly_swarm_silent Who is waited for, beyond patience.\n"
                               "# TYPE mayfly_swarm_silent gauge\n"
                               "mayfly_swarm_silent{participant=\"%.60s\"} 1\n",
                               swarm_silence_of(w)->who);
    }
    call->answer->body = text;
    call->answer->len = at + write_modes(&c, text + at, MF_HTTP_ANSWER_MAX - at);
}

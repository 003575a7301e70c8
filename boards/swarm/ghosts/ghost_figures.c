/* SPDX-License-Identifier: Apache-2.0 */
/* Sum the figures of all ghosts and print them; the systems of ghosts
 * list its functions. */
#include "boards/swarm/core/metrics.h"
#include "boards/swarm/ghosts/ghost_internal.h"
#include "boards/swarm/ghosts/ghosts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct figures {
    uint64_t samples, refused, doubles, losses, dropped, bad_packets;
    double latency_mean_s,
        latency_most_s; /* between a question and its answer; 0 without answers */
};

uint32_t swarm_ghosts_count_lost(const struct swarm *w)
{
    const struct swarm_ghosts *g = swarm_ghosts_of(w);
    uint32_t lost = 0;
    for (uint32_t k = 0; g != NULL && k < g->count; k++) {
        const struct ghost *ghost = &g->ghost[k];
        lost += (ghost->steps ? ghost->gone : ghost->track.lost) ? 1u : 0u;
    }
    return lost;
}

static struct figures sum_figures(const struct swarm *w)
{
    const struct swarm_ghosts *g = swarm_ghosts_of(w);
    struct figures f = {0};
    uint32_t answers = 0;
    for (uint32_t k = 0; g != NULL && k < g->count; k++) {
        const struct ghost *ghost = &g->ghost[k];
        f.samples += ghost->track.samples;
        f.refused += ghost->track.refused;
        f.losses += ghost->track.losses;
        f.doubles += ghost->doubles;
        f.bad_packets += ghost->bad_packets;
        f.latency_mean_s += ghost->latency.sum_s;
        f.latency_most_s = fmax(f.latency_most_s, ghost->latency.most_s);
        answers += ghost->latency.count;
    }
    for (uint32_t k = 0; g != NULL && k < g->links; k++) {
        f.dropped += g->link[k].dropped;
    }
    f.latency_mean_s = answers > 0 ? f.latency_mean_s / answers : 0.0;
    return f;
}

void swarm_ghosts_print_summary(const struct swarm *w)
{
    const struct swarm_ghosts *g = swarm_ghosts_of(w);
    if (g == NULL || g->count == 0) {
        return;
    }
    const struct figures f = sum_figures(w);
    (void)printf("ghosts    %u, %u lost, %" PRIu64 " times lost; %" PRIu64 " places, %" PRIu64
                 " refused; %" PRIu64 " frames of doubles, %" PRIu64 " dropped",
                 g->count, swarm_ghosts_count_lost(w), f.losses, f.samples, f.refused, f.doubles,
                 f.dropped);
    if (f.latency_most_s > 0.0) {
        (void)printf("; answers after %.1f ms, %.1f ms at most", f.latency_mean_s * 1e3,
                     f.latency_most_s * 1e3);
    }
    (void)printf("\n");
}

/* clang-format off */
#define METRIC_LIST(X) \
    X(GHOSTS, "mayfly_swarm_ghosts_lost", "gauge", "Ghosts that are lost at present.", swarm_ghosts_count_lost(w)) \
    X(GHOSTS, "mayfly_swarm_ghost_losses_total", "counter", "Times that ghosts were lost.", f.losses) \
    X(GHOSTS, "mayfly_swarm_ghost_places_total", "counter", "Places of ghosts that were accepted.", f.samples) \
    X(GHOSTS, "mayfly_swarm_ghost_refused_total", "counter", "Places of ghosts that were refused.", f.refused) \
    X(GHOSTS, "mayfly_swarm_ghost_doubles_total", "counter", "Frames of second senders with a ghost's system.", f.doubles) \
    X(GHOSTS, "mayfly_swarm_ghost_packets_refused_total", "counter", "Packets of ghosts' radios that were refused.", f.bad_packets) \
    X(GHOSTS, "mayfly_swarm_ghost_dropped_total", "counter", "Frames that links of ghosts dropped.", f.dropped) \
    X(GHOSTS, "mayfly_swarm_ghost_latency_seconds", "gauge", "Mean time until a drone answers.", f.latency_mean_s) \
    X(GHOSTS, "mayfly_swarm_ghost_latency_max_seconds", "gauge", "Longest time until a drone answered.", f.latency_most_s)
/* clang-format on */

static void measure_ghosts(const struct swarm *w, double *value)
{
    const struct figures f = sum_figures(w);
    const double all[] = {METRIC_LIST(SWARM_METRIC_VALUE)};
    memcpy(value, all, sizeof all);
}

static const struct swarm_metric k_metric[] = {METRIC_LIST(SWARM_METRIC_ROW){0}};

const struct swarm_metrics swarm_ghosts_metrics = {k_metric, measure_ghosts, NULL};

/* SPDX-License-Identifier: Apache-2.0 */
/* Sum the figures of all ghosts and print them; ghosts.c, api/api_metrics.c and cells/grid.c call
 * it. */
#include "boards/swarm/ghosts/ghost_own.h"
#include "boards/swarm/ghosts/ghosts.h"

#include <inttypes.h>
#include <math.h>

uint32_t swarm_ghosts_lost(const struct swarm *w)
{
    uint32_t lost = 0;
    for (uint32_t k = 0; swarm_ghosts_of(w) != NULL && k < swarm_ghosts_of(w)->count; k++) {
        const struct ghost *ghost = &swarm_ghosts_of(w)->ghost[k];
        lost += (ghost->steps ? ghost->gone : ghost->track.lost) ? 1u : 0u;
    }
    return lost;
}

struct swarm_ghost_figures swarm_ghosts_figures(const struct swarm *w)
{
    struct swarm_ghost_figures f = {0};
    uint32_t answers = 0;
    for (uint32_t k = 0; swarm_ghosts_of(w) != NULL && k < swarm_ghosts_of(w)->count; k++) {
        const struct ghost *ghost = &swarm_ghosts_of(w)->ghost[k];
        f.samples += ghost->track.samples;
        f.refused += ghost->track.refused;
        f.losses += ghost->track.losses;
        f.doubles += ghost->doubles;
        f.bad_packets += ghost->bad_packets;
        f.latency_mean_s += ghost->latency.sum_s;
        f.latency_most_s = fmax(f.latency_most_s, ghost->latency.most_s);
        answers += ghost->latency.count;
    }
    for (uint32_t k = 0; swarm_ghosts_of(w) != NULL && k < swarm_ghosts_of(w)->links; k++) {
        f.dropped += swarm_ghosts_of(w)->link[k].dropped;
    }
    f.latency_mean_s = answers > 0 ? f.latency_mean_s / answers : 0.0;
    return f;
}

void swarm_ghosts_tell(const struct swarm *w)
{
    if (swarm_ghosts_of(w) == NULL || swarm_ghosts_of(w)->count == 0) {
        return;
    }
    const struct swarm_ghost_figures f = swarm_ghosts_figures(w);
    (void)printf("ghosts    %u, %u lost, %" PRIu64 " times lost; %" PRIu64 " places, %" PRIu64
                 " refused; %" PRIu64 " frames of doubles, %" PRIu64 " dropped",
                 swarm_ghosts_of(w)->count, swarm_ghosts_lost(w), f.losses, f.samples, f.refused,
                 f.doubles, f.dropped);
    if (f.latency_most_s > 0.0) {
        (void)printf("; answers after %.1f ms, %.1f ms at most", f.latency_mean_s * 1e3,
                     f.latency_most_s * 1e3);
    }
    (void)printf("\n");
}

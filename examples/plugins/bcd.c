/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plug-in of mayfly-swarm (docs/plugins.md): boustrophedon over squares that a camera sees at
 * once, as fleet/plan_bcd.c has it for rectangles; a cost, a detection, a behaviour,
 * a scheduler and a formula of trust beside it.
 *
 *     cc -std=c11 -O2 -shared -fPIC -I . examples/plugins/bcd.c -o examples/plugins/bcd.so
 *     build/mayfly-swarm examples/plugins/bcd.yaml
 */
#include "fleet/plugin.h"

#define POINTS_MAX 4096

/* ---- plan */

static const struct mf_plugin_param k_bcd_param[] = {
    {"partial", MF_PLUGIN_BOOL, 0, 0, {.truth = true}, "fly the last row and column, too"},
};

/* How many squares a side has. */
static uint32_t cuts(double length, double edge, bool partial)
{
    uint32_t n = (uint32_t)(length / edge);
    n += n * edge < length ? 1 : 0;
    return partial ? n : n - 1;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static const char *begin(const struct mf_plugin_self *self, const struct mf_plugin_area *area,
                         const struct mf_plugin_paths *paths)
{
    struct mf_plugin_goal goal[POINTS_MAX];
    struct mf_plugin_place low = area->corner[0], high = low;
    for (uint32_t i = 1; i < area->corners; i++) {
        const struct mf_plugin_place *c = &area->corner[i];
        low.east = c->east < low.east ? c->east : low.east;
        low.north = c->north < low.north ? c->north : low.north;
        high.east = c->east > high.east ? c->east : high.east;
        high.north = c->north > high.north ? c->north : high.north;
    }
    const bool partial = self->value[0].truth;
    const double edge = area->edge_m;
    const uint32_t columns = cuts(high.east - low.east, edge, partial);
    const uint32_t rows = cuts(high.north - low.north, edge, partial);
    const uint32_t points = columns * rows, share = (points + area->members - 1) / area->members;
    if (points >= POINTS_MAX) {
        return "has too many squares: fly higher";
    }
    for (uint32_t k = 0; k < points; k++) {
        const uint32_t i = k / rows, j = i % 2 == 1 ? rows - 1 - k % rows : k % rows;
        const double west = low.east + i * edge, south = low.north + j * edge;
        const struct mf_plugin_place middle = {(west + smaller(west + edge, high.east)) / 2,
                                               (south + smaller(south + edge, high.north)) / 2,
                                               area->altitude_m};
        goal[k] = (struct mf_plugin_goal){middle, area->speed_mps};
    }
    for (uint32_t m = 0; m < area->members; m++) {
        const uint32_t from = m * share < points ? m * share : points;
        const uint32_t count = points - from < share ? points - from : share;
        const struct mf_plugin_goal home = {area->station, area->speed_mps};
        paths->go(paths->host, m, MF_PLUGIN_INSTEAD, &goal[from], count);
        paths->go(paths->host, m, MF_PLUGIN_LAST, &home, 1);
    }
    return NULL;
}

static const struct mf_plugin_plan k_bcd = {begin, NULL};

/* ---- cost: so much more than thrust as the scenario says */

static const struct mf_plugin_param k_power_param[] = {
    {"factor", MF_PLUGIN_REAL, 0, 1000, {.real = 1.0}, "of the square of thrust [1/N]"},
};

static double power(const struct mf_plugin_self *self, const struct mf_plugin_motion *m)
{
    const struct mf_plugin_place *t = &m->thrust_n;
    return self->value[0].real * (t->east * t->east + t->north * t->north + t->up * t->up);
}

static const struct mf_plugin_cost k_power = {power};

/* ---- detection: certain within a distance */

static const struct mf_plugin_param k_near_param[] = {
    {"away", MF_PLUGIN_REAL, 0, 1e5, {.real = 10.0}, "from the point below the camera [m]"},
};

static double near(const struct mf_plugin_self *self, const struct mf_plugin_look *look)
{
    return look->sought && look->away_m < self->value[0].real ? 1.0 : 0.0;
}

static const struct mf_plugin_detection k_near = {near};

/* ---- behaviour: takes off, flies a while, lands */

static const struct mf_plugin_param k_hop_param[] = {
    {"turns", MF_PLUGIN_WHOLE, 1, 1e6, {.whole = 50}, "in the air, before it lands"},
    {"height", MF_PLUGIN_REAL, 1, 1000, {.real = 10.0}, "[m]"},
};

struct hop {
    uint64_t flown; /* turns */
    bool asked, steered;
};

static bool hop(const struct mf_plugin_self *self, const struct mf_plugin_member *m,
                const struct mf_plugin_orders *orders)
{
    struct hop *h = self->state;
    const struct mf_plugin_place north = {0.0, 2.0, 0.0};
    const double none[7] = {0};
    if (!h->asked) {
        h->asked = orders->arm(orders->host) && orders->take_off(orders->host, self->value[1].real);
        return true;
    }
    if (!m->known || m->height_m < self->value[1].real - 0.5) {
        return true;
    }
    if (++h->flown > (uint64_t)self->value[0].whole) {
        return !orders->command(orders->host, 21, none); /* MAV_CMD_NAV_LAND */
    }
    orders->fly(orders->host, &north, 0.0);
    h->steered = h->steered || orders->offboard(orders->host);
    return true;
}

static const struct mf_plugin_behaviour k_hop = {.turn = hop};

/* ---- scheduler and trust of a world of cells: the one who is there first; by the score alone */

static uint32_t nearest(const struct mf_plugin_self *self, uint64_t tick,
                        const struct mf_plugin_task *task, const struct mf_plugin_worker *worker,
                        uint32_t workers)
{
    uint32_t best = 0;
    (void)self, (void)tick, (void)task;
    for (uint32_t i = 1; i < workers; i++) {
        best = worker[i].ticks < worker[best].ticks ? i : best;
    }
    return best;
}

static const struct mf_plugin_scheduler k_nearest = {nearest};

static const struct mf_plugin_param k_score_param[] = {
    {"failed", MF_PLUGIN_REAL, 0, 1, {.real = 0.5}, "trust after a task that was not done"},
};

static double score(const struct mf_plugin_self *self, const struct mf_plugin_outcome *o)
{
    if (!o->done) {
        return self->value[0].real;
    }
    return o->estimated < o->actual ? (double)o->estimated / o->actual : 1.0;
}

static const struct mf_plugin_trust k_score = {score};

/* ---- all of it */

static const struct mf_plugin_entry k_entry[] = {
    {.kind = MF_PLUGIN_PLAN,
     .name = "squares",
     .help = "boustrophedon over squares",
     .param = k_bcd_param,
     .params = 1,
     .plan = &k_bcd},
    {.kind = MF_PLUGIN_COST,
     .name = "power",
     .help = "the square of thrust",
     .param = k_power_param,
     .params = 1,
     .cost = &k_power},
    {.kind = MF_PLUGIN_DETECTION,
     .name = "near",
     .help = "certain within a distance",
     .param = k_near_param,
     .params = 1,
     .detection = &k_near},
    {.kind = MF_PLUGIN_BEHAVIOUR,
     .name = "hop",
     .help = "up, north, down",
     .param = k_hop_param,
     .params = 2,
     .state_bytes = sizeof(struct hop),
     .behaviour = &k_hop},
    {.kind = MF_PLUGIN_SCHEDULER,
     .name = "nearest",
     .help = "who is there first",
     .scheduler = &k_nearest},
    {.kind = MF_PLUGIN_TRUST,
     .name = "score",
     .help = "the score of the last task",
     .param = k_score_param,
     .params = 1,
     .trust = &k_score},
};

const struct mf_plugin mf_plugin = {MF_PLUGIN_VERSION, sizeof(struct mf_plugin_entry), "examples",
                                    k_entry, sizeof k_entry / sizeof k_entry[0]};

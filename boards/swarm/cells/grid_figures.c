/* SPDX-License-Identifier: Apache-2.0 */
/* Opens, notes and writes the pictures of a world of cells. Called by boards/swarm/cells/grid. */
#include "boards/swarm/cells/grid_figures.h"

#include <math.h>

static int open_figure(struct swarm *w, const struct mf_scenario_output *o, FILE **file)
{
    *file = o->file[0] != '\0' && w->scenario->outputs.plots ? swarm_open(w, o, 0) : NULL;
    return *file != NULL || w->error[0] == '\0' ? SWARM_OK : SWARM_INPUT;
}

/* Find the goal of the cost map, and the controller whose map counts. */
static int find_costs(struct swarm *w, struct swarm_grid_figures *f, const struct swarm_grid *g)
{
    const struct mf_scenario_outputs *o = &w->scenario->outputs;
    const double *to = o->costs_to;
    if (o->costs.file[0] == '\0') {
        return SWARM_OK;
    }
    for (f->controller = 0; o->costs_controller != UINT32_MAX &&
                            g->controller[f->controller].id != o->costs_controller;
         f->controller++) {
        if (f->controller + 1u == g->s.controller_count) {
            return swarm_refuse(w, o->costs.line, "outputs: costs: no controller has the id %u",
                                (unsigned)o->costs_controller);
        }
    }
    f->goal = g->drone[0].home;
    return isnan(to[0]) ? SWARM_OK
                        : swarm_grid_find_cell(w, g, o->costs.line, "outputs: costs", to, &f->goal);
}

int swarm_grid_figures_open(struct swarm *w, struct swarm_grid_figures *f,
                            const struct swarm_grid *g)
{
    const struct mf_scenario_outputs *o = &w->scenario->outputs;
    int result = open_figure(w, &o->overhead, &f->overhead);
    result = result == SWARM_OK ? open_figure(w, &o->trust, &f->trust) : result;
    result = result == SWARM_OK ? find_costs(w, f, g) : result;
    result = result == SWARM_OK ? open_figure(w, &o->costs, &f->costs) : result;
    return result == SWARM_OK ? swarm_grid_video_open(w, &f->video, g) : result;
}

void swarm_grid_figures_note(const struct swarm *w, struct swarm_grid_figures *f,
                             const struct swarm_grid *g, const struct mf_grid *q)
{
    if (f->overhead != NULL) {
        swarm_grid_picture_note(&f->ways, g, q);
    }
    if (f->trust != NULL) {
        swarm_grid_trust_note(&f->trusts, g, q);
    }
    swarm_grid_video_note(w, &f->video, g, q);
}

void swarm_grid_figures_write(const struct swarm *w, struct swarm_grid_figures *f,
                              const struct swarm_grid *g, struct mf_grid *q)
{
    swarm_grid_figures_note(w, f, g, q);
    if (f->overhead != NULL) {
        swarm_grid_picture_write(&f->ways, w, g, q, f->overhead);
    }
    if (f->trust != NULL) {
        swarm_grid_trust_write(&f->trusts, w, g, q, f->trust);
    }
    if (f->costs != NULL) {
        swarm_grid_costs_write(g, q, f->controller, f->goal, f->costs);
    }
}

bool swarm_grid_figures_close(const struct swarm *w, struct swarm_grid_figures *f)
{
    FILE **const all[] = {&f->overhead, &f->trust, &f->costs};
    bool good = swarm_grid_video_close(w, &f->video);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        good = swarm_close(w, *all[i]) && good;
        *all[i] = NULL;
    }
    swarm_grid_picture_free(&f->ways);
    swarm_grid_trust_free(&f->trusts);
    return good;
}

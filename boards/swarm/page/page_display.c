/* SPDX-License-Identifier: Apache-2.0 */
/* The page as a system: between two pieces of time browsers are served with the frames of the run's
 * kind of world. program/systems.c lists it. */
#include "boards/swarm/page/page_steps.h"
#include "boards/swarm/page/page_world.h"

static const struct swarm_page_ops *ops_of(const struct swarm *w)
{
    return swarm_has_cells(w)  ? &swarm_page_grid_ops
           : swarm_searches(w) ? &swarm_page_search_ops
                               : &swarm_page_world_ops;
}

static void serve_now(struct swarm *w, bool now)
{
    swarm_page_turn(w, ops_of(w), now);
}

static int open_pictures(struct swarm *w)
{
    return swarm_pictures_open(w, ops_of(w)->tell);
}

static bool serve(struct swarm *w)
{
    serve_now(w, false);
    return false;
}

static int end(struct swarm *w)
{
    serve_now(w, true);
    return SWARM_OK;
}

const struct swarm_system swarm_page_system = {
    .name = "page",
    .on = {[SWARM_CONNECT] = swarm_page_open, [SWARM_OPEN] = open_pictures, [SWARM_END] = end},
    .serve = serve,
    .close = swarm_page_close,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* The page as a system: between two pieces of time browsers are served with the frames of the run's
 * kind of world. program/systems.c lists it. */
#include "boards/swarm/page/page_steps.h"
#include "boards/swarm/page/page_world.h"

static const struct swarm_page_ops *page_ops_of(const struct swarm *w)
{
    return swarm_has_cells(w)  ? &swarm_page_grid_ops
           : swarm_searches(w) ? &swarm_page_search_ops
                               : &swarm_page_world_ops;
}

static void serve_now(struct swarm *w, bool now)
{
    swarm_page_poll(w, page_ops_of(w), now);
}

static int open_pictures(struct swarm *w)
{
    return swarm_pictures_open(w, page_ops_of(w)->add_frames);
}

static bool serve_due(struct swarm *w)
{
    serve_now(w, false);
    return false;
}

static int serve_end(struct swarm *w)
{
    serve_now(w, true);
    return SWARM_OK;
}

const struct swarm_system swarm_page_system = {
    .name = "page",
    .on =
        {[SWARM_CONNECT] = swarm_page_open, [SWARM_OPEN] = open_pictures, [SWARM_END] = serve_end},
    .serve = serve_due,
    .close = swarm_page_close,
};

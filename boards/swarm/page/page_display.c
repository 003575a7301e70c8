/* SPDX-License-Identifier: Apache-2.0 */
/* The page as a system, with the frames of the run's kind of world: the page sends them to browsers
 * between two pieces of time, the file of pictures keeps them. */
#include "boards/swarm/output/pictures.h"
#include "boards/swarm/page/page_steps.h"
#include "boards/swarm/page/page_world.h"

static const struct swarm_page_ops *ops_of(const struct swarm *w)
{
    return swarm_has_cells(w)  ? &swarm_page_grid_ops
           : swarm_searches(w) ? &swarm_page_search_ops
                               : &swarm_page_world_ops;
}

static int open_pictures(struct swarm *w)
{
    return swarm_pictures_open(w, ops_of(w)->tell);
}

static bool serve(struct swarm *w)
{
    swarm_page_turn(w, ops_of(w), false);
    return false;
}

static int end(struct swarm *w)
{
    swarm_page_turn(w, ops_of(w), true);
    return SWARM_OK;
}

static void close_all(struct swarm *w, int code)
{
    (void)swarm_pictures_close(w);
    swarm_page_close(w, code);
}

const struct swarm_system swarm_page_system = {
    .name = "page",
    .on = {[SWARM_CONNECT] = swarm_page_open, [SWARM_OPEN] = open_pictures, [SWARM_END] = end},
    .serve = serve,
    .record = swarm_pictures_turn,
    .complete = swarm_pictures_close,
    .close = close_all,
};

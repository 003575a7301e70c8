/* SPDX-License-Identifier: Apache-2.0 */
/* Passes turns of the display (core/display.h) to the page and the file of pictures, with the
 * frames of the run's kind of world. */
#include "boards/swarm/output/pictures.h"
#include "boards/swarm/page/page_steps.h"
#include "boards/swarm/page/page_world.h"

static const struct swarm_page_ops *ops_of(const struct swarm *w)
{
    return swarm_has_cells(w)  ? &swarm_page_grid_ops
           : swarm_searches(w) ? &swarm_page_search_ops
                               : &swarm_page_world_ops;
}

static void serve(struct swarm *w, bool now)
{
    swarm_page_turn(w, ops_of(w), now);
}

static void record(struct swarm *w, mf_us_t at_us)
{
    swarm_pictures_turn(w, at_us, ops_of(w)->tell);
}

const struct swarm_system swarm_display_system = {
    .name = "display", .show = serve, .record = record};

/* SPDX-License-Identifier: Apache-2.0 */
/* Side of a search's squares; in its own file, because boards/swarm needs it without the search.
 * Called by fleet/search and boards/swarm. */
#include "fleet/search.h"
#include "math/trig.h"

double mf_search_edge_m(const struct mf_search_settings *s)
{
    double edge = 0.0;
    for (size_t i = 0; i < s->member_count; i++) {
        const double ahead = 2.0 * s->altitude_m * mf_tan(s->members[i].lateral_rad);
        const double across = 2.0 * s->altitude_m * mf_tan(s->members[i].horizontal_rad);
        const double least = mf_smaller(ahead, across);
        edge = i == 0 ? least : mf_smaller(edge, least);
    }
    return edge;
}

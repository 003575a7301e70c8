/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the routes of the window, whose vehicles the clients of one port see. api.c has them in
 * its table. */
#include "boards/swarm/api/api_internal.h"

#include <math.h>

void swarm_api_get_window(struct mf_api_call *call)
{
    const struct swarm_links *l = swarm_api_of(call)->l;
    mf_json_integer(&call->json, "port", l->w->scenario->links.window.port);
    mf_json_array(&call->json, "vehicles");
    for (uint32_t k = 0; k < l->window_count; k++) {
        mf_json_integer(&call->json, NULL, (int64_t)l->window[k] + 1);
    }
    mf_json_end(&call->json);
}

/* Add the vehicles of a number, or of the name of a member or entity.
 * @return false: the request was refused */
static bool add_named(struct mf_api_call *call, struct mf_json_view item, uint32_t *vehicle,
                      uint32_t *count)
{
    const struct mf_scenario *s = swarm_api_of(call)->l->w->scenario;
    const double number = mf_json_view_number(item);
    char name[SWARM_NAME_MAX];
    uint32_t from = 0, to = 0;
    mf_json_view_text(item, name, sizeof name);
    if (number >= 1.0 && number <= (double)s->members && floor(number) == number) {
        from = (uint32_t)number - 1u;
        to = from + 1u;
    } else if (name[0] == '\0' || !mf_scenario_find(s, name, &from, &to)) {
        mf_api_refuse(call, 422, "vehicles: there is no %.40s; numbers are 1 .. %u",
                      name[0] != '\0' ? name : "such number", (unsigned)s->members);
        return false;
    }
    for (uint32_t i = from; i < to; i++) {
        bool twice = false;
        if (!swarm_is_vehicle(swarm_api_of(call)->l->w, i)) {
            mf_api_refuse(call, 422, "vehicles: no client can speak to agents and ghosts");
            return false;
        }
        for (uint32_t k = 0; k < *count; k++) {
            twice = twice || vehicle[k] == i;
        }
        if (!twice && *count == SWARM_GROUP) {
            mf_api_refuse(call, 422, "vehicles: a window has 250 at most");
            return false;
        }
        if (!twice) {
            vehicle[(*count)++] = i;
        }
    }
    return true;
}

void swarm_api_put_window(struct mf_api_call *call)
{
    struct swarm_links *l = swarm_api_of(call)->l;
    struct mf_json_view root;
    uint32_t vehicle[SWARM_GROUP], count = 0;
    if (!swarm_read_body(call, &root)) {
        return;
    }
    const struct mf_json_view list = mf_json_view_get(root, "vehicles");
    if (mf_json_view_kind(list) != MF_JSON_VIEW_ARRAY) {
        mf_api_refuse(call, 422, "write {\"vehicles\": [1, 7312, \"walker.5\"]}");
        return;
    }
    if (l->w->scenario->links.window.port == 0) {
        mf_api_refuse(call, 409, "the scenario has no links.window");
        return;
    }
    for (struct mf_json_view item = mf_json_view_first(list);
         mf_json_view_kind(item) != MF_JSON_VIEW_MISSING; item = mf_json_view_next(item)) {
        if (!add_named(call, item, vehicle, &count)) {
            return;
        }
    }
    swarm_api_settle_vehicle(swarm_api_of(call));
    swarm_window_set(l, vehicle, count);
    swarm_api_get_window(call);
}

const struct mf_api_field swarm_api_window[] = {
    {"port", "integer", "port of the window; 0: the scenario has none"},
    {"vehicles", "array:integer", "numbers of the vehicles in the window"},
    {NULL, NULL, NULL},
};
const struct mf_api_field swarm_api_window_request[] = {
    {"vehicles", "array:string", "numbers, or names of members and entities; 250 vehicles at most"},
    {NULL, NULL, NULL},
};

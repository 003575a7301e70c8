/* SPDX-License-Identifier: Apache-2.0 */
/* The control API of a world that goes by steps: what there is, commands of step mode, tasks. */
#include "boards/swarm/api/api_internal.h"
#include "boards/swarm/cells/grid_operator.h"
#include "boards/swarm/search/search_operator.h"

#include <stdio.h>
#include <string.h>

static struct swarm_operator *operator_of(const struct mf_api_call *call)
{
    return swarm_api_of(call)->l->w->operator;
}

static void get_world(struct mf_api_call *call)
{
    const struct swarm_operator *o = operator_of(call);
    mf_json_number(&call->json, "time_s", (double)o->w->now_us / 1e6, 6);
    o->world->write(o, &call->json);
}

static void post_console(struct mf_api_call *call)
{
    static const char k_more[] = "\n... and more\n";
    const struct mf_json_member *command = mf_json_find(call->body, "command");
    struct swarm_operator *o = operator_of(call);
    char *shown = swarm_api_of(call)->shown;
    if (command == NULL || strlen(command->text) >= SWARM_LINE_MAX) {
        mf_api_refuse(call, 422, "write {\"command\": \"help\"}, below %u characters",
                      SWARM_LINE_MAX);
        return;
    }
    FILE *to = fmemopen(shown, SWARM_SHOWN_MAX - sizeof k_more, "w");
    if (to == NULL) {
        mf_api_refuse(call, 503, "no memory");
        return;
    }
    memset(shown, 0, SWARM_SHOWN_MAX);
    const char *wrong = swarm_operator_obey(o, command->text, false, to);
    if (fclose(to) != 0) { /* there is more of it than room */
        memcpy(shown + strlen(shown), k_more, sizeof k_more);
    }
    if (wrong != NULL) {
        mf_api_refuse(call, 422, "%s", wrong);
    } else {
        mf_json_text(&call->json, "shown", shown);
    }
}

static void post_task(struct mf_api_call *call)
{
    struct swarm_operator *o = operator_of(call);
    const struct mf_http_text *body = &call->request->body;
    struct mf_json_view root;
    uint32_t number = 0;
    if (!swarm_api_body(call, &root)) {
        return;
    }
    const char *wrong = o->world->task(o, body->at, body->len, &number);
    if (wrong != NULL) {
        mf_api_refuse(call, 422, "%s", wrong);
        return;
    }
    mf_json_integer(&call->json, "task", number);
}

/* ---- the tables */

static const struct mf_api_field k_command[] = {
    {"command", "string!", "as on stdin in step mode: help lists all; none of the shell"},
    {NULL, NULL, NULL},
};
static const struct mf_api_field k_shown[] = {
    {"shown", "string", "what it shows"},
    {NULL, NULL, NULL},
};
/* Keys of a task of the scenario, which are its reader's (fleet/scenario_grid.c). */
const struct mf_api_field swarm_api_task[] = {
    {"goto", "array:number", "to that cell"},
    {"from", "array:number", "first to that cell, then to"},
    {"to", "array:number", "of from and carry"},
    {"carry", "string", "value of the attribute that is fetched, and dropped at to; or a number"},
    {"attr", "string", "of carry; package"},
    {"wait", "number:0..1000000", "so many ticks"},
    {"go_home", "boolean", "to where the drone began"},
    {"grab", "string", "attribute of the cell"},
    {"drop", "string", "what was grabbed"},
    {"assign", "string", "attribute that gets a value for the first time"},
    {"change", "string", "attribute that gets another value"},
    {"value", "string", "of assign and change; or a number"},
    {"do", "array:object", "several of these, in order"},
    {"priority", "string:low|normal|high", "normal"},
    {"deadline", "integer:1..1000000", "ticks from its assignment"},
    {"tracked", "boolean", "its controller looks after it"},
    {"kg", "number:0..1000", "mass of what is carried"},
    {"drone", "string", "only this one, whose controller gets the task"},
    {"needs", "string", "attribute that a sensor of the drone must have"},
    {NULL, NULL, NULL},
};
static const struct mf_api_field k_task[] = {
    {"task", "integer", "its number"},
    {NULL, NULL, NULL},
};

#define WORLD(FIELDS)                                                     \
    {                                                                     \
        "GET",       "/v1/world", MF_API_PROCESS,                         \
        MF_API_JSON, get_world,   "What there is, and where",             \
        NULL,        FIELDS,      NULL},                                  \
    {                                                                     \
        "POST", "/v1/console", MF_API_PROCESS, MF_API_JSON, post_console, \
            "A command of step mode", k_command, k_shown, NULL            \
    }

static const struct mf_api_route k_cells[] = {
    WORLD(swarm_grid_fields),
    {"POST", "/v1/tasks", MF_API_RAW, MF_API_JSON, post_task,
     "A task of an operator, to the controller of its drone or the first one", swarm_api_task,
     k_task, NULL},
};

static const struct mf_api_route k_search[] = {WORLD(swarm_search_fields)};

const struct mf_api_route *swarm_api_world(const struct swarm *w, size_t *count)
{
    const bool cells = w->scenario->grid.size[0] > 0.0;
    *count = cells ? sizeof k_cells / sizeof k_cells[0] : sizeof k_search / sizeof k_search[0];
    return cells ? k_cells : k_search;
}

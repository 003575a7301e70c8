/* SPDX-License-Identifier: Apache-2.0 */
/* Routes of a world that goes by steps: its state, commands of step mode, tasks. The worlds' tables
 * of routes name them. */
#include "boards/swarm/core/routes.h"
#include "boards/swarm/time/operator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX 131072u /* characters that a command shows */

void swarm_operator_get_world(struct mf_api_call *call)
{
    const struct swarm_operator *o = swarm_operator_of(swarm_of_call(call));
    mf_json_number(&call->json, "time_s", (double)o->w->now_us / 1e6, 6);
    o->world->write(o, &call->json);
}

void swarm_operator_post_console(struct mf_api_call *call)
{
    static const char k_more[] = "\n... and more\n";
    const struct mf_json_member *command = mf_json_find(call->body, "command");
    struct swarm_operator *o = swarm_operator_of(swarm_of_call(call));
    if (command == NULL || strlen(command->text) >= SWARM_LINE_MAX) {
        mf_api_refuse(call, 422, "write {\"command\": \"help\"}, below %u characters",
                      SWARM_LINE_MAX);
        return;
    }
    char *shown = calloc(1, SHOWN_MAX);
    FILE *to = shown != NULL ? fmemopen(shown, SHOWN_MAX - sizeof k_more, "w") : NULL;
    if (to == NULL) {
        free(shown);
        mf_api_refuse(call, 503, "no memory");
        return;
    }
    const char *wrong = swarm_operator_obey(o, command->text, false, to);
    if (fclose(to) != 0) { /* the text is longer than the room */
        memcpy(shown + strlen(shown), k_more, sizeof k_more);
    }
    if (wrong != NULL) {
        mf_api_refuse(call, 422, "%s", wrong);
    } else {
        mf_json_text(&call->json, "shown", shown);
    }
    free(shown);
}

void swarm_operator_post_task(struct mf_api_call *call)
{
    struct swarm_operator *o = swarm_operator_of(swarm_of_call(call));
    const struct mf_http_text *body = &call->request->body;
    struct mf_json_view root;
    uint32_t number = 0;
    if (!swarm_read_body(call, &root)) {
        return;
    }
    const char *wrong = o->world->task(o, body->at, body->len, &number);
    if (wrong != NULL) {
        mf_api_refuse(call, 422, "%s", wrong);
        return;
    }
    mf_json_integer(&call->json, "task", number);
}

/* ---- fields */

const struct mf_api_field swarm_operator_line[] = {
    {"command", "string!", "as on stdin in step mode: help lists all; none of the shell"},
    {NULL, NULL, NULL},
};
const struct mf_api_field swarm_operator_shown[] = {
    {"shown", "string", "what it shows"},
    {NULL, NULL, NULL},
};
/* Keys of a task, as fleet/scenario_grid.c reads it in a scenario. */
const struct mf_api_field swarm_operator_task[] = {
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
    {"send", "string", "name of a message to another drone"},
    {"receiver", "string", "of send: member; all other drones"},
    {"await", "string", "stays until a message of this name has come from another drone"},
    {"value", "string", "of assign, change and send, of await: any; or a number"},
    {"do", "array:object", "several of these, in order"},
    {"priority", "string:low|normal|high", "normal"},
    {"deadline", "integer:1..1000000", "ticks from its assignment"},
    {"tracked", "boolean", "its controller looks after it"},
    {"kg", "number:0..1000", "mass of what is carried"},
    {"drone", "string", "only this one, whose controller gets the task"},
    {"needs", "string", "attribute that a sensor of the drone must have"},
    {NULL, NULL, NULL},
};
const struct mf_api_field swarm_operator_tasked[] = {
    {"task", "integer", "its number"},
    {NULL, NULL, NULL},
};

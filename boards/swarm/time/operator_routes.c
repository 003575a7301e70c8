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
    {"command", "string!",
     "command of step mode; help lists all. Commands of the shell are refused"},
    {NULL, NULL, NULL},
};
const struct mf_api_field swarm_operator_shown[] = {
    {"shown", "string", "text that the command prints"},
    {NULL, NULL, NULL},
};
/* Keys of a task, as fleet/scenario_grid.c reads it in a scenario. */
const struct mf_api_field swarm_operator_task[] = {
    {"goto", "array:number", "cell to fly to"},
    {"from", "array:number", "cell at which something is fetched, before to"},
    {"to", "array:number", "cell at which it is dropped"},
    {"carry", "string", "value of the attribute that is fetched and dropped; a text or a number"},
    {"attr", "string", "attribute of carry; package by default"},
    {"wait", "number:0..1000000", "number of ticks to wait"},
    {"go_home", "boolean", "true: fly to the cell of the start"},
    {"grab", "string", "attribute of the cell that is taken"},
    {"drop", "string", "attribute that was grabbed and is dropped"},
    {"assign", "string", "attribute that gets a value for the first time"},
    {"change", "string", "attribute that gets another value"},
    {"send", "string", "name of a message to another drone"},
    {"receiver", "string", "drone that gets the message of send; all other drones by default"},
    {"await", "string", "name of a message from another drone, for which the drone waits"},
    {"value", "string",
     "value for assign, change and send, or that await waits for; a text or a number"},
    {"do", "array:object", "several tasks, in order"},
    {"priority", "string:low|normal|high", "priority of the task; normal by default"},
    {"deadline", "integer:1..1000000", "number of ticks from the assignment to the deadline"},
    {"tracked", "boolean", "true: its controller watches over it"},
    {"kg", "number:0..1000", "mass that is carried [kg]"},
    {"drone", "string", "name of the drone that gets the task; any by default"},
    {"needs", "string", "attribute that a sensor of the drone must have"},
    {NULL, NULL, NULL},
};
const struct mf_api_field swarm_operator_tasked[] = {
    {"task", "integer", "number of the task"},
    {NULL, NULL, NULL},
};

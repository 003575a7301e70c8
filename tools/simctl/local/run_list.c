/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the list of an instance's commands, for the runner (local_run.c): it counts on the types
 * of all members. */
#include "tools/simctl/local/run_list.h"

#include <stdbool.h>

/* True if all members of a list or an object are texts. */
static bool are_texts(const json_t *of)
{
    size_t i;
    const char *name;
    json_t *value;
    bool good = true;
    json_array_foreach(of, i, value)
    {
        good = good && json_is_string(value);
    }
    json_object_foreach((json_t *)of, name, value)
    {
        good = good && json_is_string(value);
    }
    return good;
}

static bool is_command(const json_t *about)
{
    const json_t *command = json_object_get(about, "command"), *env = json_object_get(about, "env");
    const json_t *port = json_object_get(about, "port");
    return json_is_string(json_object_get(about, "name")) && json_is_array(command) &&
           json_array_size(command) > 0 && are_texts(command) &&
           (env == NULL || (json_is_object(env) && are_texts(env))) &&
           (port == NULL || json_is_string(port));
}

_Static_assert(SIMCTL_RUN_COMMANDS == 16 && SIMCTL_RUN_ARGUMENTS == 64, "as the texts say");

const char *simctl_run_list_check(const json_t *list)
{
    size_t i;
    const json_t *about;
    if (!json_is_array(list) || json_array_size(list) == 0) {
        return "is not a list of commands";
    }
    if (json_array_size(list) > SIMCTL_RUN_COMMANDS) {
        return "has more than 16 commands";
    }
    json_array_foreach(list, i, about)
    {
        if (!is_command(about)) {
            return "has a command without its name or texts";
        }
        if (json_array_size(json_object_get(about, "command")) > SIMCTL_RUN_ARGUMENTS) {
            return "has a command of more than 64 words";
        }
    }
    return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The file between the runner of an instance's commands and the controller: "STATE REASON". */
#include "tools/simctl/local/run_state.h"

#include "host/base/output.h"

#include <stdio.h>
#include <string.h>

#define STATE_FILE     "run.state"
#define PATH_MAX_BYTES 4096u

static const char *const k_word[SIMCTL_RUN_STATES] = {
    [SIMCTL_RUN_STARTING] = "starting", [SIMCTL_RUN_READY] = "ready",
    [SIMCTL_RUN_DEGRADED] = "degraded", [SIMCTL_RUN_COMPLETED] = "completed",
    [SIMCTL_RUN_FAILED] = "failed",
};

bool simctl_run_state_write(const char *folder, enum simctl_run_state state, const char *reason)
{
    char path[PATH_MAX_BYTES], text[SIMCTL_REASON_MAX + 16u];
    (void)snprintf(path, sizeof path, "%s/" STATE_FILE, folder);
    (void)snprintf(text, sizeof text, "%s %s", k_word[state], reason);
    return mf_output_replace(path, text);
}

enum simctl_run_state simctl_run_state_read(const char *folder, char *reason)
{
    char path[PATH_MAX_BYTES], text[SIMCTL_REASON_MAX + 16u];
    (void)snprintf(path, sizeof path, "%s/" STATE_FILE, folder);
    FILE *file = fopen(path, "re");
    const size_t n = file != NULL ? fread(text, 1, sizeof text - 1u, file) : 0;
    if (file != NULL) {
        (void)fclose(file);
    }
    text[n] = '\0';
    reason[0] = '\0';
    for (unsigned k = 0; k < SIMCTL_RUN_STATES; k++) {
        const size_t length = strlen(k_word[k]);
        if (strncmp(text, k_word[k], length) == 0 && text[length] == ' ') {
            (void)snprintf(reason, SIMCTL_REASON_MAX, "%s", text + length + 1);
            return (enum simctl_run_state)k;
        }
    }
    return SIMCTL_RUN_STARTING;
}

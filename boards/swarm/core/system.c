/* SPDX-License-Identifier: Apache-2.0 */
/* The run calls functions of all systems through this file. */
#include "boards/swarm/core/system.h"

#include "boards/swarm/core/swarm.h"

#define EACH(w, s)                                      \
    const struct swarm_system *const *s = (w)->systems; \
    *s != NULL;                                         \
    s++

int swarm_systems_do(struct swarm *w, enum swarm_stage stage)
{
    for (EACH(w, s)) {
        const bool left_out = stage == SWARM_CONNECT && w->replay != NULL && !(*s)->in_replay;
        const int result = (*s)->on[stage] == NULL || left_out ? SWARM_OK : (*s)->on[stage](w);
        if (result != SWARM_OK) {
            return result;
        }
    }
    return SWARM_OK;
}

void swarm_systems_changed(struct swarm *w, const struct swarm_change *change)
{
    for (EACH(w, s)) {
        if ((*s)->changed != NULL) {
            (*s)->changed(w, change);
        }
    }
}

bool swarm_systems_failed(const struct swarm *w)
{
    for (EACH(w, s)) {
        if ((*s)->failed != NULL && (*s)->failed(w)) {
            return true;
        }
    }
    return false;
}

void swarm_systems_finish(struct swarm *w, bool goes_on)
{
    for (EACH(w, s)) {
        if ((*s)->finish != NULL) {
            (*s)->finish(w, goes_on);
        }
    }
}

void swarm_systems_tell(const struct swarm *w)
{
    for (EACH(w, s)) {
        if ((*s)->tell != NULL) {
            (*s)->tell(w);
        }
    }
}

int swarm_systems_judge(struct swarm *w, bool goes_on)
{
    int failed = 0;
    bool error = false;
    for (EACH(w, s)) {
        const int result = (*s)->judge != NULL ? (*s)->judge(w, goes_on) : 0;
        error = error || result < 0;
        failed += result;
    }
    return error ? -1 : failed;
}

bool swarm_systems_complete(struct swarm *w)
{
    bool complete = true;
    for (EACH(w, s)) {
        if ((*s)->complete != NULL) {
            complete = (*s)->complete(w) && complete;
        }
    }
    return complete;
}

void swarm_systems_close(struct swarm *w, int code)
{
    const struct swarm_system *const *s = w->systems;
    while (*s != NULL) {
        s++;
    }
    while (s != w->systems) {
        s--;
        if ((*s)->close != NULL) {
            (*s)->close(w, code);
        }
    }
}

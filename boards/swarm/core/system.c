/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a function of all systems in the order of their list. The run loop and program/ call it;
 * members, radio and hosts report changes and arrivals by it. */
#include "boards/swarm/core/system.h"

#include "boards/swarm/core/swarm.h"

#include <math.h>
#include <time.h>

#define EACH(w, s)                                      \
    const struct swarm_system *const *s = (w)->systems; \
    *s != NULL;                                         \
    s++

int swarm_systems_do(struct swarm *w, enum swarm_stage stage)
{
    for (EACH(w, s)) {
        const bool left_out =
            stage == SWARM_CONNECT && w->command->replay != NULL && !(*s)->in_replay;
        const int result = (*s)->on[stage] == NULL || left_out ? SWARM_OK : (*s)->on[stage](w);
        if (result != SWARM_OK) {
            return result;
        }
    }
    return SWARM_OK;
}

void swarm_systems_name_columns(const struct swarm *w, FILE *to)
{
    for (EACH(w, s)) {
        for (const struct swarm_column *c = (*s)->columns; c != NULL && c->names != NULL; c++) {
            (void)fputs(c->is_there(w) ? c->names : "", to);
        }
    }
}

void swarm_systems_write_columns(const struct swarm *w, uint32_t i, FILE *to)
{
    for (EACH(w, s)) {
        for (const struct swarm_column *c = (*s)->columns; c != NULL && c->names != NULL; c++) {
            if (c->is_there(w)) {
                c->write(w, i, to);
            }
        }
    }
}

void swarm_systems_changed(struct swarm *w, const struct swarm_change *change)
{
    for (EACH(w, s)) {
        if ((*s)->changed != NULL) {
            (*s)->changed(w, change);
        }
    }
}

int swarm_systems_describe(struct swarm *w, uint32_t i, struct mf_drone_setup *setup,
                           struct mf_world_settings *world)
{
    int result = MF_E_OK;
    for (EACH(w, s)) {
        if (result == MF_E_OK && (*s)->describe != NULL) {
            result = (*s)->describe(w, i, setup, world);
        }
    }
    return result;
}

int swarm_systems_booted(struct swarm *w, uint32_t i, struct mf_drone *drone)
{
    int result = MF_E_OK;
    for (EACH(w, s)) {
        if (result == MF_E_OK && (*s)->booted != NULL) {
            result = (*s)->booted(w, i, drone);
        }
    }
    return result;
}

/* ---- while time passes */

void swarm_systems_announce_instant(struct swarm *w, mf_us_t at_us)
{
    for (EACH(w, s)) {
        if ((*s)->announce_instant != NULL) {
            (*s)->announce_instant(w, at_us);
        }
    }
}

bool swarm_systems_sync(struct swarm *w, bool pending)
{
    bool again = false;
    for (EACH(w, s)) {
        again = ((*s)->sync != NULL && (*s)->sync(w, pending)) || again;
    }
    return again;
}

mf_us_t swarm_systems_limit_us(struct swarm *w, mf_us_t next_us)
{
    mf_us_t limit_us = MF_NEVER;
    for (EACH(w, s)) {
        if ((*s)->limit_us != NULL) {
            limit_us = mf_earlier(limit_us, (*s)->limit_us(w, next_us));
        }
    }
    return limit_us;
}

mf_us_t swarm_systems_advance_outside(struct swarm *w, mf_us_t to_us)
{
    mf_us_t led_us = to_us;
    for (EACH(w, s)) {
        led_us = led_us == to_us && (*s)->advance_outside != NULL ? (*s)->advance_outside(w, to_us)
                                                                  : led_us;
    }
    return led_us;
}

bool swarm_systems_serve(struct swarm *w)
{
    bool again = false;
    for (EACH(w, s)) {
        again = ((*s)->serve != NULL && (*s)->serve(w)) || again;
    }
    return again;
}

bool swarm_systems_on_standstill(struct swarm *w, bool pending)
{
    bool over = false;
    for (EACH(w, s)) {
        over = ((*s)->on_standstill != NULL && (*s)->on_standstill(w, pending)) || over;
    }
    return over;
}

void swarm_systems_sleep(struct swarm *w, double wait_s)
{
    bool slept = false;
    for (EACH(w, s)) {
        slept = slept || ((*s)->sleep != NULL && (*s)->sleep(w, wait_s));
    }
    if (!slept && wait_s > 0.0) {
        const struct timespec t = {(time_t)wait_s, (long)((wait_s - floor(wait_s)) * 1e9)};
        (void)nanosleep(&t, NULL);
    }
}

bool swarm_systems_have_ended(const struct swarm *w)
{
    for (EACH(w, s)) {
        if ((*s)->is_over != NULL && (*s)->is_over(w)) {
            return true;
        }
    }
    return false;
}

bool swarm_systems_are_done(const struct swarm *w)
{
    for (EACH(w, s)) {
        if ((*s)->is_done != NULL && (*s)->is_done(w)) {
            return true;
        }
    }
    return false;
}

uint32_t swarm_systems_count_watches(const struct swarm *w)
{
    uint32_t count = 0;
    for (EACH(w, s)) {
        count += (*s)->count_watches != NULL ? (*s)->count_watches(w) : 0;
    }
    return count;
}

bool swarm_systems_are_idle(const struct swarm *w)
{
    for (EACH(w, s)) {
        if ((*s)->is_idle != NULL && !(*s)->is_idle(w)) {
            return false;
        }
    }
    return true;
}

uint64_t swarm_systems_digest(const struct swarm *w, uint64_t digest)
{
    for (EACH(w, s)) {
        digest = (*s)->digest != NULL ? (*s)->digest(w, digest) : digest;
    }
    return digest;
}

bool swarm_systems_arrived(struct swarm *w, const struct swarm_arrival *arrival)
{
    for (EACH(w, s)) {
        if ((*s)->arrived != NULL && (*s)->arrived(w, arrival)) {
            return true;
        }
    }
    return false;
}

bool swarm_systems_have_failed(const struct swarm *w)
{
    for (EACH(w, s)) {
        if ((*s)->has_failed != NULL && (*s)->has_failed(w)) {
            return true;
        }
    }
    return false;
}

bool swarm_systems_have_refused(const struct swarm *w)
{
    for (EACH(w, s)) {
        if ((*s)->refuses && (*s)->has_failed(w)) {
            return true;
        }
    }
    return false;
}

void swarm_systems_record(struct swarm *w, mf_us_t at_us)
{
    for (EACH(w, s)) {
        if ((*s)->record != NULL) {
            (*s)->record(w, at_us);
        }
    }
}

void swarm_systems_finish(struct swarm *w, bool goes_on)
{
    for (EACH(w, s)) {
        if ((*s)->finish != NULL) {
            (*s)->finish(w, goes_on);
        }
    }
}

void swarm_systems_print_summary(const struct swarm *w)
{
    for (EACH(w, s)) {
        if ((*s)->print_summary != NULL) {
            (*s)->print_summary(w);
        }
    }
}

bool swarm_systems_print_world_summary(const struct swarm *w, const struct swarm_took *took)
{
    for (EACH(w, s)) {
        if ((*s)->print_world_summary != NULL) {
            (*s)->print_world_summary(w, took);
            return true;
        }
    }
    return false;
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

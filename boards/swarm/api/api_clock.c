/* SPDX-License-Identifier: Apache-2.0 */
/* Serves the routes of the clock. api.c has them in its tables; api_picture.c changes the clock,
 * too. */
#include "boards/swarm/api/api_internal.h"
#include "boards/swarm/members/members.h"
#include "boards/swarm/time/course.h"
#include "boards/swarm/time/hold.h"

#include <string.h>

void swarm_api_get_clock(struct mf_api_call *call)
{
    const struct swarm *w = swarm_api_of(call)->l->w;
    struct mf_api_figures f;
    swarm_api_fill_figures(swarm_api_of(call), &f);
    mf_json_number(&call->json, "time_s", (double)w->now_us / 1e6, 6);
    mf_json_number(&call->json, "wall_s", (double)f.wall_us / 1e6, 6);
    mf_json_text(&call->json, "clock", f.clock);
    mf_json_number(&call->json, "rate", f.rate, 6);
    mf_json_number(&call->json, "late_s", swarm_course_of(w)->late_s, 6);
    mf_json_bool(&call->json, "held", swarm_api_is_held(w));
    mf_json_bool(&call->json, "idle", swarm_is_idle(w));
}

bool swarm_api_change_clock(struct mf_api_call *call, const struct mf_json_member *clock,
                            const struct mf_json_member *rate)
{
    struct swarm *w = swarm_api_of(call)->l->w;
    const bool real = clock != NULL && strcmp(clock->text, "real") == 0;
    const bool fast = clock != NULL && strcmp(clock->text, "fast") == 0;
    const int32_t before = w->scenario->time.clock;
    if (clock != NULL && !real && !fast) {
        mf_api_refuse(call, 422, "clock must be real or fast, not '%.40s'", clock->text);
        return false;
    }
    if (clock != NULL && before == MF_SCENARIO_CLOCK_LOCKSTEP) {
        mf_api_refuse(call, 409, "clock: on lockstep another program lets time pass");
        return false;
    }
    w->scenario->time.clock = real   ? MF_SCENARIO_CLOCK_REAL
                              : fast ? MF_SCENARIO_CLOCK_FAST
                                     : before;
    const int result = rate != NULL ? swarm_hold_rate(w, rate->number) : MF_E_OK;
    if (result != MF_E_OK) {
        w->scenario->time.clock = before;
        mf_api_refuse(call, result == MF_E_RANGE ? 422 : 409, "rate: %s",
                      result == MF_E_RANGE ? "0.01 .. 10000"
                                           : "this clock has none; give \"clock\": \"real\" too");
    }
    return result == MF_E_OK;
}

void swarm_api_post_clock(struct mf_api_call *call)
{
    struct swarm *w = swarm_api_of(call)->l->w;
    const struct mf_json_member *action = mf_json_find(call->body, "action");
    const struct mf_json_member *seconds = mf_json_find(call->body, "seconds");
    const struct mf_json_member *rate = mf_json_find(call->body, "rate");
    const struct mf_json_member *clock = mf_json_find(call->body, "clock");
    const bool runs = action != NULL && strcmp(action->text, "run") == 0;
    const bool holds = action != NULL && strcmp(action->text, "hold") == 0;
    const bool steps = action != NULL && strcmp(action->text, "step") == 0;
    if (action != NULL && !runs && !holds && !steps && strcmp(action->text, "resume") != 0) {
        mf_api_refuse(call, 422, "action must be hold, run, step or resume, not '%.40s'",
                      action->text);
        return;
    }
    if (runs != (seconds != NULL) ||
        (runs && !(seconds->number >= 0.0 && seconds->number <= 1e7))) {
        mf_api_refuse(call, 422, "run, and run alone, needs seconds: 0 .. 1e7");
        return;
    }
    if (!swarm_api_change_clock(call, clock, rate)) {
        return;
    }
    if (runs) {
        swarm_hold_step(w, (mf_us_t)(seconds->number * 1e6));
    } else if (steps) {
        swarm_hold_steps(w, 1);
    } else if (action != NULL) {
        swarm_hold_pause(w, holds);
    }
    swarm_api_get_clock(call);
}

const struct mf_api_field swarm_api_time[] = {
    {"time_s", "number", "vehicle time of all members [s]"},
    {"wall_s", "number", "time of the host since the boot [s]"},
    {"clock", "string", "clock of the run: event, fast or real"},
    {"rate", "number", "clock real: vehicle seconds per second"},
    {"late_s", "number", "largest delay of the host so far [s]"},
    {"held", "boolean",
     "true: time stands, by a barrier, by this API, or for a client that does not read"},
    {"idle", "boolean", "true: nothing will happen without a request"},
    {NULL, NULL, NULL},
};
const struct mf_api_field swarm_api_order[] = {
    {"action", "string:hold|run|step|resume",
     "hold: stop time; run: let it pass for some seconds; step: for a tick of cells, a step of a "
     "search or a second of vehicles; resume: let it pass freely"},
    {"seconds", "number:0..10000000", "run: vehicle time that passes [s]"},
    {"clock", "string:real|fast",
     "clock from now on: with the time of the host, or as fast as possible"},
    {"rate", "number:0.01..10000", "clock real: vehicle seconds per second, from now on"},
    {NULL, NULL, NULL},
};

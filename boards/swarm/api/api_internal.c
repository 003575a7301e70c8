/* SPDX-License-Identifier: Apache-2.0 */
/* Finds members by number or name, and reads figures and bodies, for the handlers in api_*.c. */
#include "boards/swarm/api/api_internal.h"

#include "boards/swarm/time/course.h"
#include "firmware/state/version.h"
#include "hal-posix/clock.h"

#include <stdio.h>
#include <sys/resource.h>

void swarm_api_settle_vehicle(struct swarm_api *a)
{
    if (a->asked) {
        a->asked = false;
        (void)mf_crowd_touch(a->l->w->members.crowd, a->vehicle,
                             swarm_present_us(a->l->w, a->vehicle), NULL, NULL);
    }
}

bool swarm_api_parse_number(const char *text, size_t n, uint32_t most, uint32_t *value)
{
    uint32_t number = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] < '0' || text[i] > '9' || number > most / 10u) {
            return false;
        }
        number = number * 10u + (uint32_t)(text[i] - '0');
    }
    *value = number;
    return n > 0 && number <= most;
}

uint32_t swarm_api_find_member(const struct swarm *w, const char *id, size_t n)
{
    char name[SWARM_NAME_MAX];
    if (n >= sizeof name) {
        return MF_CROWD_MAX;
    }
    (void)snprintf(name, sizeof name, "%.*s", (int)n, id);
    const uint32_t i = mf_query_id(w->scenario, name);
    return i < w->scenario->members ? i : MF_CROWD_MAX;
}

const char *swarm_api_kind_word(const struct swarm *w, uint32_t i)
{
    return mf_query_words(MF_QUERY_KIND)[mf_scenario_entity_of(w->scenario, i)->as];
}

static double achieved_rate(const struct swarm *w)
{
    return w->scenario->time.clock == MF_SCENARIO_CLOCK_REAL ? w->hold.rate : -1.0;
}

static uint64_t resident_bytes(void)
{
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (uint64_t)u.ru_maxrss * 1024u;
}

void swarm_api_fill_figures(void *ctx, struct mf_api_figures *f)
{
    const struct swarm_api *a = ctx;
    const struct swarm *w = a->l->w;
    *f = (struct mf_api_figures){.version = MF_VERSION,
                                 .clock = mf_scenario_clock_words[w->scenario->time.clock],
                                 .rate = w->hold.rate,
                                 .achieved_rate = achieved_rate(w),
                                 .late_us = (mf_us_t)(swarm_course_of(w)->late_s * 1e6),
                                 .wall_us = a->l->wall_us - a->l->begun_us,
                                 .utc_us = mf_utc_us(),
                                 .resident_bytes = resident_bytes()};
}

bool swarm_api_is_held(const struct swarm *w)
{
    return mf_earlier(swarm_links_limit_us(w), w->hold.at_us) <= w->now_us;
}

void swarm_api_get_document(struct mf_api_call *call)
{
    const struct mf_api_server *server = &swarm_api_of(call)->server;
    call->answer->len = mf_api_write_document(server->routes, server->route_count,
                                              server->http->answer, MF_HTTP_ANSWER_MAX);
    call->answer->body = server->http->answer;
}

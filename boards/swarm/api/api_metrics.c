/* SPDX-License-Identifier: Apache-2.0 */
/* Serves figures for Prometheus, those of the API and those of all systems. api.c has the route in
 * its table. */
#include "boards/swarm/api/api_internal.h"
#include "boards/swarm/time/course.h"

#include <string.h>

/* clang-format off */
#define METRIC_LIST(X) \
    X(TIME, "mayfly_swarm_time_seconds", "counter", "Vehicle time.", (double)w->now_us / 1e6) \
    X(TIME, "mayfly_swarm_wall_seconds", "counter", "Time of the wall since the boot.", (double)f.wall_us / 1e6) \
    X(TIME, "mayfly_swarm_late_seconds", "gauge", "Worst lateness of a clock that counts with the wall.", swarm_course_of(w)->late_s) \
    X(TIME, "mayfly_swarm_held", "gauge", "1: a controller holds time, or a client does not read.", swarm_api_is_held(w)) \
    X(SERVER, "mayfly_http_requests_total", "counter", "Requests that were answered.", a->http.stats.requests) \
    X(SERVER, "mayfly_http_refused_total", "counter", "Requests that were malformed, too long or too slow.", a->http.stats.refused) \
    X(SERVER, "process_resident_memory_bytes", "gauge", "Most memory that the process has had.", f.resident_bytes)
/* clang-format on */

static void measure_api(const struct swarm *w, double *value)
{
    struct swarm_api *a = swarm_links_of(w)->service_state;
    struct mf_api_figures f;
    swarm_api_fill_figures(a, &f);
    const double all[] = {METRIC_LIST(SWARM_METRIC_VALUE)};
    memcpy(value, all, sizeof all);
}

static const struct swarm_metric k_metric[] = {METRIC_LIST(SWARM_METRIC_ROW){0}};

const struct swarm_metrics swarm_api_metrics = {k_metric, measure_api, NULL};

void swarm_api_get_metrics(struct mf_api_call *call)
{
    struct swarm_api *a = swarm_api_of(call);
    call->answer->body = a->http.answer;
    call->answer->len = swarm_metrics_write(a->l->w, a->http.answer, MF_HTTP_ANSWER_MAX);
}

/* SPDX-License-Identifier: Apache-2.0 */
/** The controller's counters, in the text format of Prometheus. */
#ifndef MF_SIMCTL_METRICS_H
#define MF_SIMCTL_METRICS_H

#include "tools/simctl/api/call.h"

/** @brief GET /metrics. Instances of all tenants by tenant, template and state, without their ids.
 *  The number of series is limited, whatever names templates have had. */
void simctl_api_metrics(struct simctl_call *c);

/** @brief Count an instance that a caller created, or ended. */
void simctl_count_created(const char *tenant, const char *template_name);
void simctl_count_ended(const char *tenant, const char *template_name);

/** @brief A request was answered. @param create  it was one for instances
 *  @param took_us  until its answer was there */
void simctl_count_request(unsigned status, bool create, int64_t took_us);

#endif

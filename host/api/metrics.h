/* SPDX-License-Identifier: Apache-2.0 */
/** Metrics of a drone in the text format of Prometheus 0.0.4, from one table (docs/api.md). */
#ifndef MF_HOST_API_METRICS_H
#define MF_HOST_API_METRICS_H

#include "host/api/api.h"

/** @brief Write all metrics. @param text  out [cap] @return the length; 0: longer than @p cap */
size_t mf_metrics_write(struct mf_api *api, char *text, size_t cap);

#endif

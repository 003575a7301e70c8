/* SPDX-License-Identifier: Apache-2.0 */
/** Pods of templates, checked against the schema of Kubernetes' API without a cluster. */
#ifndef MF_SIMCTL_POD_H
#define MF_SIMCTL_POD_H

#include "tools/web/error.h"

#include <jansson.h>

/** @brief Check the keys of a pod, and the types of what they hold.
 *  @param path  of the pod, for errors: "acme: pod"  @param pod  object: metadata, spec
 *  @return false: @p error names the path of the key, what Kubernetes has there, and for a key of a
 *          compose file the key of Kubernetes that does the same */
bool simctl_pod_check(const char *path, const json_t *pod, struct web_error *error);

#endif

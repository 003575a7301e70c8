/* SPDX-License-Identifier: Apache-2.0 */
/** A caller's labels of an instance, which become labels of its objects on Kubernetes. */
#ifndef MF_SIMCTL_LABEL_H
#define MF_SIMCTL_LABEL_H

#include "tools/web/error.h"

#include <jansson.h>
#include <stdbool.h>

/** Characters of a label's name, its prefix included, and of its text, at most. */
#define SIMCTL_LABEL_CHARACTERS 63u

/**
 * @brief Check that each label has the syntax of Kubernetes, and that its name is not reserved for
 *        the controller (mayfly.dev) or the control plane (kubernetes.io, k8s.io, job-name).
 * @param labels  object; NULL: an empty one
 * @param error   422 "labels", with the name of the label
 */
bool simctl_labels_check(const json_t *labels, struct web_error *error);

#endif

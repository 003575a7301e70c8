/* SPDX-License-Identifier: Apache-2.0 */
/** TokenReview: the cluster names the account of a ServiceAccount's token. */
#ifndef MF_SIMCTL_KUBE_REVIEW_H
#define MF_SIMCTL_KUBE_REVIEW_H

#include "tools/simctl/base/tenant.h"
#include "tools/simctl/kube/kube_client.h"

/** @brief Ask the cluster; a simctl_review. @param ctx  struct simctl_kube */
bool simctl_kube_review(void *ctx, const char *token, char *account, struct web_error *error);

/** @brief Read the verdict of a TokenReview; pure. */
bool simctl_kube_reviewed(const json_t *answer, char *account, struct web_error *error);

#endif

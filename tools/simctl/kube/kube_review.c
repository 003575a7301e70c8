/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/kube/kube_review.h"

#include "tools/simctl/base/shape.h"

#include <stdio.h>
#include <string.h>

#define USER "system:serviceaccount:"

bool simctl_kube_reviewed(const json_t *answer, char *account, struct web_error *error)
{
    const json_t *status = json_object_get(answer, "status");
    const char *user = simctl_shape_text(json_object_get(status, "user"), "username", "");
    if (!json_is_true(json_object_get(status, "authenticated"))) {
        return web_refuse(error, 401, "token",
                          "the token has expired, is revoked or is for another audience; "
                          "kubectl create token NAME --audience " SIMCTL_AUDIENCE " makes one");
    }
    if (strncmp(user, USER, sizeof USER - 1) != 0 ||
        strlen(user) - (sizeof USER - 1) >= SIMCTL_CALLER_MAX) {
        return web_refuse(error, 401, "token", "%.100s is not a ServiceAccount", user);
    }
    (void)snprintf(account, SIMCTL_CALLER_MAX, "%s", user + sizeof USER - 1);
    return true;
}

bool simctl_kube_review(void *ctx, const char *token, char *account, struct web_error *error)
{
    json_t *answer = NULL;
    json_t *asked =
        json_pack("{s:s, s:s, s:{s:s, s:[s]}}", "apiVersion", "authentication.k8s.io/v1", "kind",
                  "TokenReview", "spec", "token", token, "audiences", SIMCTL_AUDIENCE);
    const bool good =
        asked == NULL /* not UTF-8 */
            ? web_refuse(error, 401, "token", "this token is not one of Kubernetes")
            : simctl_kube_call(ctx, "POST", "/apis/authentication.k8s.io/v1/tokenreviews", asked,
                               &answer, error) &&
                  simctl_kube_reviewed(answer, account, error);
    json_decref(asked);
    json_decref(answer);
    return good;
}

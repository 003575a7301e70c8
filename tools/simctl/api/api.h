/* SPDX-License-Identifier: Apache-2.0 */
/** The controller's API (docs/controller.md): HTTP requests to calls of a backend. */
#ifndef MF_SIMCTL_API_H
#define MF_SIMCTL_API_H

#include "tools/simctl/api/shares.h"
#include "tools/simctl/base/backend.h"
#include "tools/simctl/base/drone_token.h"
#include "tools/simctl/base/shelf.h"
#include "tools/simctl/base/tenant.h"
#include "tools/web/web.h"

#include <stdatomic.h>
#include <stdio.h>

/** Bytes of a request's body. */
#define SIMCTL_BODY_MAX (256u << 10)
/** Instances of one request. */
#define SIMCTL_COUNT_MAX 500

struct simctl_api {
    struct simctl_shelf *templates;
    struct simctl_backend backend;
    const char *backend_name; /**< "local" or "kubernetes" */
    struct simctl_tenants *tenants;
    const struct simctl_key
        *drone_key;               /**< key of the drones' tokens; NULL: drones need no token */
    struct simctl_shares *shares; /**< NULL: any number of requests at once */
    FILE *audit;                  /**< a line for each change; NULL: none */
    atomic_bool stopping;         /**< connections that end now end no instances */
};

/** @brief Answer a request. @param ctx  struct simctl_api */
void simctl_api_handle(void *ctx, const struct web_request *request, struct web_answer *answer);

/** @brief End no more instances of connections that have ended: the backend is about to go. Called
 *  once, after `stopping` is set. */
void simctl_api_holds_stop(void);

/** @brief Shape of an error: {"error": text, "code": word}. */
void simctl_api_refuse(void *ctx, unsigned status, const char *code, const char *text,
                       struct web_answer *answer);

#endif

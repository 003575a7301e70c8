/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tenants: each has bearer tokens and ServiceAccounts that act for it, and the namespace of its
 * instances.
 *
 *     tenants:
 *       flight:
 *         namespace: mayfly-flight
 *         tokens: {ci: "sha256:9f86d0..."}     # by the name of the caller; simctl token makes them
 *         accounts: ["ci:runner", "dev:*"]     # NAMESPACE:NAME of ServiceAccounts
 *     images: {localhost/mayfly: "registry.example/mayfly:1.0"}
 *
 * Without a configuration the only tenant is "default", and all programs of this machine act for
 * it.
 */
#ifndef MF_SIMCTL_TENANT_H
#define MF_SIMCTL_TENANT_H

#include "tools/simctl/base/template.h"
#include "tools/web/error.h"

#include <jansson.h>
#include <stdint.h>

/** Name of the tenant where none are configured. */
#define SIMCTL_TENANT "default"
/** Audience of the ServiceAccount tokens that are accepted. */
#define SIMCTL_AUDIENCE    "mayfly"
#define SIMCTL_TENANTS_MAX 32u
#define SIMCTL_CALLER_MAX  160u

/** The sender of a request. */
struct simctl_who {
    char tenant[SIMCTL_NAME_MAX];
    char caller[SIMCTL_CALLER_MAX]; /**< name of the token, or "NAMESPACE:NAME" of a ServiceAccount
                                     */
};

struct simctl_tenants;

/**
 * Ask the cluster for the ServiceAccount of a token. @param account  out [SIMCTL_CALLER_MAX]:
 * "NAMESPACE:NAME"  @return false: 401, the token is unknown or has expired
 */
typedef bool simctl_review(void *ctx, const char *token, char *account, struct web_error *error);

/** @brief Read a configuration. @return NULL: @p error says what is wrong, and where */
struct simctl_tenants *simctl_tenants_load(const char *path, struct web_error *error);

/** @brief Make the configuration of a single tenant, served to this machine alone. */
struct simctl_tenants *simctl_tenants_default(void);

void simctl_tenants_free(struct simctl_tenants *t);

/** @brief Let the cluster say whose the tokens are that no tenant names. @param review  kept */
void simctl_tenants_review(struct simctl_tenants *t, simctl_review *review, void *ctx);

/** @brief The n-th tenant. @param name_space  out: "" where none is configured
 *  @return its name; NULL: there are no more */
const char *simctl_tenants_name(const struct simctl_tenants *t, unsigned n,
                                const char **name_space);

/** @brief Images of a cluster that take the places of a template's, by the names that stand there.
 *  @return object of texts; NULL: none is configured */
const json_t *simctl_tenants_images(const struct simctl_tenants *t);

/**
 * @brief Identify the sender of a request. @param authorization  its header; NULL: none  @param
 * local  true: the request was sent from this machine  @return false: 401 or 403, and what to do
 */
bool simctl_tenants_who(struct simctl_tenants *t, const char *authorization, bool local,
                        struct simctl_who *who, struct web_error *error);

/** @brief "sha256:" and the hash of a token. @param text  out [SIMCTL_HASH_TEXT] */
#define SIMCTL_HASH_TEXT 72u
void simctl_token_hash(const char *token, char *text);

/** @brief A new token. @param token  out [SIMCTL_NEW_TOKEN] */
#define SIMCTL_NEW_TOKEN 48u
void simctl_token_make(char *token);

/** @brief True without a configuration: requests need no token. */
bool simctl_tenants_open(const struct simctl_tenants *t);

#endif

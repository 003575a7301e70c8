/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Requests that are answered at once, by tenant: a tenant whose requests take all of its places
 * keeps no other tenant waiting, no probe and no end. Several threads may use them at once.
 */
#ifndef MF_SIMCTL_SHARES_H
#define MF_SIMCTL_SHARES_H

#include "tools/simctl/base/tenant.h"

#include <stdatomic.h>

/** Kinds of requests. */
enum simctl_share_kind {
    SIMCTL_SHARE_REQUESTS, /**< of a tenant, except its ends */
    SIMCTL_SHARE_ENDS,     /**< of a tenant: DELETE */
    SIMCTL_SHARE_KINDS
};

struct simctl_shares {
    unsigned places;                   /**< of the server */
    unsigned most[SIMCTL_SHARE_KINDS]; /**< at once, of each tenant */
    unsigned strangers;                /**< at once, without a token, except probes */
    unsigned tenants;
    char name[SIMCTL_TENANTS_MAX][SIMCTL_NAME_MAX];
    atomic_uint used[SIMCTL_TENANTS_MAX][SIMCTL_SHARE_KINDS];
    atomic_uint used_strangers;
};

/** @brief Share out the places of a server: an eighth, 64 to 128 of them where there are 512 or
 *  more, is for ends, for requests without a token and for probes; each tenant gets its part of the
 *  others. @param s  all zero  @param places  64 or more */
void simctl_shares_init(struct simctl_shares *s, unsigned places, const struct simctl_tenants *t);

/**
 * @brief Take a place. @param tenant  NULL: the request has no token
 * @return the caller passes it to simctl_shares_leave(); NULL: 503 "places"
 */
void *simctl_shares_enter(struct simctl_shares *s, const char *tenant, enum simctl_share_kind kind,
                          struct web_error *error);

/** @brief Give a place back. @param place  of simctl_shares_enter() */
void simctl_shares_leave(void *place);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of requests that are being answered. Used by routes.c. */
#include "tools/simctl/api/shares.h"

#include <stdio.h>
#include <string.h>

#define RESERVED_MOST 128u
#define ENDS_LEAST    2u

static unsigned at_least(unsigned least, unsigned number)
{
    return number > least ? number : least;
}

void simctl_shares_init(struct simctl_shares *s, unsigned places, const struct simctl_tenants *t)
{
    const char *name, *ignored;
    const unsigned eighth = places / 8u;
    const unsigned reserved = eighth < RESERVED_MOST ? eighth : RESERVED_MOST;
    s->places = places;
    for (; (name = simctl_tenants_name(t, s->tenants, &ignored)) != NULL; s->tenants++) {
        (void)snprintf(s->name[s->tenants], SIMCTL_NAME_MAX, "%s", name);
    }
    const unsigned tenants = at_least(1u, s->tenants);
    s->most[SIMCTL_SHARE_REQUESTS] = at_least(1u, (places - reserved) / tenants);
    s->most[SIMCTL_SHARE_ENDS] = at_least(ENDS_LEAST, reserved / 2u / tenants);
    s->strangers = at_least(1u, reserved / 4u);
}

static void *take_place(atomic_uint *used, unsigned most)
{
    if (atomic_fetch_add(used, 1u) < most) {
        return used;
    }
    (void)atomic_fetch_sub(used, 1u);
    return NULL;
}

void *simctl_shares_enter(struct simctl_shares *s, const char *tenant, enum simctl_share_kind kind,
                          struct web_error *error)
{
    unsigned n = 0, most = s->strangers;
    atomic_uint *used = &s->used_strangers;
    while (tenant != NULL && n < s->tenants && strcmp(s->name[n], tenant) != 0) {
        n++;
    }
    if (tenant != NULL && n < s->tenants) {
        used = &s->used[n][kind];
        most = s->most[kind];
    }
    void *place = take_place(used, most);
    if (place == NULL) {
        (void)web_refuse(error, 503, "places", "%u %s%.63s are being answered, which is the limit",
                         most,
                         tenant == NULL              ? "requests without a token"
                         : kind == SIMCTL_SHARE_ENDS ? "requests to end, of tenant "
                                                     : "requests of tenant ",
                         tenant != NULL ? tenant : "");
    }
    return place;
}

void simctl_shares_leave(void *place)
{
    (void)atomic_fetch_sub((atomic_uint *)place, 1u);
}

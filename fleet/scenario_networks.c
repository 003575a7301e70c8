/* SPDX-License-Identifier: Apache-2.0 */
/* Networks of a scenario: members, flows, checks. Called by fleet/scenario, and
 * boards/swarm/network and network_outside. */
#include "fleet/scenario_networks.h"

#include <string.h>

/* ---- members of a network */

bool mf_scenario_is_on(const struct mf_scenario *s, uint32_t k, uint32_t member)
{
    MF_ASSERT(k < s->networks);
    return mf_scenario_is_chosen(s, &s->network[k].nodes, member, true);
}

uint32_t mf_scenario_network_of(const struct mf_scenario *s, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < s->networks; k++) {
        if (mf_scenario_is_on(s, k, a) && mf_scenario_is_on(s, k, b)) {
            return k;
        }
    }
    return MF_SCENARIO_NETWORK_NONE;
}

const struct mf_scenario_network *mf_scenario_network_outside(const struct mf_scenario *s)
{
    for (uint32_t k = 0; k < s->networks; k++) {
        if (s->network[k].kind != MF_NETWORK_BUILTIN) {
            return &s->network[k];
        }
    }
    return NULL;
}

/* ---- checks */

static bool is_word(const char *name)
{
    static const char k_good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return name[0] != '\0' && name[strspn(name, k_good)] == '\0';
}

/* Find a network by its name. @return its number; MF_SCENARIO_NETWORK_NONE: unknown */
static uint32_t find(const struct mf_scenario *s, const char *name)
{
    for (uint32_t k = 0; k < s->networks; k++) {
        if (strcmp(s->network[k].name, name) == 0) {
            return k;
        }
    }
    return MF_SCENARIO_NETWORK_NONE;
}

static bool check_names(struct mf_reading *r, const struct mf_scenario *s, uint32_t k)
{
    const struct mf_scenario_network *n = &s->network[k];
    uint32_t from, to;
    if (n->name[0] == '\0' && s->networks > 1) {
        return mf_reading_refuse(r, n->line, "network.%u: one of several needs a name",
                                 (unsigned)k);
    }
    if (n->name[0] != '\0' && !is_word(n->name)) {
        return mf_reading_refuse(
            r, n->line, "network: a name has letters, digits and _ alone, unlike '%s'", n->name);
    }
    if (find(s, n->name) != k) {
        return mf_reading_refuse(r, n->line, "network: two are called '%s'", n->name);
    }
    for (uint32_t i = 0; i < n->nodes.count; i++) {
        if (!mf_scenario_find(s, n->nodes.name[i], &from, &to)) {
            return mf_reading_refuse(r, n->nodes.line,
                                     "network.nodes: no entity or member is called '%s'",
                                     n->nodes.name[i]);
        }
    }
    return true;
}

/* Has the file set a value that differs from the first network's? */
static bool is_other(double value, double first, double otherwise)
{
    return (value < otherwise || value > otherwise) && (value < first || value > first);
}

/* Check a network of the external simulator: one simulator carries all of these, with the same
 * settings. */
static bool check_outside(struct mf_reading *r, struct mf_scenario_network *n,
                          const struct mf_scenario_network *first)
{
    if (n->kind == MF_NETWORK_BUILTIN || first == NULL || n == first) {
        return true;
    }
    if (n->kind == MF_NETWORK_BUS || first->kind == MF_NETWORK_BUS) {
        return mf_reading_refuse(r, n->line,
                                 "network: kind bus stands beside builtin alone: one simulator "
                                 "outside takes part");
    }
    const bool other = (n->run[0] != '\0' && strcmp(n->run, first->run) != 0) ||
                       is_other(n->tick_s, first->tick_s, MF_NETWORK_TICK_S) ||
                       is_other(n->patience_s, first->patience_s, MF_NETWORK_PATIENCE_S);
    return !other || mf_reading_refuse(r, n->line,
                                       "network: one bridge simulates all networks of ns3: '%s' "
                                       "has another run, tick or patience than '%s'",
                                       n->name, first->name);
}

/* Check that every sender is on a network. */
static bool check_senders(struct mf_reading *r, const struct mf_scenario *s)
{
    uint32_t member, end;
    for (uint32_t i = 0; i < s->processes; i++) {
        const struct mf_scenario_process *p = &s->process[i];
        if (p->node[0] != '\0' && mf_scenario_find(s, p->node, &member, &end) &&
            mf_scenario_network_of(s, member, member) == MF_SCENARIO_NETWORK_NONE) {
            return mf_reading_refuse(r, p->line, "processes: node: '%s' is on no network", p->node);
        }
    }
    for (uint32_t i = 0; i < s->entities; i++) {
        const struct mf_scenario_entity *e = &s->entity[i];
        for (uint32_t m = e->first; e->send.every_s > 0.0 && m < e->first + e->count; m++) {
            if (mf_scenario_network_of(s, m, m) == MF_SCENARIO_NETWORK_NONE) {
                char name[MF_SCENARIO_NAME_MAX + 12];
                mf_scenario_member_name(s, m, name);
                return mf_reading_refuse(r, e->send.line,
                                         "%s: send: it is on no network: see network.nodes", name);
            }
        }
    }
    return true;
}

/* ---- flows */

static bool find_end(struct mf_reading *r, const struct mf_scenario *s,
                     const struct mf_scenario_flow *f, const char *name, uint32_t *member)
{
    uint32_t end;
    if (!mf_scenario_find(s, name, member, &end) || end != *member + 1u) {
        return mf_reading_refuse(r, f->line, "flows: '%s' is not the name of one member", name);
    }
    return mf_scenario_network_of(s, *member, *member) != MF_SCENARIO_NETWORK_NONE ||
           mf_reading_refuse(r, f->line, "flows: '%s' is on no network", name);
}

/* Find network and members of a flow. @param own  network in which the file has the flow;
 * MF_SCENARIO_NETWORK_NONE: outside all networks */
static bool settle_flow(struct mf_reading *r, const struct mf_scenario *s,
                        struct mf_scenario_flow *f, uint32_t own)
{
    if (!find_end(r, s, f, f->station, &f->from) || !find_end(r, s, f, f->vehicle, &f->to)) {
        return false;
    }
    if (f->over[0] != '\0') {
        f->network = find(s, f->over);
        if (f->network == MF_SCENARIO_NETWORK_NONE) {
            return mf_reading_refuse(r, f->line, "flows: no network is called '%s'", f->over);
        }
    } else {
        f->network =
            own != MF_SCENARIO_NETWORK_NONE ? own : mf_scenario_network_of(s, f->from, f->to);
        if (f->network == MF_SCENARIO_NETWORK_NONE) {
            return mf_reading_refuse(r, f->line, "flows: no network has both '%s' and '%s'",
                                     f->station, f->vehicle);
        }
    }
    const bool from = mf_scenario_is_on(s, f->network, f->from);
    return (from && mf_scenario_is_on(s, f->network, f->to)) ||
           mf_reading_refuse(r, f->line, "flows: '%s' is not on the network '%s'",
                             from ? f->vehicle : f->station, s->network[f->network].name);
}

/* Append the flows of each network to those outside all networks, which stand first.
 * @param outside  out: number of those outside all networks */
static bool join_flows(struct mf_reading *r, struct mf_scenario *s, uint32_t *outside)
{
    size_t count = s->flows;
    for (uint32_t k = 0; k < s->networks; k++) {
        count += s->network[k].flows;
        if (count > MF_SCENARIO_FLOWS_MAX) {
            return mf_reading_refuse(r, s->network[k].line, "flows: there are more than %u",
                                     MF_SCENARIO_FLOWS_MAX);
        }
    }
    struct mf_scenario_flow *all = mf_reading_array(r, 1, count, sizeof *all);
    if (all == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < s->flows; i++) {
        all[i] = s->flow[i];
    }
    *outside = s->flows;
    s->flow = all;
    for (uint32_t k = 0; k < s->networks; k++) {
        for (uint32_t i = 0; i < s->network[k].flows; i++) {
            all[s->flows++] = s->network[k].flow[i];
        }
    }
    return true;
}

/* Settle the flows in the order of the file. */
static bool settle_flows(struct mf_reading *r, struct mf_scenario *s)
{
    uint32_t outside = 0, at = 0;
    if (!join_flows(r, s, &outside)) {
        return false;
    }
    for (; at < outside; at++) {
        if (!settle_flow(r, s, &s->flow[at], MF_SCENARIO_NETWORK_NONE)) {
            return false;
        }
    }
    for (uint32_t k = 0; k < s->networks; k++) {
        for (uint32_t i = 0; i < s->network[k].flows; i++) {
            if (!settle_flow(r, s, &s->flow[at++], k)) {
                return false;
            }
        }
    }
    return true;
}

/* Add the network that a scenario has without naming one. */
static bool add_network(struct mf_reading *r, struct mf_scenario *s)
{
    s->network = mf_reading_array(r, 1, 1, sizeof *s->network);
    if (s->network == NULL) {
        return false;
    }
    mf_scenario_network_defaults(s->network);
    s->networks = 1;
    return true;
}

bool mf_scenario_networks_settle(struct mf_reading *r, struct mf_scenario *s)
{
    if (s->network == NULL && !add_network(r, s)) {
        return false;
    }
    if (s->networks == 0) {
        return mf_reading_refuse(r, 1, "network: the list is empty");
    }
    const struct mf_scenario_network *outside = mf_scenario_network_outside(s);
    for (uint32_t k = 0; k < s->networks; k++) {
        if (!check_names(r, s, k) || !check_outside(r, &s->network[k], outside)) {
            return false;
        }
    }
    return check_senders(r, s) && settle_flows(r, s);
}

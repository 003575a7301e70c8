/* SPDX-License-Identifier: Apache-2.0 */
/* Table of the rules of misbehaviour. Called by drone/misbehave_act, host/spec and host/api. */
#include "drone/misbehave_rule.h"

static const struct mf_rule_info k_info[MF_RULE_COUNT] = {
#define X(name, spelling, selector, value, by_default, times, effect) \
    [MF_RULE_##                                                       \
        name] = {spelling, MF_SELECTOR_##selector, MF_VALUE_##value, by_default, times, effect},
    MF_RULE_LIST(X)
#undef X
};

const struct mf_rule_info *mf_rule_info(enum mf_rule_kind kind)
{
    MF_ASSERT(kind < MF_RULE_COUNT);
    return &k_info[kind];
}

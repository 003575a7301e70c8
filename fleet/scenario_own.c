/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of an entry of a plug-in. Used by the tables of fleet/ whose keys can name one. */
#include "fleet/scenario_own.h"

#include "fleet/key_forms.h"

#include <stdio.h>
#include <string.h>

static const struct mf_key k_own[] = {MF_SCENARIO_OWN_KEYS(0)};
const struct mf_keys mf_scenario_own_keys = {k_own, COUNT_OF(k_own), "name",
                                             offsetof(struct mf_scenario_own, line)};

static bool read_own_value(struct mf_reading *r, const char *name, int line,
                           const struct mf_node *value, void *ctx)
{
    struct mf_scenario_own *own = ctx;
    char text[MF_KEYS_TEXT_MAX];
    uint32_t i = 0;
    while (i < own->params && strcmp(own->param[i].name, name) != 0) {
        i++;
    }
    if (i == MF_SCENARIO_OWN_MAX) {
        return mf_reading_refuse(r, line, "has more than %u values", MF_SCENARIO_OWN_MAX);
    }
    if (strlen(name) >= sizeof own->param[i].name) {
        return mf_reading_refuse(r, line, "a name has 31 characters at most");
    }
    if (mf_node_kind(value) != MF_NODE_TEXT || !mf_reading_text(r, value, text)) {
        return mf_reading_refuse(r, line, "must be a number, true, false or a text");
    }
    if (strlen(text) >= sizeof own->param[i].value) {
        return mf_reading_refuse(r, line, "a value has 63 characters at most");
    }
    own->param[i].line = line;
    (void)snprintf(own->param[i].name, sizeof own->param[i].name, "%.31s", name);
    (void)snprintf(own->param[i].value, sizeof own->param[i].value, "%.63s", text);
    own->params += i == own->params ? 1u : 0u;
    return true;
}

bool mf_scenario_read_own(struct mf_reading *r, const struct mf_key *key,
                          const struct mf_node *node, void *at)
{
    struct mf_scenario_own *own = at;
    (void)key;
    own->params = 0;
    own->param = mf_reading_pair_array(r, node, sizeof *own->param);
    return own->param != NULL && mf_reading_pairs(r, node, read_own_value, own);
}

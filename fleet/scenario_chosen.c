/* SPDX-License-Identifier: Apache-2.0 */
/* Reader and check of names of entities and members. Used by the tables of fleet/ whose keys name
 * some. */
#include "fleet/scenario.h"

bool mf_chosen_read(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                    void *at)
{
    static const struct mf_reading_rows k_rows = {.most = MF_SCENARIO_CHOSEN_MAX,
                                                  .size = MF_SCENARIO_NAME_MAX};
    struct mf_scenario_chosen *chosen = at;
    (void)key;
    chosen->line = mf_node_line(node);
    chosen->name = mf_reading_text_rows(r, node, &k_rows, &chosen->count);
    return chosen->name != NULL;
}

bool mf_chosen_check(struct mf_reading *r, const struct mf_scenario *s,
                     const struct mf_scenario_chosen *chosen)
{
    uint32_t from, to;
    for (uint32_t i = 0; i < chosen->count; i++) {
        if (!mf_scenario_find(s, chosen->name[i], &from, &to)) {
            return mf_reading_refuse(r, chosen->line, "no entity or member is called '%s'",
                                     chosen->name[i]);
        }
    }
    return true;
}

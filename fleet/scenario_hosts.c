/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and defaults of other hosts. Called by fleet/scenario and scenario_keys. */
#include "fleet/scenario_hosts.h"

#include "fleet/key_forms.h"
#include "fleet/scenario_network.h"

#define HOSTS(field) offsetof(struct mf_scenario_hosts, field)
#define ROOM(field)  sizeof((struct mf_scenario_hosts *)0)->field

/* clang-format off */
#define X(name, word) word,
static const char *const k_silent_words[] = {MF_SCENARIO_SILENT_LIST(X) NULL};
#undef X
/* clang-format on */

static const struct mf_key k_hosts[] = {
    NAME("listen", HOSTS(listen), ROOM(listen),
         "[ADDRESS:]PORT at which leaves join, without ADDRESS 127.0.0.1; any that is free"),
    NAME("token", HOSTS(token), ROOM(token),
         "token that leaves give; other hosts than this one need it: \"${TOKEN}\""),
    WHOLE("leaves", HOSTS(leaves), 0, MF_SCENARIO_LEAVES_MAX,
          "number of leaves that must have joined, at any level; those that are started"),
    WHOLE("start", HOSTS(start), 0, MF_SCENARIO_LEAVES_MAX,
          "number of leaves that are started on this machine; 0"),
    REAL("patience", HOSTS(patience_s), 0, 1e6,
         "longest wait for a silent leaf, by the wall [s]; 0: no limit; 30"),
    WORD("silent", HOSTS(silent), k_silent_words,
         "after that wait: the run ends with exit code 3, the leaf is dropped, or time waits on; "
         "stop"),
    OPEN("pin", HOSTS(pin), mf_scenario_read_own,
         "{entity or member: leaf}, by its name or number from 1: where it goes"),
};
const struct mf_keys mf_scenario_hosts_keys = {k_hosts, COUNT_OF(k_hosts), "listen", HOSTS(line)};

void mf_scenario_hosts_defaults(struct mf_scenario_hosts *h)
{
    *h = (struct mf_scenario_hosts){.patience_s = 30.0};
}

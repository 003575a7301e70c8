/* SPDX-License-Identifier: Apache-2.0 */
/* Keys and defaults of processes. Called by fleet/scenario and scenario_keys. */
#include "fleet/scenario_process.h"

#include "fleet/key_forms.h"

#include <string.h>

#define PROCESS(field) offsetof(struct mf_scenario_process, field)

/* clang-format off */
#define X(name, word) word,
static const char *const k_clock_words[] = {MF_SCENARIO_PROCESS_CLOCK_LIST(X) NULL};
#undef X
/* clang-format on */

static bool read_run(struct mf_reading *r, const struct mf_key *key, const struct mf_node *node,
                     void *at)
{
    static const struct mf_reading_rows k_rows = {
        .fewest = 1, .most = MF_SCENARIO_WORDS_MAX, .size = MF_SCENARIO_WORD_MAX};
    struct mf_scenario_process *p = at;
    (void)key;
    if (mf_node_kind(node) != MF_NODE_LIST) {
        return mf_reading_refuse(r, mf_node_line(node),
                                 "must be a list of 1 to %u words: [python3, mission.py]",
                                 MF_SCENARIO_WORDS_MAX);
    }
    p->word = mf_reading_text_rows(r, node, &k_rows, &p->words);
    return p->word != NULL;
}

const char *mf_scenario_process_name(const struct mf_scenario_process *p)
{
    return p->name[0] != '\0' || p->words == 0 ? p->name : p->word[0];
}

void mf_scenario_process_defaults(void *process)
{
    *(struct mf_scenario_process *)process =
        (struct mf_scenario_process){.patience_s = 10.0, .silent = MF_SCENARIO_SILENT_STOP};
}

static const struct mf_key k_process[] = {
    NAME("name", PROCESS(name), sizeof((struct mf_scenario_process *)0)->name,
         "name, for people; the program"),
    OTHER("run", 0, read_run, "the program and its arguments: [python3, mission.py]"),
    NAME("needs", PROCESS(needs), sizeof((struct mf_scenario_process *)0)->needs,
         "a command for a shell, which ends with code 0 if all is there that the program needs; "
         "none"),
    WORD("clock", PROCESS(clock), k_clock_words,
         "clock of the program: the wall's, or the swarm's (docs/virtual-time.md); wall"),
    NAME("node", PROCESS(node), sizeof((struct mf_scenario_process *)0)->node,
         "virtual: member at whose place it is: its sockets reach others by network; none"),
    NAME("host", PROCESS(host), sizeof((struct mf_scenario_process *)0)->host,
         "leaf on whose machine it runs, by its name or number from 1 (hosts); the root's"),
    OPEN("env", PROCESS(env), mf_scenario_read_own,
         "{NAME: value}: its environment, beside the swarm's own"),
    NAME("members", PROCESS(members), MF_SCENARIO_MEMBERS_MAX,
         "an entity of ghosts: the program is a drone, once for each of them (docs/cosim.md)"),
    REAL("patience", PROCESS(patience_s), 0, 1e6,
         "members, virtual: longest wait for a silent program, by the wall [s]; 0: no limit; 10"),
    WORD("silent", PROCESS(silent), mf_scenario_silent_words,
         "after that wait: the run ends with exit code 3, the program is dropped, or it is named "
         "and time waits on; stop"),
};
const struct mf_keys mf_scenario_process_keys = {k_process, COUNT_OF(k_process), NULL,
                                                 PROCESS(line)};

/* SPDX-License-Identifier: Apache-2.0 */
/** Shared objects of the user's (fleet/plugin.h, docs/plugins.md): loaded, looked through, watched.
 */
#ifndef MF_BOARDS_SWARM_PLUGINS_H
#define MF_BOARDS_SWARM_PLUGINS_H

#include "boards/swarm/core/swarm.h"
#include "fleet/plugin.h"

/** An entry that the scenario chose, with the values that it gives. Never moved: self points in. */
struct swarm_own {
    const struct mf_plugin_entry *entry; /**< NULL: none was chosen */
    const struct mf_scenario_plugin *of;
    union mf_plugin_value value[MF_PLUGIN_PARAMS_MAX];
    struct mf_plugin_self self; /**< its state is the caller's */
};

/** @brief The entry that a key of the scenario chose; plug-ins are loaded with the first one.
 *  @param key  for errors, "plan"
 *  @param line  of it  @param o  out  @return SWARM_OK, or SWARM_INPUT with an error */
int swarm_own_find(struct swarm *w, const struct mf_scenario_own *chosen, enum mf_plugin_kind kind,
                   const char *key, int line, struct swarm_own *o);

/** @brief A function of it is called: between the two the time limit counts, beyond which the
 *  process ends with a line and SWARM_INPUT. Any thread. */
void swarm_own_enter(const struct swarm_own *o);
void swarm_own_leave(void);

/** @brief The process ends with a line that names it and says what it did, and SWARM_INPUT: for
 *  calls of which there is no way back. Any thread. */
__attribute__((format(printf, 2, 3))) _Noreturn void swarm_own_give_up(const struct swarm_own *o,
                                                                       const char *format, ...);

/** @brief What it is, for errors: "plan 'lawn' of ./mine.so". @param text  out [size] */
void swarm_own_name(const struct swarm_own *o, char *text, size_t size);

#endif

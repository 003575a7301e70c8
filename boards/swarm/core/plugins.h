/* SPDX-License-Identifier: Apache-2.0 */
/** Plug-ins: shared objects of users (fleet/plugin.h, docs/plugins.md), their entries, and the time
 * limit of their calls. */
#ifndef MF_BOARDS_SWARM_CORE_PLUGINS_H
#define MF_BOARDS_SWARM_CORE_PLUGINS_H

#include "boards/swarm/core/swarm.h"
#include "fleet/plugin.h"

/** Entry of a plug-in that the scenario names, with its parameters. Must not move in memory: self
 * points to value. */
struct swarm_plugin {
    const struct mf_plugin_entry *entry; /**< NULL: the scenario names no plug-in here */
    const struct mf_scenario_plugin *of;
    const char *file; /**< file of the scenario, for errors */
    union mf_plugin_value value[MF_PLUGIN_PARAMS_MAX];
    struct mf_plugin_self self; /**< state of the entry; its memory belongs to the caller */
};

/** @brief Find the entry that a key of the scenario names. The first call loads all plug-ins.
 *  @param key  key for errors, "plan"
 *  @param line  line of the key
 *  @param o  out
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_plugin_find(struct swarm *w, const struct mf_scenario_own *chosen,
                      enum mf_plugin_kind kind, const char *key, int line, struct swarm_plugin *o);

/** @brief Make the plug-ins of a room in the arena, since a checkpoint has their addresses: once.
 *  @param slot  out: their array of @p bytes, of zeros
 *  @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_plugins_make(struct swarm *w, enum swarm_slot slot, size_t bytes);

/** @brief Begin and end a call of a function of the entry. A call that exceeds the time limit of
 * its plug-in ends the process with a line and SWARM_INPUT. Any thread. */
void swarm_plugin_enter(const struct swarm_plugin *o);
void swarm_plugin_leave(void);

/** @brief End the process with SWARM_INPUT and a line that names the entry and its fault, for
 *  callers that cannot return an error. Any thread. */
__attribute__((format(printf, 2, 3))) _Noreturn void
swarm_plugin_fatal(const struct swarm_plugin *o, const char *format, ...);

/** @brief Name an entry in errors: "plan 'lawn' of ./mine.so". @param text  out [size] */
void swarm_plugin_name(const struct swarm_plugin *o, char *text, size_t size);

extern const size_t swarm_plugins_bytes;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Scenario: members of a swarm, their behaviour, outputs and expectations. mf_scenario_read() reads
 * it from a file in YAML. Each section has struct and keys in a file fleet/scenario_*.h of its own;
 * scenario_keys.c joins their tables. docs/scenarios.md lists the keys.
 */
#ifndef MF_FLEET_SCENARIO_H
#define MF_FLEET_SCENARIO_H

#include "fleet/scenario_entity.h"
#include "fleet/scenario_expect.h"
#include "fleet/scenario_hosts.h"
#include "fleet/scenario_links.h"
#include "fleet/scenario_network.h"
#include "fleet/scenario_open.h"
#include "fleet/scenario_outputs.h"
#include "fleet/scenario_planner.h"
#include "fleet/scenario_process.h"
#include "fleet/scenario_weather.h"
#include "fleet/sweep.h"

/** Version of the file format, the value of the key "swarm". */
#define MF_SCENARIO_VERSION 1u

/* Words of keys, in the order of their enums. */
#define MF_SCENARIO_CLOCK_LIST(X) \
    X(EVENT, "event") X(FAST, "fast") X(REAL, "real") X(LOCKSTEP, "lockstep")
#define MF_SCENARIO_LATE_LIST(X) X(RUN, "run") X(SKIP, "skip") X(FAIL, "fail")

/* clang-format off */
#define X(name, word) MF_SCENARIO_CLOCK_##name,
enum mf_scenario_clock { MF_SCENARIO_CLOCK_LIST(X) MF_SCENARIO_CLOCKS };
#undef X
#define X(name, word) MF_SCENARIO_LATE_##name,
enum mf_scenario_late { MF_SCENARIO_LATE_LIST(X) MF_SCENARIO_LATES };
#undef X
/* clang-format on */

/** Words of clocks, with NULL at their end. */
extern const char *const mf_scenario_clock_words[];

/** Purpose of a member's random numbers. It is part of their keys, so these values never change. */
enum mf_scenario_purpose {
    MF_PURPOSE_PLACE = 1,
    MF_PURPOSE_BEHAVIOUR = 2,
    MF_PURPOSE_RADIO = 4,    /**< one sequence for all receptions */
    MF_PURPOSE_EFFECTOR = 6, /**< by the number of each effect */
    MF_PURPOSE_ARRIVAL = 7,  /**< time of arrival, and choice of the plan */
    MF_PURPOSE_WAY = 8,      /**< velocity of an object */
    MF_PURPOSE_NETWORK = 20, /**< one sequence for all packets */
    MF_PURPOSE_BODY = 24,    /**< body of a plug-in */
    /** sensors: plus 16 times the kind, plus the number among those of the kind */
    MF_PURPOSE_SENSOR = 256,
};

/** Scenario. It owns the arrays that its pointers, and those of its sections, point to; a copy of
 * the struct shares them. An array that the file lacks is NULL, and its count 0. */
struct mf_scenario {
    uint32_t version;
    char title[MF_KEYS_TEXT_MAX];
    uint64_t seed;
    struct {
        int32_t clock;    /**< enum mf_scenario_clock */
        double rate;      /**< REAL: vehicle seconds per second of the wall */
        double end_s;     /**< end of the run; INFINITY: when no event is left */
        int32_t late;     /**< enum mf_scenario_late */
        int64_t epoch_us; /**< UTC at time 0; 0: unknown */
        double step_s;    /**< step of stepped bodies */
    } time;
    double origin[3]; /**< latitude, longitude, AMSL */
    uint32_t entities;
    struct mf_scenario_entity *entity; /**< [entities] */
    uint32_t members;                  /**< number of members of all entities */
    struct mf_scenario_outputs outputs;
    struct mf_scenario_links links;
    struct mf_scenario_bus bus;
    uint32_t networks; /**< at least 1: the built-in network if the file names no other */
    struct mf_scenario_network *network; /**< [networks] */
    uint32_t flows;
    struct mf_scenario_flow *flow; /**< [flows]: flows of all networks */
    struct mf_scenario_gzuav gzuav;
    struct mf_scenario_hosts hosts;
    uint32_t processes;
    struct mf_scenario_process *process; /**< [processes] */
    uint32_t components;
    struct mf_scenario_component *component; /**< [components] */
    uint32_t plugins;
    struct mf_scenario_plugin *plugin; /**< [plugins] */
    struct mf_scenario_weather weather;
    struct mf_scenario_collisions collisions;
    struct mf_scenario_search search;
    struct mf_scenario_grid grid;
    struct mf_scenario_planner planner;
    struct mf_scenario_medium medium;
    uint32_t expects;
    struct mf_scenario_expect *expect; /**< [expects] */
    struct mf_scenario_sweep sweep;
    uint32_t variations;                  /**< number of variations in the file */
    char variation[MF_SCENARIO_NAME_MAX]; /**< name of the chosen variation; "": none chosen */
    uint32_t variation_number;
    uint64_t sum; /**< sum of all values but those that a run which continues from a checkpoint may
                     change: links, and end, clock and catch_up of time */
    struct mf_keys_block *blocks; /**< memory of all arrays; mf_scenario_free() releases it */
};

/** Additions of the command line. */
struct mf_scenario_given {
    const char *variation;  /**< name or number; NULL: not chosen */
    const char *const *set; /**< [sets] "NAME=VALUE" or "dotted.key=VALUE" */
    size_t sets;
};

/** @brief Read a scenario. @param file  name of the file, for errors  @param text  [n]
 * @param s  out: owns all that its pointers point to; release it by mf_scenario_free(), also after
 * an error  @param error  out [MF_KEYS_ERROR_MAX]: one line  @return MF_E_OK or MF_E_RANGE */
int mf_scenario_read(const char *file, const char *text, size_t n,
                     const struct mf_scenario_given *given, struct mf_scenario *s, char *error);

/** @brief Release the arrays of a scenario, and clear it. @param s  read, or all 0 */
void mf_scenario_free(struct mf_scenario *s);

/** @brief True for a world of cells or a search: its time passes by steps. */
bool mf_scenario_goes_by_steps(const struct mf_scenario *s);

/** @brief The entity of a member. @param i  below s->members */
const struct mf_scenario_entity *mf_scenario_entity_of(const struct mf_scenario *s, uint32_t i);

/** @brief Type of the objects of an entity: what searchers seek. */
const char *mf_scenario_type(const struct mf_scenario_entity *e);

/** @brief Find an entity by its name. @return NULL: unknown */
const struct mf_scenario_entity *mf_scenario_entity_named(const struct mf_scenario *s,
                                                          const char *name);

/** @brief Write a member's name, "walker.7312"; for an entity with one member "walker".
 * @param text  out [MF_SCENARIO_NAME_MAX + 12] */
void mf_scenario_member_name(const struct mf_scenario *s, uint32_t i, char *text);

/** @brief Find the members of an entity's or a member's name. @param from, to  out: from .. to -
 * 1  @return false: unknown */
bool mf_scenario_find(const struct mf_scenario *s, const char *name, uint32_t *from, uint32_t *to);

/** @brief Identify a member to random numbers by its entity's name and its number in the entity:
 * entities before it in the file change none of its random numbers. */
uint64_t mf_scenario_identity(const struct mf_scenario *s, uint32_t i);

/** @brief Key of a member's random numbers (math/chance.h). */
uint64_t mf_scenario_chance(const struct mf_scenario *s, uint32_t i,
                            enum mf_scenario_purpose purpose);

/** @brief Key of random numbers that the whole run shares (math/chance.h). */
uint64_t mf_scenario_shared_chance(const struct mf_scenario *s, enum mf_scenario_purpose purpose);

/** @brief True if a member is among the chosen. @param otherwise  answer if the list is empty */
bool mf_scenario_is_chosen(const struct mf_scenario *s, const struct mf_scenario_chosen *chosen,
                           uint32_t i, bool otherwise);

/** @brief True if programs outside can reach the vehicles by any link. */
bool mf_scenario_is_linked(const struct mf_scenario *s);

/** Table of all keys. */
extern const struct mf_keys mf_scenario_keys;

#endif

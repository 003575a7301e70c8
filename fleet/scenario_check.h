/* SPDX-License-Identifier: Apache-2.0 */
/** Checks between the keys of a scenario. The file of each section has its own; scenario.c calls
 * them after all keys were read. */
#ifndef MF_FLEET_SCENARIO_CHECK_H
#define MF_FLEET_SCENARIO_CHECK_H

#include "fleet/keys.h"

struct mf_scenario;
struct mf_scenario_entity;

/** Check a section against the others, and fill in the values that follow from them.
 * @return false: mf_reading_refuse() has set the error */
typedef bool mf_scenario_check(struct mf_reading *r, struct mf_scenario *s);

/** Check a part of an entity, and fill in the values that follow from others.
 * @return false: mf_reading_refuse() has set the error */
typedef bool mf_entity_check(struct mf_reading *r, struct mf_scenario *s,
                             struct mf_scenario_entity *e);

/** @brief Refuse an entity. @param text  with %s for its name  @return false */
bool mf_entity_refuse(struct mf_reading *r, const struct mf_scenario_entity *e, const char *text);

#endif

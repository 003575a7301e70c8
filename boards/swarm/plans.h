/* SPDX-License-Identifier: Apache-2.0 */
/** Plans of entities: each file is read once and shared by all who fly it. */
#ifndef MF_BOARDS_SWARM_PLANS_H
#define MF_BOARDS_SWARM_PLANS_H

#include "boards/swarm/swarm.h"

/** @brief The plan of an entity; it stays until the process ends. @return NULL with an error set */
const struct mf_shared_plan *swarm_plan(struct swarm *w, const struct mf_scenario_entity *e);

/** @brief The plan of a file. @param line  of the scenario, for the error
 *  @return NULL with an error set */
const struct mf_shared_plan *swarm_plan_read(struct swarm *w, const char *name, int line);

/** @brief Could the first member of each entity start its mission?
 *  @return SWARM_OK; SWARM_FAILED with the vehicle's reason as error */
int swarm_plans_check(struct swarm *w);

/** @brief Where the file of a plan lies: it is named as the scenario's own folder sees it. */
void swarm_plan_path(const struct swarm *w, const char *name, char *path, size_t size);

/** @brief No output may replace a file that the scenario names, nor the scenario
 *  (host/base/output.h). */
void swarm_inputs_keep(const struct swarm *w);

/** @brief The bytes of a file, and a NUL behind them. @return NULL with errno set; free() it */
char *swarm_read_file(const char *path, size_t *n);

/** @brief Files that were read so far, for who has none of them. @param k  from 0
 *  @return NULL: there are no more */
const char *swarm_file_read(uint32_t k);

/** @brief From now on these bytes stand for a file. @return false: there is no room */
bool swarm_file_given(const char *path, const void *bytes, size_t n);

#endif

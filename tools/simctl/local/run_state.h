/* SPDX-License-Identifier: Apache-2.0 */
/** State of the commands of an instance: the runner writes it to a file, the controller reads it.
 */
#ifndef MF_SIMCTL_RUN_STATE_H
#define MF_SIMCTL_RUN_STATE_H

#include "tools/simctl/base/instance.h"

/** @brief Each is further than those before it. */
enum simctl_run_state {
    SIMCTL_RUN_STARTING,
    SIMCTL_RUN_READY,     /**< all run, and those with a port answer there */
    SIMCTL_RUN_DEGRADED,  /**< a command other than the last has ended */
    SIMCTL_RUN_COMPLETED, /**< the last one ended with 0 */
    SIMCTL_RUN_FAILED,    /**< the last one ended otherwise, or one could not start */
    SIMCTL_RUN_STATES
};

/** @brief Replace the file as a whole. @param reason  a line; "": none
 *  @return false with errno */
bool simctl_run_state_write(const char *folder, enum simctl_run_state state, const char *reason);

/**
 * @brief Read the file. @param reason  out [SIMCTL_REASON_MAX]
 * @return SIMCTL_RUN_STARTING without a reason if the file does not exist
 */
enum simctl_run_state simctl_run_state_read(const char *folder, char *reason);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/** Data types of firmware/core/tasks.h, without functions. */
#ifndef MF_FIRMWARE_STATE_TASKS_H
#define MF_FIRMWARE_STATE_TASKS_H

#include "hal/types.h"

/**
 * Tasks: name, entry, clock, kind. The order of the list is the order of running at the same due
 * time. Each runs at the time it asked for and returns when it wants to run next. An essential task
 * makes something happen; a periodic one only shows it: a clock that jumps goes from one essential
 * instant to the next.
 *
 * VEHICLE tasks live on vehicle time, which may be scaled, held or jump; TRANSPORT tasks on the
 * wall, by which clients count their timeouts.
 */
/* clang-format off */
#define MF_TASK_LIST(X)                                      \
    X(HEALTH, mf_health_run, VEHICLE, ESSENTIAL)             \
    X(NAVIGATOR, mf_navigator_run, VEHICLE, ESSENTIAL)       \
    X(FENCE, mf_fence_run, VEHICLE, ESSENTIAL)               \
    X(COMMANDER, mf_commander_run, VEHICLE, ESSENTIAL)       \
    X(CALIBRATION, mf_calibration_run, VEHICLE, ESSENTIAL)   \
    X(HEARTBEAT, mf_heartbeat_run, VEHICLE, PERIODIC)        \
    X(STREAMS, mf_streams_run, VEHICLE, PERIODIC)            \
    X(LOGGER, mf_logger_run, VEHICLE, PERIODIC)              \
    X(HEARTBEAT_WALL, mf_heartbeat_wall_run, TRANSPORT, PERIODIC) \
    X(LINKS, mf_links_run, TRANSPORT, PERIODIC)              \
    X(INPUTS, mf_inputs_run, TRANSPORT, PERIODIC)          \
    X(TRANSFER, mf_transfer_run, TRANSPORT, PERIODIC)        \
    X(PARAMS, mf_params_run, TRANSPORT, PERIODIC)            \
    X(FTP, mf_ftp_run, TRANSPORT, PERIODIC)                  \
    X(DOWNLOADS, mf_downloads_run, TRANSPORT, PERIODIC)      \
    X(SHELL, mf_shell_run, TRANSPORT, PERIODIC)
/* clang-format on */

/** A task by its place in the list, which is also its place in mf_vehicle.due_us. */
/* clang-format off */
enum mf_task {
#define X(name, entry, clock, kind) MF_TASK_##name,
    MF_TASK_LIST(X)
#undef X
    MF_TASK_COUNT
};
/* clang-format on */

#endif

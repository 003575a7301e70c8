/* SPDX-License-Identifier: Apache-2.0 */
/** The memory that the drones of this process stand in. Only memory.c knows how they are
 * laid out. */
#ifndef MF_BOARDS_POSIX_MEMORY_H
#define MF_BOARDS_POSIX_MEMORY_H

#include "drone/calls.h"
#include "drone/store_memory.h"

struct mf_archive_info;
struct mf_connection;
struct mf_inside;

/** Memory of a drone. Pages of unused parts are never touched. */
struct board_memory {
    struct mf_drone *drone;
    struct mf_inside *inside;            /**< the control API's peer */
    struct mf_connection *connections;   /**< [BOARD_DRONE_LINKS] */
    struct mf_archive_info *logs;        /**< [BOARD_LOGS] */
    struct mf_remote_id_card *remote_id; /**< to be filled in before the boot */
    struct mf_store_banks banks[MF_STORE_AREA_COUNT];
};

/** @brief The memory of a drone. @param index  below BOARD_DRONES */
struct board_memory board_memory(uint16_t index);

/** @brief Hand a drone's pools to its vehicle. @param setup  in, out */
void board_memory_pools(uint16_t index, struct mf_setup *setup);

/** @brief Intervals of all streams on a configured link. @param port  below BOARD_PORTS */
int32_t *board_intervals(uint16_t port);

#endif

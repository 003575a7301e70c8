/* SPDX-License-Identifier: Apache-2.0 */
/** Drone of the process: the parts that it does not share, and its part in the loop. */
#ifndef MF_BOARDS_POSIX_DRONE_H
#define MF_BOARDS_POSIX_DRONE_H

#include "boards/posix/memory.h"
#include "drone/wiring.h"
#include "hal-posix/achieved.h"
#include "hal-posix/archive_file.h"
#include "hal-posix/store_file.h"
#include "host/api/api.h"
#include "host/base/guard.h"
#include "host/base/log.h"
#include "host/time/time_control.h"

struct board;

struct board_drone {
    struct board *board;
    uint16_t index; /**< among those of the process */
    struct board_memory memory;
    struct mf_drone *object;
    struct mf_vehicle *vehicle;
    struct mf_pace pace;
    struct mf_achieved achieved;
    struct mf_wiring wiring;
    struct mf_memory parts; /**< of its world and its wiring */
    struct mf_store_file store;
    struct mf_archive_file archive;
    struct mf_time_control time;
    struct mf_log log;
    struct mf_guard guard; /**< names the drone if an assertion fails */
    mf_us_t utc_offset_us; /**< UTC at monotonic time 0 */
    mf_us_t booted_us;     /**< wall time of the boot */
    int record_fd;         /**< the recorder's file */
    uint64_t recorded;     /**< number of bytes given to the file, or refused by it [bytes] */
    bool archive_failed;   /**< as the log has it */
    bool ended;            /**< it has run its last pass */
    bool backlog;          /**< a client has not taken what the last passes sent */
    bool connected; /**< a client of a server port has sent a frame, or the drone does not wait for
                       one */
};

/** Initialize memory and clock of a drone as the configuration says; it has not booted
 * afterwards. */
void board_drone_init(struct board_drone *d, struct board *b, uint16_t index);

/** @brief Open its store, its archive and its recording, and boot it at vehicle time 0, now.
 *  @return MF_E_OK, or an error with config.error set */
int board_drone_start(struct board_drone *d);

/** Run the drone's passes of a turn of the loop. @return latest wall time of the next turn */
mf_us_t board_drone_turn(struct board_drone *d);

/** End a turn: after all clients got what was sent before, controllers of time get a report that
 * time stands. @return latest wall time of the next turn; 0: a controller has sent a command, which
 * takes effect in the next turn */
mf_us_t board_drone_settle(struct board_drone *d);

/** End the drone after its last pass; its peers may be closed afterwards. */
void board_drone_end(struct board_drone *d);

/** Complete the drone's files after its peers were closed. */
void board_drone_close(struct board_drone *d);

/** @brief A line of the log at its present vehicle time. */
void board_drone_log(struct board_drone *d, enum mf_severity severity, const char *topic,
                     const char *text);

#endif

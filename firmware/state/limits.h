/* SPDX-License-Identifier: Apache-2.0 */
/** Every fixed capacity of the firmware that does not come from a list. What a board may choose, it
 * hands in instead. */
#ifndef MF_FIRMWARE_LIMITS_H
#define MF_FIRMWARE_LIMITS_H

/** Hot part of an instance: what every scheduler pass touches [bytes]. */
#define MF_HOT_BYTES_MAX 512u
/** The rest of an instance [bytes]; links, missions and parameters' storage are the board's. */
#define MF_COLD_BYTES_MAX 3072u
/** One link [bytes]: two frames in the parser, intervals and due times of streams. */
#define MF_LINK_BYTES_MAX 1200u
/** Text of one STATUSTEXT (in chunks of 50) or line in the log; longer ones are
 * cut [characters]. */
#define MF_TEXT_MAX 240u
/** Senders (system, component) that a link remembers, for routing. */
#define MF_LINK_SENDERS_MAX 16u
/** Room that a frame which is only passed on leaves to the vehicle's own messages [bytes]. */
#define MF_FORWARD_RESERVE 4096u
/** Signing senders (system, component, link) whose time is remembered. */
#define MF_SIGN_SENDERS_MAX 16u
/** Bytes that a link reads in one pass before the other links have their turn. */
#define MF_LINK_READ_MAX 2048u
/** Frames of a parameter list that one link gets in one pass. */
#define MF_PARAM_BURST 20u
/** Files that clients have open over MAVLink FTP. */
#define MF_FTP_SESSIONS 4u
/** Frames of a burst of MAVLink FTP, and messages of a log, that one link gets in one pass. */
#define MF_FTP_BURST      20u
#define MF_DOWNLOAD_BURST 40u
/** Characters that are written to a link's shell and have not run; the longest line is
 * one shorter. */
#define MF_SHELL_INPUT_MAX 160u
/** Pieces of a shell's output that one link gets in one pass. */
#define MF_SHELL_BURST 40u
/** The last texts that the shell shows, and how much of each, with its NUL [characters]. */
#define MF_TEXTS_KEPT      8u
#define MF_TEXT_KEPT_CHARS 64u
/** DO_JUMP items of one mission that are counted. */
#define MF_JUMPS_MAX 16u
/** Mission items without movement that are executed in one instant before the mission yields (a
 * loop of jumps). */
#define MF_INSTANT_ITEMS_MAX 100u
/** Periodic tasks that fell behind by more than this many periods skip ahead, and an overrun is
 * counted. */
#define MF_OVERRUN_PERIODS 10

/** Fastest flight that may be asked for, and slowest: what is asked to be slower flies at this
 * [m/s]. */
#define MF_SPEED_MAX_MPS 100.0f
#define MF_SPEED_MIN_MPS 0.1f
/** Highest and lowest altitude that may be asked for, AMSL [m]. */
#define MF_ALTITUDE_MAX_M 100000.0

#endif

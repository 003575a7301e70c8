/* SPDX-License-Identifier: Apache-2.0 */
/** Every fixed capacity of the firmware that does not come from a list. What a board may choose, it
 * hands in instead. */
#ifndef MF_FIRMWARE_LIMITS_H
#define MF_FIRMWARE_LIMITS_H

/** Hot part of an instance: what every scheduler pass touches [bytes]. */
#define MF_HOT_BYTES_MAX 512u
/** The rest of an instance [bytes]; links, missions and parameters' storage are the board's. */
#define MF_COLD_BYTES_MAX 3072u
/** Size of a link [bytes]: two frames in the parser, intervals and due times of streams. */
#define MF_LINK_BYTES_MAX 1216u
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
/** Room of a link that a burst leaves free, so that HEARTBEAT and streams never wait for it
 * [bytes]. For a parameter list it fits into the FIFO of a serial port; for the shell it is four
 * frames: its longest piece, and a piece that was begun before. */
#define MF_PARAM_ROOM_MIN    256u
#define MF_FTP_ROOM_MIN      320u
#define MF_DOWNLOAD_ROOM_MIN 256u
#define MF_SHELL_ROOM_MIN    448u
/** A burst of MAVLink FTP ends after this and what fills its last frame, as PX4's does; the client
 * asks for the next one [bytes]. */
#define MF_FTP_BURST_BYTES 35000u
/** Maximum number of bytes of a file's checksum that are computed in one pass: a log of many MB
 * must not delay the flight. */
#define MF_FTP_SUM_BYTES 65536u
/** Longest path of a file; one that is longer is not there [characters]. */
#define MF_PATH_MAX 64u
/** Maximum number of bytes read at once into a buffer on the stack: more than a client's
 * datagram. */
#define MF_CHUNK_BYTES 512u
/** Characters that are written to a link's shell and have not run; the longest line is
 * one shorter. */
#define MF_SHELL_INPUT_MAX 160u
/** Words of a line, as in "param set NAME VALUE"; more are not looked at. */
#define MF_SHELL_WORDS_MAX 4u
/** Pieces of a shell's output that one link gets in one pass. */
#define MF_SHELL_BURST 40u
/** The last texts that the shell and the control API show, and how much of each, with its NUL
 * [characters]. The longest refusal, of the mode Follow Target, has 79. */
#define MF_TEXTS_KEPT      8u
#define MF_TEXT_KEPT_CHARS 87u
/** DO_JUMP items of one mission that are counted. */
#define MF_JUMPS_MAX 16u
/** Mission items without movement that are executed in one instant before the mission yields (a
 * loop of jumps). */
#define MF_INSTANT_ITEMS_MAX 100u
/** Answers to commands, and mission items that were reached, that are remembered: the oldest one
 * makes room. */
#define MF_ANSWERS_KEPT  8u
#define MF_ARRIVALS_KEPT 16u
/** Longest reason that denies arming, with its NUL; the rest is cut [characters]. */
#define MF_DENIAL_MAX 64u
/** Largest record of a flight log: the format of a topic [bytes]. */
#define MF_LOG_RECORD_MAX 640u
/** A log is named by its second. Names of so many later seconds are tried where others have the
 * earlier ones: tests arm many times in one second of the wall. */
#define MF_LOG_NAMES_MAX 100
/** Steps of a look ahead at the fence; the next look ahead goes on where they were used up. */
#define MF_FENCE_STEPS_MAX 256
/** Periodic tasks that fell behind by more than this many periods skip ahead, and an overrun is
 * counted. */
#define MF_OVERRUN_PERIODS 10

/** Highest speed of a request, and lowest speed: slower requests are flown at the lowest [m/s]. */
#define MF_SPEED_MAX_MPS 100.0f
#define MF_SPEED_MIN_MPS 0.1f
/** Highest and lowest altitude of a request, AMSL [m]. */
#define MF_ALTITUDE_MAX_M 100000.0
/** Turns of one circle (LOITER_TURNS, ORBIT); more are flown as this many. */
#define MF_TURNS_MAX 1000.0

#endif

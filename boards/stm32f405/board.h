/* SPDX-License-Identifier: Apache-2.0 */
/** Capacities of this board, its wiring, and the parts that main.c puts together. */
#ifndef MF_BOARDS_STM32F405_BOARD_H
#define MF_BOARDS_STM32F405_BOARD_H

#include "firmware/vehicle.h"

/** The crystal [Hz]; whole MHz. */
#define BOARD_HSE_HZ 8000000u

/** A sleeping core wakes that often, if no byte arrives before [ms]: a pass may be so late, which
 * changes nothing but when its frames leave (ARCHITECTURE.md, Time). */
#define BOARD_PERIOD_MS 10u

#define BOARD_LINKS 2u

/** Bytes that one link holds: received ones until the next pass (921600 baud: 11 ms; the
 * longest pass takes 7), and those to be sent: frames of the other link are passed on only if
 * MF_FORWARD_RESERVE is left. */
#define BOARD_RX_BYTES      1024u
#define BOARD_TX_BYTES      6144u
#define BOARD_CONSOLE_BYTES 512u

/** Records of the store. */
#define BOARD_PARAMS        256u /* that differ from their defaults */
#define BOARD_MISSION_ITEMS 100u
#define BOARD_FENCE_ITEMS   64u
#define BOARD_RALLY_POINTS  16u
#define BOARD_SIGNING       2u

/** Sectors 10 and 11 of the flash (RM0090, table 5). */
#define BOARD_STORE_BASE   0x080C0000u
#define BOARD_STORE_SECTOR 10u
#define BOARD_STORE_BYTES  0x20000u

/** The watchdog resets a board whose loop stands for that long. Erasing a sector takes up to
 * 2 s. */
#define BOARD_WATCHDOG_MS 4000u

/** Cost of passes; on the chip in cycles of the core. At a known place in memory, for
 * tests/interop/test_stm32.py. */
struct board_stats {
    uint32_t passes;
    uint32_t longest_ticks; /**< of SysTick, that one pass took */
    uint64_t ticks;         /**< of all passes */
    mf_us_t longest_us;     /**< when the longest one began */
};

/* ---- what flies: body_simulated.c, or body_absent.c for a board with an airframe of its own */

/** Name of the body, for the console. */
extern const char board_body_name[];

/** @brief Boot the vehicle. @param setup  with every device but those of the body */
int board_boot(const struct mf_setup *setup);

/** @brief The vehicle that was booted. */
struct mf_vehicle *board_vehicle(void);

/* ---- console.c: lines of text */

struct mf_serial;

/** Send the console's lines to a serial device from now on. */
void board_console_start(const struct mf_serial *serial);

/** Print a line of up to three texts. Longer lines are cut, and a full console drops lines. */
void board_console_say(const char *first, const char *second, const char *third);

/** Print a line: a text, and a line of a file of the source. */
void board_console_say_at(const char *text, const char *file, uint32_t number);

/** Log contract: events as lines. The context is unused. */
extern const struct mf_log_ops board_console_ops;

#endif

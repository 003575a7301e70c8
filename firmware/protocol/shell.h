/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A small shell over SERIAL_CONTROL, device 10, for people and for tests: each link has its own. It
 * asks the same functions as messages do, so a command does and answers what COMMAND_LONG would.
 *
 * What is written to it is kept until a line is complete. Lines run one after the other, and their
 * output is made piece by piece while it leaves, so nothing is ever held whole.
 * Source: PX4 mavlink_receiver, mavlink_shell; the commands are a part of PX4's.
 */
#ifndef MF_FIRMWARE_SHELL_H
#define MF_FIRMWARE_SHELL_H

#include "firmware/state/limits.h"
#include "firmware/state/shell.h"
#include "hal/types.h"
#include "mavlink/message.h"

struct mf_link;
struct mf_peer;
struct mf_text;
struct mf_vehicle;

/** @brief SERIAL_CONTROL: input for the shell. As in PX4 other devices, and replies, are ignored,
 * and a client that does not ask for a response closes the shell. */
void mf_on_serial_control(struct mf_vehicle *v, struct mf_peer from,
                          const struct mf_msg_serial_control *m, mf_us_t now_us);

/** @brief Task on transport time: output leaves as links have room. @return next due time
 * [transport], MF_NEVER when there is nothing to say */
mf_us_t mf_shell_run(struct mf_vehicle *v, mf_us_t due_us);

/** @brief Does a line run on this link, or wait? */
bool mf_shell_busy(const struct mf_vehicle *v, const struct mf_link *link);

/** @brief Forget what was written on this link. */
void mf_shell_close(struct mf_vehicle *v, const struct mf_link *link);

/** @brief Print a piece of a line's output (shell_commands.c). The effects of the line happen with
 * piece 0.
 * @param line  in: without its end; out: any content @param out  empty; the piece is appended, and
 * may be empty
 * @return true: more pieces follow */
bool mf_shell_piece(struct mf_vehicle *v, struct mf_peer from, char *line, uint16_t piece,
                    struct mf_text *out);

#endif

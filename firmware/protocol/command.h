/* SPDX-License-Identifier: Apache-2.0 */
/** Commands: COMMAND_LONG, COMMAND_INT and SET_MODE become one form, one table says who serves
 * which, all are answered. */
#ifndef MF_FIRMWARE_COMMAND_H
#define MF_FIRMWARE_COMMAND_H

#include "firmware/state/command.h"
#include "firmware/state/link.h"

struct mf_vehicle;

/** @brief Serve a command that no message brought: its result is returned instead of acknowledged.
 * @return MAV_RESULT */
uint8_t mf_command_run(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us);

/* Handlers of messages (receive.c) */
void mf_on_command_long(struct mf_vehicle *v, struct mf_peer from,
                        const struct mf_msg_command_long *m, mf_us_t now_us);
void mf_on_command_int(struct mf_vehicle *v, struct mf_peer from,
                       const struct mf_msg_command_int *m, mf_us_t now_us);
void mf_on_set_mode(struct mf_vehicle *v, struct mf_peer from, const struct mf_msg_set_mode *m,
                    mf_us_t now_us);

#endif

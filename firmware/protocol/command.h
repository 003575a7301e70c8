/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Commands: COMMAND_LONG, COMMAND_INT and SET_MODE become one form, one table says who serves
 * which, all are answered.
 *
 * A handler validates and asks; the commander, the navigator and the streams decide. Its error
 * becomes the MAV_RESULT of the acknowledgement (MF_ERR_LIST in hal/types.h). A retransmission
 * (confirmation above 0) is served as a command of its own, as by PX4. Source: MAVLink command
 * protocol; results and texts are PX4's (Commander, mavlink_receiver), which clients know.
 */
#ifndef MF_FIRMWARE_COMMAND_H
#define MF_FIRMWARE_COMMAND_H

#include "firmware/state/command.h"
#include "firmware/state/link.h"

struct mf_vehicle;

/** @brief Serve a command that no message brought: its result is returned instead of acknowledged.
 * @return MAV_RESULT */
uint8_t mf_command_run(struct mf_vehicle *v, const struct mf_command *c, mf_us_t now_us);

/* Handlers of messages (receive.c). A message for another system or component is counted and left
 * alone; everything else is acknowledged on the link that it came over. */

/** @brief Parameters 5 and 6 are degrees as floats, good for a metre or so; 7 is an
 * altitude AMSL. */
void mf_on_command_long(struct mf_vehicle *v, struct mf_peer from,
                        const struct mf_msg_command_long *m, mf_us_t now_us);
/** @brief Handle COMMAND_INT: a command with a place in 1e-7 degrees, and an altitude by the
 * message's frame. */
void mf_on_command_int(struct mf_vehicle *v, struct mf_peer from,
                       const struct mf_msg_command_int *m, mf_us_t now_us);
/** @brief The oldest way to change the mode; it names no component. Acknowledged as DO_SET_MODE. */
void mf_on_set_mode(struct mf_vehicle *v, struct mf_peer from, const struct mf_msg_set_mode *m,
                    mf_us_t now_us);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A peer within the process: it hands commands to a vehicle as structs and gets the answers as
 * structs. It is a link among others: what it says is recorded, and answers go through the
 * wrappers. Nothing is streamed to it or passed on.
 *
 * It opens its link with its first command.
 */
#ifndef MF_DRONE_INSIDE_H
#define MF_DRONE_INSIDE_H

#include "drone/calls.h"
#include "firmware/report/stream.h"

/** Component by which it calls itself, of the vehicle's own system: MAV_COMP_ID_ONBOARD_COMPUTER.
 */
#define MF_INSIDE_COMPID 191u

/** The caller allocates it; it outlives the drone's links. */
struct mf_inside {
    int link; /**< of the drone; < 0: not open */
    bool answered;
    struct mf_msg_command_ack answer; /**< the last one */
    int32_t interval_us[MF_STREAM_COUNT];
    struct mf_drone_link about; /**< how the link is opened */
};

/** @brief Begin; nothing is opened. @param number  of its link: as mf_drone_link.number */
void mf_inside_init(struct mf_inside *inside, uint16_t number);

/**
 * @brief A command, between two steps; the drone is at the present.
 * @param m    its targets are set to the vehicle
 * @param ack  out: the answer
 * @return MF_E_OK; MF_E_AGAIN: none came, since a wrapper of the link holds it back; MF_E_FULL: no
 * link is free
 */
int mf_inside_command(struct mf_inside *inside, struct mf_drone *drone,
                      struct mf_msg_command_int *m, struct mf_msg_command_ack *ack);

/** @brief Close its link, if it is open. */
void mf_inside_close(struct mf_inside *inside, struct mf_drone *drone);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A peer within the process: it hands commands, plans and parameters to a vehicle as structs and
 * gets the answers as structs. It is a link among others: what it says is recorded, and answers go
 * through the wrappers. Nothing is streamed to it or passed on.
 *
 * It opens its link with its first message.
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
    int link;           /**< of the drone; < 0: not open */
    uint32_t asked_id;  /**< message that was asked last */
    uint32_t answer_id; /**< message that answered; 0, which is HEARTBEAT: none */
    union {
        struct mf_msg_command_ack command_ack;
        struct mf_msg_mission_request_int request;
        struct mf_msg_mission_ack mission_ack;
        struct mf_msg_param_value param_value;
        struct mf_msg_param_error param_error;
    } answer;
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

/** @brief A message that nobody answers, such as a setpoint. @param m  `struct mf_msg_<name>` of
 * @p msgid; targets of 0 are everybody, and so the vehicle  @return MF_E_OK; MF_E_FULL: no link is
 * free */
int mf_inside_tell(struct mf_inside *inside, struct mf_drone *drone, uint32_t msgid, const void *m);

/**
 * @brief Upload a plan by the mission protocol, whole; the drone is at the present.
 * @param type    MAV_MISSION_TYPE
 * @param items   [count]; their targets, seq and mission_type are set
 * @param result  out: MAV_MISSION_RESULT
 * @return as mf_inside_command()
 */
int mf_inside_upload(struct mf_inside *inside, struct mf_drone *drone, uint8_t type,
                     struct mf_msg_mission_item_int *items, uint16_t count, uint8_t *result);

/**
 * @brief Set a parameter by PARAM_SET.
 * @param m      param_id, param_type and the value's bits; its targets are set
 * @param error  out: MAV_PARAM_ERROR; 0: it is set
 * @param now    out: the value that holds, if it is set
 * @return as mf_inside_command()
 */
int mf_inside_set_param(struct mf_inside *inside, struct mf_drone *drone,
                        struct mf_msg_param_set *m, uint8_t *error, struct mf_msg_param_value *now);

/** @brief Close its link, if it is open. */
void mf_inside_close(struct mf_inside *inside, struct mf_drone *drone);

#endif

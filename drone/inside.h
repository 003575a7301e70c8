/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Peer within the process: hands commands, plans and parameters to a vehicle as structs, and gets
 * the answers as structs. The peer has a link like others: recorders record its messages, and
 * answers pass the wrappers. The vehicle sends it no streams, and forwards nothing to it.
 *
 * The first message opens the link.
 */
#ifndef MF_DRONE_INSIDE_H
#define MF_DRONE_INSIDE_H

#include "drone/calls.h"
#include "firmware/report/stream.h"

/** Component id of the peer, in the vehicle's own system: MAV_COMP_ID_ONBOARD_COMPUTER. */
#define MF_INSIDE_COMPID 191u

/** The caller allocates it; it must outlive the drone's links. */
struct mf_inside {
    int link;           /**< link of the drone; < 0: not open */
    uint32_t asked_id;  /**< message id of the last request */
    uint32_t answer_id; /**< message id of the answer; 0, which is HEARTBEAT: no answer */
    union {
        struct mf_msg_command_ack command_ack;
        struct mf_msg_mission_request_int request;
        struct mf_msg_mission_ack mission_ack;
        struct mf_msg_param_value param_value;
        struct mf_msg_param_error param_error;
    } answer;
    int32_t interval_us[MF_STREAM_COUNT];
    struct mf_drone_link about; /**< description for opening the link */
};

/** @brief Begin without opening the link. @param number  of the link: as mf_drone_link.number */
void mf_inside_init(struct mf_inside *inside, uint16_t number);

/**
 * @brief Send a command, between two passes; the drone is at the present.
 * @param m  command; its targets are set to the vehicle
 * @param ack  out: the answer
 * @return MF_E_OK; MF_E_AGAIN: a wrapper of the link holds the answer back; MF_E_FULL: all links
 * are in use
 */
int mf_inside_command(struct mf_inside *inside, struct mf_drone *drone,
                      struct mf_msg_command_int *m, struct mf_msg_command_ack *ack);

/** @brief Send a message without an answer, such as a setpoint. @param m  `struct mf_msg_<name>` of
 * @p msgid; targets of 0 are all systems, and so the vehicle  @return MF_E_OK; MF_E_FULL: all links
 * are in use */
int mf_inside_tell(struct mf_inside *inside, struct mf_drone *drone, uint32_t msgid, const void *m);

/**
 * @brief Upload a whole plan by the mission protocol; the drone is at the present.
 * @param type  MAV_MISSION_TYPE
 * @param items  [count]; their targets, seq and mission_type are set
 * @param result  out: MAV_MISSION_RESULT
 * @return as mf_inside_command()
 */
int mf_inside_upload(struct mf_inside *inside, struct mf_drone *drone, uint8_t type,
                     struct mf_msg_mission_item_int *items, uint16_t count, uint8_t *result);

/**
 * @brief Set a parameter by PARAM_SET.
 * @param m  param_id, param_type and the value's bits; its targets are set
 * @param error  out: MAV_PARAM_ERROR; 0: success
 * @param now  out: the new value, after success
 * @return as mf_inside_command()
 */
int mf_inside_set_param(struct mf_inside *inside, struct mf_drone *drone,
                        struct mf_msg_param_set *m, uint8_t *error, struct mf_msg_param_value *now);

/** @brief Close the link, if it is open. */
void mf_inside_close(struct mf_inside *inside, struct mf_drone *drone);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/** Internal header of protocol misbehaviour: functions of a connection for the hooks, each of which
 * knows one protocol. */
#ifndef MF_DRONE_MISBEHAVE_HOOK_H
#define MF_DRONE_MISBEHAVE_HOOK_H

#include "drone/misbehave.h"

/** Frame that passes a connection. */
struct mf_passing {
    struct mf_misbehave_link *m;
    const struct mf_frame *frame;
    const union mf_msg *msg;
};

/** Hook of a message. @return true: the frame passes */
typedef bool mf_hook(const struct mf_passing *p);

/** Subject of a frame, for selectors and items; item 0: without an item. */
struct mf_subject {
    uint32_t id;
    uint32_t item;
};

/** Set of kinds of rules. */
typedef uint64_t mf_rule_set;
#define MF_RULE_BIT(name) (UINT64_C(1) << MF_RULE_##name)

/** @brief Find the first active rule of these kinds for a subject. @return NULL: no rule */
struct mf_misbehave_rule *mf_misbehave_find(const struct mf_misbehave_link *m, mf_rule_set kinds,
                                            struct mf_subject subject);

/** @brief Find a rule as mf_misbehave_find(), and count that it fired. @return false: no rule */
bool mf_misbehave_fires(const struct mf_misbehave_link *m, mf_rule_set kinds,
                        struct mf_subject subject);

/** @brief Send the client a message of the vehicle's: an answer to the passing frame, or a message
 * before it. Uses the MAVLink version of that frame; sends nothing if that cannot carry the
 * message. */
void mf_misbehave_send(const struct mf_passing *p, uint32_t msgid, const void *msg);

/** @brief Send the client the vehicle's passing frame an additional time, before it passes. */
void mf_misbehave_repeat(const struct mf_passing *p);

/** @brief Hold the vehicle's passing frame back until @p due_us. @return false: not enough room */
bool mf_misbehave_hold(const struct mf_passing *p, mf_us_t due_us);

/** @brief Send all frames held back of the same message, now. */
void mf_misbehave_release(const struct mf_passing *p);

/** @brief Send the vehicle a message in a client's name, in place of a frame of the same number. */
void mf_misbehave_tell(struct mf_misbehave_link *m, const struct mf_sender *client, uint32_t msgid,
                       const void *msg);

/* ---- for misbehave.c */

/** @brief Key with which the vehicle signs. @return NULL: the vehicle does not sign */
const struct mf_signing *mf_misbehave_signing(const struct mf_misbehave *s);

/** @brief Send the client a frame of the vehicle under another sequence number, with a new
 * signature if the vehicle signs. @param in_place  the frame leaves when the vehicle sends it, not
 * later
 * @return as mf_serial_write() */
int mf_misbehave_send_as(struct mf_misbehave_link *m, const struct mf_frame *frame, uint8_t seq,
                         bool in_place);

/** @brief Send the frames held back that are due, in order of arrival. */
void mf_misbehave_send_due(struct mf_misbehave *s);

/** @brief Append bytes to the vehicle's input. Bytes that do not fit are lost, as on a serial
 * line. */
void mf_misbehave_put(struct mf_misbehave_link *m, const uint8_t *bytes, size_t n);

/* ---- hooks: frames of clients for the vehicle (in), and of the vehicle for clients (out) */

mf_hook mf_misbehave_in_command_long, mf_misbehave_in_command_int, mf_misbehave_in_set_mode;
mf_hook mf_misbehave_in_data_stream;
mf_hook mf_misbehave_out_command_ack;
mf_hook mf_misbehave_in_mission_begin, mf_misbehave_in_mission_item,
    mf_misbehave_in_mission_request;
mf_hook mf_misbehave_in_mission_ack;
mf_hook mf_misbehave_out_mission_count, mf_misbehave_out_mission_item,
    mf_misbehave_out_mission_request;
mf_hook mf_misbehave_out_mission_ack;
mf_hook mf_misbehave_in_param_read, mf_misbehave_in_param_set, mf_misbehave_out_param_value;
mf_hook mf_misbehave_in_ftp, mf_misbehave_out_ftp;

#endif

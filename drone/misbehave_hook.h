/* SPDX-License-Identifier: Apache-2.0 */
/** Inside protocol misbehaviour: what hooks, which know one protocol each, ask of a connection. */
#ifndef MF_DRONE_MISBEHAVE_HOOK_H
#define MF_DRONE_MISBEHAVE_HOOK_H

#include "drone/misbehave.h"

/** One frame that passes a connection. */
struct mf_passing {
    struct mf_misbehave_link *m;
    const struct mf_frame *frame;
    const union mf_msg *msg;
};

/** @return whether it passes */
typedef bool mf_hook(const struct mf_passing *p);

/** What a frame is about, for selectors and items; without an item 0. */
struct mf_subject {
    uint32_t id;
    uint32_t item;
};

/** A set of kinds. */
typedef uint64_t mf_rule_set;
#define MF_RULE_BIT(name) (UINT64_C(1) << MF_RULE_##name)

/** @brief The first active rule of these kinds for a subject. @return NULL: none */
struct mf_misbehave_rule *mf_misbehave_find(const struct mf_misbehave_link *m, mf_rule_set kinds,
                                            struct mf_subject subject);

/** @brief The same, counted as fired. @return false: none */
bool mf_misbehave_fires(const struct mf_misbehave_link *m, mf_rule_set kinds,
                        struct mf_subject subject);

/** @brief Send the client a message of the vehicle's: an answer to the frame that passes, or one
 * before it. In the version of that frame, not if it cannot carry it. */
void mf_misbehave_send(const struct mf_passing *p, uint32_t msgid, const void *msg);

/** @brief Send the client the vehicle's frame that passes once more, before it. */
void mf_misbehave_repeat(const struct mf_passing *p);

/** @brief Keep the vehicle's frame that passes until then. @return false: there is no room */
bool mf_misbehave_hold(const struct mf_passing *p, mf_us_t due_us);

/** @brief Let go what is held back of the same message, now. */
void mf_misbehave_release(const struct mf_passing *p);

/** @brief Tell the vehicle something in a client's name, instead of a frame of the same number. */
void mf_misbehave_tell(struct mf_misbehave_link *m, const struct mf_sender *client, uint32_t msgid,
                       const void *msg);

/* ---- for misbehave.c */

/** @brief The key that the vehicle signs with. @return NULL: the vehicle does not sign */
const struct mf_signing *mf_misbehave_signing(const struct mf_misbehave *s);

/** @brief Send the client a frame of the vehicle under another sequence number, signed anew if the
 * vehicle signs. @param in_place  the frame leaves when the vehicle sends it, not later
 * @return as of mf_serial_write() */
int mf_misbehave_send_as(struct mf_misbehave_link *m, const struct mf_frame *frame, uint8_t seq,
                         bool in_place);

/** @brief Send the frames that are held back and due, in order of arrival. */
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

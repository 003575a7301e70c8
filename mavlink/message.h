/* SPDX-License-Identifier: Apache-2.0 */
/**
 * MAVLink messages: one table (messages.def), and what is made of it.
 *
 * messages.def lists every message once: name, id, CRC_EXTRA and the fields in wire order. From it
 * come, here, one `struct mf_msg_<name>` and one `MF_MSG_<NAME>` id per message and the union of
 * them all, and in message.c the descriptors that the generic pack and unpack walk. Nothing in this
 * room keeps state or allocates.
 *
 * Source: MAVLink minimal.xml, standard.xml, common.xml and the serialization guide.
 */
#ifndef MF_MAVLINK_MESSAGE_H
#define MF_MAVLINK_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Largest payload of any MAVLink message [bytes]. */
#define MF_PAYLOAD_MAX 255u

/**
 * Wire types: name, C type, size on the wire [bytes], name in MAVLink's XML.
 * `fbits` is a float on the wire that C keeps as its 32 bits: parameter values and mission items
 * are echoed bit for bit, and an integer parameter travels in the bits of a float.
 */
#define MF_WIRE_TYPE_LIST(X)        \
    X(u8, uint8_t, 1, "uint8_t")    \
    X(i8, int8_t, 1, "int8_t")      \
    X(chr, char, 1, "char")         \
    X(u16, uint16_t, 2, "uint16_t") \
    X(i16, int16_t, 2, "int16_t")   \
    X(u32, uint32_t, 4, "uint32_t") \
    X(i32, int32_t, 4, "int32_t")   \
    X(f32, float, 4, "float")       \
    X(fbits, uint32_t, 4, "float")  \
    X(u64, uint64_t, 8, "uint64_t") \
    X(i64, int64_t, 8, "int64_t")

#define X(name, ctype, size, xml) typedef ctype mf_wire_##name;
MF_WIRE_TYPE_LIST(X)
#undef X

enum mf_wire_type {
#define X(name, ctype, size, xml) MF_WIRE_##name,
    MF_WIRE_TYPE_LIST(X)
#undef X
};

/* messages.def gives every macro that its includer left out an empty meaning (EXT and EXTA that of
 * F and A), and undefines them all at its end. */

/* Structs of messages: `struct mf_msg_heartbeat { uint32_t custom_mode; ... };` */
/* clang-format off */
#define MSG(NAME, name, id, crc_extra) struct mf_msg_##name {
#define F(type, name) mf_wire_##type name;
#define A(type, name, n) mf_wire_##type name[n];
#define END(NAME, name) };
#include "mavlink/messages.def"
/* clang-format on */

/* Ids of messages: `MF_MSG_HEARTBEAT = 0`. */
enum mf_msg_id {
#define MSG(NAME, name, id, crc_extra) MF_MSG_##NAME = (id),
#include "mavlink/messages.def"
};

/** Room for any message of the table. */
union mf_msg {
#define MSG(NAME, name, id, crc_extra) struct mf_msg_##name name;
#include "mavlink/messages.def"
};

/** Field of a message: its place in the C struct, and its type on the wire. */
struct mf_field {
    uint16_t offset;  /**< in the C struct [bytes] */
    uint8_t type : 5; /**< enum mf_wire_type */
    uint8_t role : 3; /**< enum mf_field_role, by its name */
    uint8_t count;    /**< 1, or the array's length */
};

/** Fields with the target of a message. */
enum mf_field_role { MF_FIELD_PLAIN, MF_FIELD_TARGET_SYSTEM, MF_FIELD_TARGET_COMPONENT };

/** Address of a target or sender; as a target, 0 means all, or unset. */
struct mf_address {
    uint8_t system;
    uint8_t component;
};

/** Message of the table. */
struct mf_msg_info {
    uint32_t id;          /**< MAVLink message id, 24 bit */
    uint16_t field_first; /**< index of its first field in mf_fields() */
    uint8_t field_count;
    uint8_t crc_extra; /**< ends the checksum: guards against differing definitions */
    uint8_t len_min;   /**< payload without extension fields (all that v1 carries) [bytes] */
    uint8_t len_max;   /**< payload with extension fields [bytes] */
};

/** @brief The message with this id. O(log n), pure. @return its descriptor (static, const), or NULL
 * if unknown. */
const struct mf_msg_info *mf_msg_find(uint32_t id);

/** @brief The table itself, in the order of messages.def (ascending ids).
 * @param count  out: number of messages */
const struct mf_msg_info *mf_msg_table(size_t *count);

/** @brief The fields that descriptors point into, all messages' one after the other. */
const struct mf_field *mf_fields(void);

/**
 * @brief Serialise a message struct.
 * @param info     which message
 * @param msg      its `struct mf_msg_<name>`
 * @param payload  out: len_max bytes, little endian, not truncated. A float that is not a number
 * becomes 0x7FC00000, so that bytes are equal on every processor; `fbits` fields are copied as they
 * are.
 * @return len_max
 */
size_t mf_msg_pack(const struct mf_msg_info *info, const void *msg,
                   uint8_t payload[MF_PAYLOAD_MAX]);

/**
 * @brief Read a payload into a message struct.
 * @param payload  @p len bytes as received; what is missing up to len_max reads as zero (MAVLink 2
 * truncation), what is longer is a newer extension and is ignored
 * @param msg      out: its `struct mf_msg_<name>`, every field written
 */
void mf_msg_unpack(const struct mf_msg_info *info, const uint8_t *payload, size_t len, void *msg);

/** @brief Target of a message: its fields target_system and target_component, 0 for a message
 * without them.
 * @param payload  @p len bytes as received */
struct mf_address mf_msg_target(const struct mf_msg_info *info, const uint8_t *payload, size_t len);

/** @brief A float from its bits. */
float mf_f32_from_bits(uint32_t bits);

/** @brief The bits of a float, a not-a-number always as 0x7FC00000. */
uint32_t mf_f32_bits(float value);

#endif

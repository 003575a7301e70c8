/* SPDX-License-Identifier: Apache-2.0 */
#include "mavlink/message.h"

#include "hal/assert.h"

#include <string.h>

/*
 * An entry of a field table cannot name the struct that its field lies in, but every field of
 * messages.def stands on a line of its own. So the compiler does the counting in types whose
 * members are named by line; offsets and sizes of these types are the numbers in the tables.
 * No object of them exists.
 */
#define AT_LINE_(line) line_##line
#define AT_LINE(line)  AT_LINE_(line)
#define HERE           AT_LINE(__LINE__)

#define SIZE_OF(type, member) sizeof(((type *)0)->member)

/* clang-format off */
/* The message structs once more, each at offset 0: where a field lies in its struct. */
union layout {
#define MSG(NAME, name, id, crc_extra) struct {
#define F(type, name)                      mf_wire_##type HERE;
#define A(type, name, n)                   mf_wire_##type HERE[n];
#define END(NAME, name)                };
#include "mavlink/messages.def"
};

/* A byte per field: a message's offset is the index of its first field, its size their number. */
struct field_index {
#define MSG(NAME, name, id, crc_extra) struct {
#define F(type, name)                      char HERE;
#define A(type, name, n)                   char HERE;
#define END(NAME, name)                } name;
#include "mavlink/messages.def"
};

/* The bytes on the wire, with extensions and without. */
union wire_max {
#define MSG(NAME, name, id, crc_extra) struct {
#define F(type, name)                      char HERE[sizeof(mf_wire_##type)];
#define A(type, name, n)                   char HERE[sizeof(mf_wire_##type) * (n)];
#define END(NAME, name)                } name;
#include "mavlink/messages.def"
};

union wire_min {
#define MSG(NAME, name, id, crc_extra) struct {
#define F(type, name)                      char HERE[sizeof(mf_wire_##type)];
#define A(type, name, n)                   char HERE[sizeof(mf_wire_##type) * (n)];
#define EXT(type, name)
#define EXT_A(type, name, n)
#define END(NAME, name)                } name;
#include "mavlink/messages.def"
};

/* ROLE(name) is the second of two arguments where ROLE_OF_name stands below, else the 0
 * behind it. */
#define ROLE_OF_target_system    0, MF_FIELD_TARGET_SYSTEM
#define ROLE_OF_target_component 0, MF_FIELD_TARGET_COMPONENT
#define SECOND(a, b, ...) b
#define EXPAND(...)       SECOND(__VA_ARGS__, MF_FIELD_PLAIN, 0)
#define ROLE(name)        EXPAND(ROLE_OF_##name)

static const struct mf_field k_fields[] = {
#define F(type, name)    {offsetof(union layout, HERE), MF_WIRE_##type, ROLE(name), 1},
#define A(type, name, n) {offsetof(union layout, HERE), MF_WIRE_##type, MF_FIELD_PLAIN, n},
#include "mavlink/messages.def"
};

static const struct mf_msg_info k_messages[] = {
#define MSG(NAME, name, id, crc_extra)                                          \
    {id, offsetof(struct field_index, name), SIZE_OF(struct field_index, name), \
     crc_extra, SIZE_OF(union wire_min, name), SIZE_OF(union wire_max, name)},
#include "mavlink/messages.def"
};

/* Sizes of wire types; a size decides how a field is copied, so types of one size share their
 * code. */
static const uint8_t k_size[] = {
#define X(name, ctype, size, xml) [MF_WIRE_##name] = (size),
    MF_WIRE_TYPE_LIST(X)
#undef X
};

#define X(name, ctype, size, xml) _Static_assert(sizeof(ctype) == (size), #name ": size");
MF_WIRE_TYPE_LIST(X)
#undef X

#define MSG(NAME, name, id, crc_extra)                                                     \
    _Static_assert((id) < 1 << 24 && (crc_extra) <= UINT8_MAX, #NAME ": id or CRC_EXTRA"); \
    _Static_assert(SIZE_OF(struct field_index, name) <= UINT8_MAX, #NAME ": fields");      \
    _Static_assert(SIZE_OF(union wire_max, name) <= MF_PAYLOAD_MAX, #NAME ": payload");    \
    _Static_assert(SIZE_OF(union wire_max, name) <= sizeof(struct mf_msg_##name), #NAME);
#include "mavlink/messages.def"
/* clang-format on */

_Static_assert(sizeof(union layout) == sizeof(union mf_msg), "the mirror of the message structs");
_Static_assert(sizeof k_fields / sizeof k_fields[0] == sizeof(struct field_index), "field count");
_Static_assert(sizeof(struct field_index) <= UINT16_MAX, "field_first is 16 bits wide");

#define MESSAGE_COUNT (sizeof k_messages / sizeof k_messages[0])

/* The least id that is not smaller: ids ascend in the table, which a test holds. */
const struct mf_msg_info *mf_msg_find(uint32_t id)
{
    size_t low = 0;
    size_t high = MESSAGE_COUNT;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (k_messages[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < MESSAGE_COUNT && k_messages[low].id == id ? &k_messages[low] : NULL;
}

const struct mf_msg_info *mf_msg_table(size_t *count)
{
    MF_ASSERT(count != NULL);
    *count = MESSAGE_COUNT;
    return k_messages;
}

const struct mf_field *mf_fields(void)
{
    return k_fields;
}

/* Byte by byte: the same on every processor, and no address must be aligned. */
static void put_u16(uint8_t *out, uint16_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
}

static void put_u32(uint8_t *out, uint32_t value)
{
    put_u16(out, (uint16_t)value);
    put_u16(out + 2, (uint16_t)(value >> 16));
}

static void put_u64(uint8_t *out, uint64_t value)
{
    put_u32(out, (uint32_t)value);
    put_u32(out + 4, (uint32_t)(value >> 32));
}

static uint16_t get_u16(const uint8_t *in)
{
    return (uint16_t)(in[0] | in[1] << 8);
}

static uint32_t get_u32(const uint8_t *in)
{
    return get_u16(in) | (uint32_t)get_u16(in + 2) << 16;
}

static uint64_t get_u64(const uint8_t *in)
{
    return get_u32(in) | (uint64_t)get_u32(in + 4) << 32;
}

/* Sign and payload of a not-a-number depend on the processor and the compiler that made it. */
static uint32_t one_nan(uint32_t bits)
{
    return (bits & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC00000u : bits;
}

/* Copy an element from the host's form to the wire's. As an integer: passing a float on may change
 * a signalling NaN. */
static void put_element(uint8_t *out, const uint8_t *from, enum mf_wire_type type)
{
    if (k_size[type] == 2) {
        uint16_t value;
        memcpy(&value, from, sizeof value);
        put_u16(out, value);
    } else if (k_size[type] == 4) {
        uint32_t value;
        memcpy(&value, from, sizeof value);
        put_u32(out, type == MF_WIRE_f32 ? one_nan(value) : value);
    } else {
        uint64_t value;
        memcpy(&value, from, sizeof value);
        put_u64(out, value);
    }
}

/* Copy an element from the wire's form to the host's. The bits of a not-a-number stay, since
 * commands echo what a client sent. */
static void get_element(uint8_t *to, const uint8_t *in, enum mf_wire_type type)
{
    if (k_size[type] == 2) {
        const uint16_t value = get_u16(in);
        memcpy(to, &value, sizeof value);
    } else if (k_size[type] == 4) {
        const uint32_t value = get_u32(in);
        memcpy(to, &value, sizeof value);
    } else {
        const uint64_t value = get_u64(in);
        memcpy(to, &value, sizeof value);
    }
}

/* Wire order is the order of the table, so neither direction sorts anything. */
size_t mf_msg_pack(const struct mf_msg_info *info, const void *msg, uint8_t payload[MF_PAYLOAD_MAX])
{
    MF_ASSERT(info != NULL && msg != NULL && payload != NULL);
    const struct mf_field *field = &k_fields[info->field_first];
    const struct mf_field *const end = field + info->field_count;
    uint8_t *out = payload;
    for (; field < end; field++) {
        const uint8_t *from = (const uint8_t *)msg + field->offset;
        const size_t size = k_size[field->type];
        const size_t bytes = size * field->count;
        if (size == 1) {
            memcpy(out, from, bytes);
        } else {
            for (size_t i = 0; i < bytes; i += size) {
                put_element(out + i, from + i, (enum mf_wire_type)field->type);
            }
        }
        out += bytes;
    }
    MF_ASSERT(out == payload + info->len_max); /* the field table and the sizes agree */
    return info->len_max;
}

/* The sender may know fewer extensions than the table, or more: both are normal. */
void mf_msg_unpack(const struct mf_msg_info *info, const uint8_t *payload, size_t len, void *msg)
{
    MF_ASSERT(info != NULL && msg != NULL && payload != NULL);
    uint8_t whole[MF_PAYLOAD_MAX];
    /* a short payload is completed once, instead of a check for every field */
    if (len < info->len_max) {
        memset(whole, 0, info->len_max);
        memcpy(whole, payload, len);
        payload = whole;
    }
    const struct mf_field *field = &k_fields[info->field_first];
    const struct mf_field *const end = field + info->field_count;
    for (; field < end; field++) {
        uint8_t *to = (uint8_t *)msg + field->offset;
        const size_t size = k_size[field->type];
        const size_t bytes = size * field->count;
        if (size == 1) {
            memcpy(to, payload, bytes);
        } else {
            for (size_t i = 0; i < bytes; i += size) {
                get_element(to + i, payload + i, (enum mf_wire_type)field->type);
            }
        }
        payload += bytes;
    }
}

/* Find the two fields of the target without unpacking the message, since routed frames are not
 * decoded. A target that was cut off as a trailing zero reads as 0, which means all. */
struct mf_address mf_msg_target(const struct mf_msg_info *info, const uint8_t *payload, size_t len)
{
    MF_ASSERT(info != NULL && payload != NULL);
    struct mf_address target = {0, 0};
    const struct mf_field *field = &k_fields[info->field_first];
    const struct mf_field *const end = field + info->field_count;
    size_t at = 0;
    for (; field < end && at < len; field++) { /* fields of one byte: their first is their value */
        if (field->role == MF_FIELD_TARGET_SYSTEM) {
            target.system = payload[at];
        } else if (field->role == MF_FIELD_TARGET_COMPONENT) {
            target.component = payload[at];
        }
        at += (size_t)k_size[field->type] * field->count;
    }
    return target;
}

/* Convert bits with memcpy(): a union would do as well in C, a cast of pointers would not. */
float mf_f32_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t mf_f32_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return one_nan(bits);
}

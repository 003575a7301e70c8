/* SPDX-License-Identifier: Apache-2.0 */
#include "mavlink/names.h"

#include "hal/assert.h"

/* All names in one object, found by offset: no pointers, so no relocations. Members are named by
 * the line of messages.def that they come from, as in message.c. */
#define AT_LINE_(line) line_##line
#define AT_LINE(line)  AT_LINE_(line)
#define HERE           AT_LINE(__LINE__)

/* clang-format off */
/* The names that most messages have are kept once: a field of such a name has an empty text of its
 * own. PICK(X_name, other) is the second of what X_name stands for, or else the other. */
#define SHARED_LIST(X) X(target_system) X(target_component) X(time_boot_ms) X(time_usec)
#define TEXT_target_system    0, ""
#define TEXT_target_component 0, ""
#define TEXT_time_boot_ms     0, ""
#define TEXT_time_usec        0, ""
#define AT_target_system      0, offsetof(struct text, shared_target_system)
#define AT_target_component   0, offsetof(struct text, shared_target_component)
#define AT_time_boot_ms       0, offsetof(struct text, shared_time_boot_ms)
#define AT_time_usec          0, offsetof(struct text, shared_time_usec)
#define SECOND(a, b, ...) b
#define PICK(...)         SECOND(__VA_ARGS__, 0)
#define TEXT(name)        PICK(TEXT_##name, #name)
#define AT(name)          PICK(AT_##name, offsetof(struct text, HERE))

struct text {
#define X(name) char shared_##name[sizeof #name];
    SHARED_LIST(X)
#undef X
#define MSG(NAME, name, id, crc_extra) char name[sizeof #NAME];
#define F(type, name)                  char HERE[sizeof TEXT(name)];
#define A(type, name, n)               char HERE[sizeof TEXT(name)];
#include "mavlink/messages.def"
};

static const struct text k_text = {
#define X(name) #name,
    SHARED_LIST(X)
#undef X
#define MSG(NAME, name, id, crc_extra) #NAME,
#define F(type, name)                  TEXT(name),
#define A(type, name, n)               TEXT(name),
#include "mavlink/messages.def"
};

static const uint16_t k_message_at[] = {
#define MSG(NAME, name, id, crc_extra) offsetof(struct text, name),
#include "mavlink/messages.def"
};

/* Place of a field's name, and a bit for extensions: half as large as a table with two members. */
#define EXTENSION 0x8000u
static const uint16_t k_field[] = {
#define F(type, name)       AT(name),
#define A(type, name, n)    AT(name),
#define EXT(type, name)     EXTENSION | AT(name),
#define EXT_A(type, name, n) EXTENSION | AT(name),
#include "mavlink/messages.def"
};

static const char k_wire_type[][sizeof "uint16_t"] = {
#define X(name, ctype, size, xml) [MF_WIRE_##name] = xml,
    MF_WIRE_TYPE_LIST(X)
#undef X
};
/* clang-format on */

_Static_assert(sizeof(struct text) <= EXTENSION, "offsets are 15 bits wide");

/* Find a name by the place of the message in the table of messages, which is made from the same
 * file in the same order. */
const char *mf_msg_name(uint32_t id)
{
    const struct mf_msg_info *info = mf_msg_find(id);
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    return info == NULL ? NULL : (const char *)&k_text + k_message_at[info - table];
}

const char *mf_field_name(const struct mf_msg_info *info, size_t field)
{
    MF_ASSERT(info != NULL && field < info->field_count);
    return (const char *)&k_text +
           (k_field[info->field_first + field] & ~EXTENSION); /* ends with its NUL */
}

bool mf_field_is_extension(const struct mf_msg_info *info, size_t field)
{
    MF_ASSERT(info != NULL && field < info->field_count);
    return (k_field[info->field_first + field] & EXTENSION) != 0;
}

const char *mf_wire_type_name(enum mf_wire_type type)
{
    MF_ASSERT((size_t)type < sizeof k_wire_type / sizeof k_wire_type[0]);
    return k_wire_type[type];
}

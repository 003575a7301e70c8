/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the table, from any payload and back; their names; the frames that are made
 * of them. */
#include "mavlink/message.h"

#include <string.h>

#include "mavlink/names.h"
#include "mavlink/sign.h"
#include "tests/prove/any.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

void prove_message(void);
void prove_message_ends(void);
void prove_names(void);
void prove_encode(void);
void prove_signature(void);

static union mf_msg message;
static uint8_t payload[MF_PAYLOAD_MAX], frame[MF_FRAME_MAX], key[MF_SIGN_KEY_BYTES];

/* Every message, from any bytes of any number. */
void prove_message(void)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    any_bytes(payload, sizeof payload);
    //@ loop unroll 1000;
    for (size_t i = 0; i < count; i++) {
        const struct mf_msg_info *info = &table[i];
        const size_t len = any_size(0, sizeof payload);
        mf_msg_unpack(info, payload, len, &message);
        must_hold(mf_msg_pack(info, &message, frame) <= sizeof payload);
        must_be_readable(frame, info->len_max);
        (void)mf_msg_target(info, payload, len);
    }
}

/* Behind the payload there is nothing that may be read: the lengths at which the
 * program decides. */
void prove_message_ends(void)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    any_bytes(payload, sizeof payload);
    //@ loop unroll 1000;
    for (size_t i = 0; i < count; i++) {
        const size_t most = table[i].len_max;
        const size_t lens[] = {1, most > 1 ? most - 1 : 1, most, sizeof payload};
        //@ loop unroll 4;
        for (size_t k = 0; k < COUNT(lens); k++) {
            const uint8_t *start = payload + sizeof payload - lens[k];
            mf_msg_unpack(&table[i], start, lens[k], &message);
            (void)mf_msg_target(&table[i], start, lens[k]);
        }
    }
}

/* Every id, known or not. */
void prove_names(void)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    const struct mf_msg_info *found = mf_msg_find((uint32_t)any(0, UINT32_MAX));
    if (found != NULL) {
        must_be_readable(found, sizeof *found);
    }
    //@ loop unroll 1000;
    for (size_t i = 0; i < count; i++) {
        must_hold(strlen(mf_msg_name(table[i].id)) > 0);
        //@ loop unroll 1000;
        for (size_t field = 0; field < table[i].field_count; field++) {
            must_hold(strlen(mf_field_name(&table[i], field)) > 0);
            (void)mf_field_is_extension(&table[i], field);
        }
    }
}

/* Every message with any content, as a frame. */
void prove_encode(void)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    //@ loop unroll 1000;
    for (size_t i = 0; i < count; i++) {
        const struct mf_sender from = {either() ? 1 : 2, (uint8_t)any(0, 255), 1, 1};
        any_bytes(&message, sizeof message);
        must_hold(mf_frame_encode(&from, &table[i], &message, frame) <=
                  MF_FRAME_MAX - MF_SIGNATURE_BYTES);
    }
}

/* Any frame that was encoded, and any bytes that the parser may take for a signed one. */
void prove_signature(void)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    any_bytes(frame, sizeof frame);
    any_bytes(key, sizeof key);
    frame[0] = MF_STX_V2;
    const size_t n = any_size(12, sizeof frame - MF_SIGNATURE_BYTES);
    const struct mf_signature by = {(uint8_t)any(0, 255), (uint64_t)any(0, INT64_MAX)};
    must_hold(mf_frame_sign(frame, n, &table[any_size(0, count - 1)], key, by) <= sizeof frame);
    const struct mf_frame received = {
        .payload = frame + 10,
        .raw = frame,
        .raw_len = (uint16_t)any_size(25, sizeof frame),
        .version = 2,
        .incompat = MF_INCOMPAT_SIGNED,
    };
    (void)mf_frame_signature(&received);
    (void)mf_frame_signed_with(&received, key);
}

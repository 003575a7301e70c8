/* SPDX-License-Identifier: Apache-2.0 */
/* Form of recordings. Called by drone/recorder, host/record, boards/conform and tools/replay. */
#include "drone/record.h"

#include "hal/types.h"
#include "mavlink/frame.h"

#include <string.h>

_Static_assert(MF_RECORD_HEAD_BYTES + MF_RECORD_CRC_BYTES == MF_RECORD_FRAME_BYTES,
               "the frame of a record");

static const struct mf_record_info k_info[] = {
#define X(name, number, link, values, bytes, kind) \
    {#name, (number), (values), (link) != 0, (bytes) != 0, MF_RECORD_##kind},
    MF_RECORD_LIST(X)
#undef X
};

const struct mf_record_info *mf_record_info(unsigned type)
{
    for (size_t i = 0; i < sizeof k_info / sizeof k_info[0]; i++) {
        if (k_info[i].type == type) {
            return &k_info[i];
        }
    }
    return NULL;
}

void mf_record_put(uint8_t *at, uint64_t value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

uint64_t mf_record_get(const uint8_t *at, size_t n)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++) {
        value |= (uint64_t)at[i] << 8 * i;
    }
    return value;
}

void mf_recording_header(uint8_t *out)
{
    for (size_t i = 0; i < 4; i++) {
        out[i] = (uint8_t)MF_RECORDING_MAGIC[i];
    }
    mf_record_put(out + 4, MF_RECORDING_VERSION, 2);
    mf_record_put(out + 6, 0, 2);
}

size_t mf_record_fixed_bytes(const struct mf_record_info *info)
{
    return (info->has_link ? MF_RECORD_LINK_BYTES : 0u) + MF_RECORD_VALUE_BYTES * info->values;
}

size_t mf_record_encode(const struct mf_record *record, uint8_t *out)
{
    const struct mf_record_info *info = mf_record_info(record->type);
    MF_ASSERT(info != NULL && (info->has_bytes || record->n == 0));
    const size_t n = mf_record_fixed_bytes(info) + record->n;
    MF_ASSERT(n <= MF_RECORD_PAYLOAD_MAX);
    out[0] = info->type;
    mf_record_put(out + 1, n, 2);
    uint8_t *at = out + MF_RECORD_HEAD_BYTES;
    if (info->has_link) {
        mf_record_put(at, record->link, MF_RECORD_LINK_BYTES);
        at += MF_RECORD_LINK_BYTES;
    }
    for (size_t i = 0; i < info->values; i++) {
        mf_record_put(at, (uint64_t)record->value[i], MF_RECORD_VALUE_BYTES);
        at += MF_RECORD_VALUE_BYTES;
    }
    if (record->n > 0) {
        memcpy(at, record->bytes, record->n);
    }
    mf_record_put(out + MF_RECORD_HEAD_BYTES + n,
                  mf_crc16(MF_RECORD_CRC_START, out, MF_RECORD_HEAD_BYTES + n),
                  MF_RECORD_CRC_BYTES);
    return MF_RECORD_FRAME_BYTES + n;
}

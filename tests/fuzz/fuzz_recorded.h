/* SPDX-License-Identifier: Apache-2.0 */
/** A recording whose header, lengths and checksums are right, from any bytes: fuzzers reach with it
 * what lies behind them. */
#ifndef MF_TESTS_FUZZ_RECORDED_H
#define MF_TESTS_FUZZ_RECORDED_H

#include "drone/record.h"
#include "mavlink/frame.h"

#include <string.h>

#define FUZZ_RECORD_TYPES 19u /* one more than MF_RECORD_LIST has */

/* Bytes that the recording of an input of @p size bytes needs at most. */
#define FUZZ_RECORDED_BYTES(size) (MF_RECORDING_HEADER_BYTES + 4u * (size))

/* Each record of the input is its type, a byte with the length of the rest, and the rest. @param
 * out  [FUZZ_RECORDED_BYTES(size)] @return the length of the recording [bytes] */
static inline size_t fuzz_recorded(const uint8_t *data, size_t size, uint8_t *out)
{
    size_t n = MF_RECORDING_HEADER_BYTES;
    mf_recording_header(out);
    for (size_t at = 0; at + 2u <= size;) {
        const size_t left = size - at - 2u, wanted = data[at + 1u];
        const size_t length = wanted < left ? wanted : left;
        const size_t crc_at = MF_RECORD_HEAD_BYTES + length;
        uint8_t *record = out + n;
        record[0] = (uint8_t)(data[at] % FUZZ_RECORD_TYPES);
        mf_record_put(record + 1, length, 2);
        memcpy(record + MF_RECORD_HEAD_BYTES, data + at + 2u, length);
        mf_record_put(record + crc_at, mf_crc16(MF_RECORD_CRC_START, record, crc_at),
                      MF_RECORD_CRC_BYTES);
        n += crc_at + MF_RECORD_CRC_BYTES;
        at += 2u + length;
    }
    return n;
}

#endif

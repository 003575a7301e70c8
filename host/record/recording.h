/* SPDX-License-Identifier: Apache-2.0 */
/** Reader of recordings (drone/record.h) from a stream. */
#ifndef MF_HOST_RECORD_RECORDING_H
#define MF_HOST_RECORD_RECORDING_H

#include "drone/record.h"

/** Result of reading. */
enum mf_recording_state {
    MF_RECORDING_RECORD, /**< a record was read */
    MF_RECORDING_OVER,   /**< the stream has ended after a complete record */
    MF_RECORDING_CUT, /**< the stream ended within a record: its writer was killed, or still writes
                       */
    MF_RECORDING_DAMAGED, /**< the bytes are not a recording, or damaged; see error */
};

/** Reader. Fill in read and ctx, zero the rest. */
struct mf_recording_reader {
    /** Read up to @p n bytes. @return their number; 0 at the end */
    size_t (*read)(void *ctx, uint8_t *bytes, size_t n);
    void *ctx;
    uint64_t at;    /**< offset in the stream, after the last record [bytes] */
    uint64_t count; /**< number of records read */
    char error[160];
    uint8_t buffer[MF_RECORD_MAX];
};

/** @brief Read the next record. The first call checks the header. After any other result than a
 * record the reader is finished. */
enum mf_recording_state mf_recording_next(struct mf_recording_reader *reader,
                                          struct mf_record *record);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/** Reads recordings (drone/record.h) from a stream. */
#ifndef MF_HOST_RECORD_RECORDING_H
#define MF_HOST_RECORD_RECORDING_H

#include "drone/record.h"

/** How reading went. */
enum mf_recording_state {
    MF_RECORDING_RECORD, /**< there is one */
    MF_RECORDING_OVER,   /**< the stream ended behind a whole record */
    MF_RECORDING_CUT,    /**< it ended in the middle of one: what writes it was killed, or writes */
    MF_RECORDING_DAMAGED, /**< these bytes are no recording, or not any more; see error */
};

/** Reads a recording from a stream. Fill in read and ctx, zero the rest. */
struct mf_recording_reader {
    /** Up to @p n bytes. @return how many; 0 at the end */
    size_t (*read)(void *ctx, uint8_t *bytes, size_t n);
    void *ctx;
    uint64_t at;    /**< offset in the stream, behind the last record [bytes] */
    uint64_t count; /**< records read */
    char error[160];
    uint8_t buffer[MF_RECORD_MAX];
};

/** @brief Take the next record. The first call checks the header. After anything but a record the
 * reader is done. */
enum mf_recording_state mf_recording_next(struct mf_recording_reader *reader,
                                          struct mf_record *record);

#endif

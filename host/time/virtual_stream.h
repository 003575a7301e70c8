/* SPDX-License-Identifier: Apache-2.0 */
/** Streams of programs in virtual time: the events that cross a simulated network (docs/bus.md),
 * and the bytes that wait for a program. */
#ifndef MF_HOST_TIME_VIRTUAL_STREAM_H
#define MF_HOST_TIME_VIRTUAL_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MF_STREAM_HEAD 8u /* bytes of an event before its data */

enum mf_stream_kind {
    MF_STREAM_OPEN = 1,
    MF_STREAM_ANSWER,
    MF_STREAM_ACCEPTED,
    MF_STREAM_DATA,
    MF_STREAM_END,
    MF_STREAM_RESET
};

struct mf_stream_event {
    enum mf_stream_kind kind;
    uint8_t why;          /**< errno of an answer; 0: it opens */
    uint16_t port;        /**< at which the stream is opened */
    uint32_t number;      /**< of the stream */
    const uint8_t *bytes; /**< [n], of DATA; of a read event the caller's */
    size_t n;
};

/** @brief Write an event. @param to  out [MF_STREAM_HEAD + n]  @return its length [bytes] */
size_t mf_stream_write(const struct mf_stream_event *e, uint8_t *to);

/** @brief Read an event. @return false: the bytes are not an event */
bool mf_stream_read(const uint8_t *bytes, size_t n, struct mf_stream_event *e);

struct mf_stream_piece;

/** Bytes in their order, in pieces of the heap. Zero it to begin. */
struct mf_stream_bytes {
    struct mf_stream_piece *first, *last;
};

/** @brief Append bytes. @return false: no memory; they are lost */
bool mf_stream_bytes_put(struct mf_stream_bytes *b, const uint8_t *bytes, size_t n);

/** @brief The next bytes. @param n  out: how many  @return NULL: no bytes wait */
const uint8_t *mf_stream_bytes_next(const struct mf_stream_bytes *b, size_t *n);

/** @brief Remove bytes from the front. @param n  at most that of mf_stream_bytes_next() */
void mf_stream_bytes_took(struct mf_stream_bytes *b, size_t n);

/** @brief Remove and free all. */
void mf_stream_bytes_free(struct mf_stream_bytes *b);

#endif

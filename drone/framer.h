/* SPDX-License-Identifier: Apache-2.0 */
/** Splits the bytes of a serial device into whole frames and the bytes between them, in their
 * order, for wrappers between a device and the vehicle. */
#ifndef MF_DRONE_FRAMER_H
#define MF_DRONE_FRAMER_H

#include "hal/serial.h"
#include "mavlink/frame.h"

/** Most bytes that one call reads from the device, and size of a chunk. */
#define MF_FRAMER_TAKE_MAX   8192u
#define MF_FRAMER_TAKE_CHUNK 512u

/** Receiver of the pieces. The pointers are valid during the call. */
struct mf_framer_ops {
    void (*frame)(void *ctx, const struct mf_frame *frame);
    /** Bytes outside all frames. */
    void (*stray)(void *ctx, const uint8_t *bytes, size_t n);
};

struct mf_framer {
    const struct mf_framer_ops *ops;
    void *ctx;
    mf_us_t gap_us; /**< silence after which an incomplete frame is dropped; MF_NEVER */
    struct mf_parser parser;
};

/** @brief Begin. @param ctx  context of ops */
void mf_framer_init(struct mf_framer *c, const struct mf_framer_ops *ops, void *ctx);

/** @brief Read arrived bytes, in chunks, @p most bytes or somewhat more.
 * @return last result of the device */
int mf_framer_take(struct mf_framer *c, const struct mf_serial *serial, size_t most,
                   mf_us_t now_us);

/** @brief Drop an incomplete frame, because its sender is silent: its bytes are not a frame. */
void mf_framer_give_up(struct mf_framer *c);

#endif

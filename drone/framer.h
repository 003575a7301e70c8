/* SPDX-License-Identifier: Apache-2.0 */
/** Whole frames out of what a serial device brings, and the bytes between them, in their order. For
 * what stands between a device and the vehicle. */
#ifndef MF_DRONE_FRAMER_H
#define MF_DRONE_FRAMER_H

#include "hal/serial.h"
#include "mavlink/frame.h"

/** Bytes that one look at the device takes in at most, and at once. */
#define MF_FRAMER_TAKE_MAX   8192u
#define MF_FRAMER_TAKE_CHUNK 512u

/** Who gets them. The pointers are valid during the call. */
struct mf_framer_ops {
    void (*frame)(void *ctx, const struct mf_frame *frame);
    /** Bytes that belong to no frame. */
    void (*stray)(void *ctx, const uint8_t *bytes, size_t n);
};

struct mf_framer {
    const struct mf_framer_ops *ops;
    void *ctx;
    mf_us_t gap_us; /**< when a begun frame is given up; MF_NEVER */
    struct mf_parser parser;
};

/** @brief Begin. @param ctx  of ops */
void mf_framer_init(struct mf_framer *c, const struct mf_framer_ops *ops, void *ctx);

/** @brief Take in what has arrived, in chunks, @p most bytes or somewhat more.
 *  @return what the device said last */
int mf_framer_take(struct mf_framer *c, const struct mf_serial *serial, size_t most,
                   mf_us_t now_us);

/** @brief The sender has fallen silent: what was begun is none. */
void mf_framer_give_up(struct mf_framer *c);

#endif

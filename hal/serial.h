/* SPDX-License-Identifier: Apache-2.0 */
/** Contract: a way to exchange bytes with one peer (UART, TCP connection, one UDP peer). Never
 * blocks. */
#ifndef MF_HAL_SERIAL_H
#define MF_HAL_SERIAL_H

#include "hal/types.h"

struct mf_serial_ops {
    /** Queue one frame: all @p n bytes or none. @return n, 0 if the room is too small now, MF_E_IO
     * if the device is gone. */
    int (*write)(void *ctx, const uint8_t *bytes, size_t n);
    /** Bytes that have arrived. @return 0 .. cap, MF_E_IO if the device is gone. */
    int (*read)(void *ctx, uint8_t *bytes, size_t cap);
    /** @return bytes that write() would take now; for long transfers, which yield to
     * the streams. */
    size_t (*room)(void *ctx);
};

struct mf_serial {
    const struct mf_serial_ops *ops;
    void *ctx;     /**< must stay valid until the link that uses it is closed */
    bool datagram; /**< a frame never continues behind a read that did not fill its buffer */
    bool isolated; /**< what others send is not passed on from it, nor to it */
    bool usb;      /**< a cable at the vehicle: MAV_SIGN_CFG 1 does not require signatures on it */
};

static inline int mf_serial_write(const struct mf_serial *s, const uint8_t *bytes, size_t n)
{
    return s->ops->write(s->ctx, bytes, n);
}

static inline int mf_serial_read(const struct mf_serial *s, uint8_t *bytes, size_t cap)
{
    return s->ops->read(s->ctx, bytes, cap);
}

static inline size_t mf_serial_room(const struct mf_serial *s)
{
    return s->ops->room(s->ctx);
}

#endif

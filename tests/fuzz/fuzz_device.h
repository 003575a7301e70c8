/* SPDX-License-Identifier: Apache-2.0 */
/** A serial device that reads from memory and has room for whatever is written; what is written the
 * fuzzer looks at itself. */
#ifndef MF_TESTS_FUZZ_DEVICE_H
#define MF_TESTS_FUZZ_DEVICE_H

#include "hal/serial.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

struct fuzz_device {
    const uint8_t *bytes; /* what is left to be read */
    size_t len;
};

/* The context of the device begins with a struct fuzz_device. */
static inline int fuzz_device_read(void *ctx, uint8_t *bytes, size_t cap)
{
    struct fuzz_device *d = ctx;
    const size_t n = d->len < cap ? d->len : cap;
    check(bytes != NULL && cap > 0);
    if (n > 0) {
        memcpy(bytes, d->bytes, n);
        d->bytes += n;
        d->len -= n;
    }
    return (int)n;
}

static inline size_t fuzz_device_room(void *ctx)
{
    (void)ctx;
    return SIZE_MAX;
}

/* One more byte to be read, if there is room for it. @param in  [cap] the device's own memory */
static inline void fuzz_device_say(struct fuzz_device *d, uint8_t *in, size_t cap, uint8_t byte)
{
    if (d->len == cap) {
        return;
    }
    if (d->len > 0) {
        memmove(in, d->bytes, d->len);
    }
    in[d->len++] = byte;
    d->bytes = in;
}

#endif

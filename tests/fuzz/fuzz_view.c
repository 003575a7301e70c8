/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes recordings of a swarm's pictures that mayfly-view shows. The first byte says whether the
 * rest is the file as it is, or frames without version and lengths: of each come its type, the time
 * since the frame before, and the length of its payload, a byte each. Then a browser asks for
 * times.
 */
#include "boards/view/recording.h"
#include "fleet/bus.h"
#include "tests/fuzz/fuzz_file.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define FILE_MAX  4096u
#define FRAME_NS  100000000u
#define SEEKS_MAX 8u

static struct {
    uint8_t bytes[FILE_MAX + (FILE_MAX / 3u + 1u) * MF_BUS_HEADER];
    size_t n;
} s_file;

static void put_frames(const uint8_t *data, size_t size)
{
    uint64_t ns = 0;
    for (size_t at = 0; at + 3u <= size;) {
        const size_t left = size - at - 3u, wanted = data[at + 2u];
        const size_t n = wanted < left ? wanted : left;
        uint8_t *frame = s_file.bytes + s_file.n;
        ns += (uint64_t)data[at + 1u] * FRAME_NS;
        memset(frame, 0, MF_BUS_HEADER);
        frame[0] = MF_BUS_VERSION;
        frame[1] = data[at];
        frame[2] = (uint8_t)n;
        for (unsigned i = 0; i < 8u; i++) {
            frame[8u + i] = (uint8_t)(ns >> 8u * i);
        }
        memcpy(frame + MF_BUS_HEADER, data + at + 3u, n);
        s_file.n += MF_BUS_HEADER + n;
        at += 3u + n;
    }
}

/* ---- a server without browsers takes the place of boards/swarm/page/page_server.c */

static void (*s_seek)(void *ctx, double at_s);
static void *s_ctx;
static size_t s_kept;

void swarm_page_server_keep(struct swarm_page_server *s, const struct mf_bus_frame *f)
{
    static volatile uint8_t s_sum;
    (void)s;
    check(f->n <= MF_BUS_PAYLOAD_MAX);
    for (size_t i = 0; i < f->n + MF_BUS_HEADER; i++) { /* its header stands before it */
        s_sum = (uint8_t)(s_sum + (f->payload - MF_BUS_HEADER)[i]);
    }
    s_kept++;
}

void swarm_page_server_seek(struct swarm_page_server *s, void (*seek)(void *ctx, double at_s),
                            void *ctx)
{
    (void)s;
    s_seek = seek;
    s_ctx = ctx;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *why = NULL;
    if (size < 2 || size > FILE_MAX) {
        return 0;
    }
    s_file.n = 0;
    if (data[0] % 2u == 0) {
        memcpy(s_file.bytes, data + 1, size - 1);
        s_file.n = size - 1;
    } else {
        put_frames(data + 1, size - 1);
    }
    const char *path = fuzz_file_path(s_file.bytes, s_file.n);
    struct view_recording *r = view_recording_open(path, &why);
    check((r == NULL) == (why != NULL));
    if (r == NULL) {
        return 0;
    }
    (void)view_recording_is_cut(r);
    s_kept = 0;
    view_recording_serve(r, NULL);
    check(s_kept > 0);
    for (size_t i = 0; i < SEEKS_MAX && i < size; i++) {
        s_seek(s_ctx, data[i] == 0xFF ? (double)NAN : data[i] * 0.1 - 1.0);
    }
    if (data[0] % 4u == 1) { /* the file is shortened meanwhile */
        check(truncate(path, (off_t)(s_file.n / 2u)) == 0);
        s_seek(s_ctx, 1e9);
    }
    s_seek(s_ctx, 0.0);
    view_recording_close(r);
    return 0;
}

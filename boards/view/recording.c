/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings of a swarm's pictures, for boards/view/main.c: the index of a file, and the pictures
 * of one time. */
#include "boards/view/recording.h"

#include "fleet/bus.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maximum number of pictures between two requests of a browser that are all shown; of more, only
 * the last one is. */
#define CAUGHT_UP 16u

/* All frames of one instant of a recording. */
struct picture {
    size_t from; /* place of the first of these frames in the file [bytes] */
    uint64_t ns;
};

/* A recording and its reader. Reads go through a buffer, not a mapping: a program that shortens the
 * file must not crash this one. */
struct view_recording {
    struct swarm_page_server *server;
    int fd;
    size_t size, n;    /* n: end of the last complete frame [bytes] */
    size_t from, held; /* place and number of the file's bytes in the buffer */
    uint8_t bytes[4u * (MF_BUS_HEADER + MF_BUS_PAYLOAD_MAX)];
    struct picture *picture;
    size_t count, capacity;
    size_t shown; /* index of the picture that the server shows */
};

/* ---- reading */

/* Find bytes of the file, from a place on. @return valid until the next call; NULL: the file ends
 * before @p n bytes */
static const uint8_t *bytes_at(struct view_recording *r, size_t at, size_t n)
{
    if (at < r->from || at + n > r->from + r->held) {
        const ssize_t got = pread(r->fd, r->bytes, sizeof r->bytes, (off_t)at);
        r->from = at;
        r->held = got > 0 ? (size_t)got : 0;
    }
    return n <= r->held - (at - r->from) ? r->bytes + (at - r->from) : NULL;
}

/* Read the frame that begins at a byte; its payload is valid until the next call. @return the
 * frame's length [bytes]; 0: no complete frame begins there */
static size_t frame_at(struct view_recording *r, size_t at, struct mf_bus_frame *f)
{
    const uint8_t *b = bytes_at(r, at, MF_BUS_HEADER);
    if (b == NULL || b[0] != MF_BUS_VERSION) {
        return 0;
    }
    const size_t n = b[2] | (size_t)b[3] << 8;
    b = n <= MF_BUS_PAYLOAD_MAX ? bytes_at(r, at, MF_BUS_HEADER + n) : NULL;
    if (b == NULL) {
        return 0;
    }
    *f = (struct mf_bus_frame){.type = b[1], .payload = b + MF_BUS_HEADER, .n = n};
    for (unsigned i = 0; i < 4u; i++) {
        f->tick |= (uint32_t)b[4u + i] << 8 * i;
    }
    for (unsigned i = 0; i < 8u; i++) {
        f->ns |= (uint64_t)b[8u + i] << 8 * i;
    }
    return MF_BUS_HEADER + n;
}

static bool add_picture(struct view_recording *r, size_t from, uint64_t ns)
{
    if (r->count == r->capacity) {
        const size_t capacity = r->capacity == 0 ? 1024 : 2 * r->capacity;
        struct picture *more = realloc(r->picture, capacity * sizeof *more);
        if (more == NULL) {
            return false;
        }
        r->picture = more;
        r->capacity = capacity;
    }
    r->picture[r->count++] = (struct picture){from, ns};
    return true;
}

/* Index the pictures of the file. @return NULL, or the fault of the file */
static const char *find_pictures(struct view_recording *r)
{
    struct mf_bus_frame f;
    for (size_t n; (n = frame_at(r, r->n, &f)) > 0; r->n += n) {
        const bool later = r->count > 0 && f.ns > r->picture[r->count - 1u].ns;
        if (r->count == 0 && f.type != MF_BUS_WELCOME) {
            break;
        }
        if ((r->count == 0 || later) && !add_picture(r, r->n, f.ns)) {
            return "there is not enough memory for so many pictures";
        }
    }
    return r->count > 0 ? NULL
                        : "is not a file of outputs.pictures; --from shows a swarm that runs";
}

/* Open the file, and read its size. @return NULL, or the reason of the failure */
static const char *open_file(struct view_recording *r, const char *file)
{
    struct stat s;
    r->fd = open(file, O_RDONLY | O_CLOEXEC);
    if (r->fd < 0 || fstat(r->fd, &s) != 0) {
        return strerror(errno);
    }
    r->size = (size_t)s.st_size;
    return NULL;
}

struct view_recording *view_recording_open(const char *file, const char **why)
{
    struct view_recording *r = calloc(1, sizeof *r);
    if (r == NULL) {
        *why = "no memory";
        return NULL;
    }
    *why = open_file(r, file);
    *why = *why == NULL ? find_pictures(r) : *why;
    if (*why != NULL) {
        view_recording_close(r);
        return NULL;
    }
    return r;
}

bool view_recording_is_cut(const struct view_recording *r)
{
    return r->n < r->size;
}

/* ---- showing */

/* Pass the frames of a picture to the server, except for those of clock, end and errors: the page
 * has a clock of its own, and a recording ends with its file. A file that was shortened meanwhile
 * gives fewer frames. */
static void show_picture(struct view_recording *r, size_t k)
{
    const size_t to = k + 1u < r->count ? r->picture[k + 1u].from : r->n;
    struct mf_bus_frame f;
    size_t n = 0;
    for (size_t at = r->picture[k].from; at < to && (n = frame_at(r, at, &f)) > 0; at += n) {
        if (f.type != MF_BUS_TIME && f.type != MF_BUS_END && f.type != MF_BUS_ERROR) {
            swarm_page_server_keep(r->server, &f);
        }
    }
    r->shown = k;
}

/* Find the last picture that is not later than a time, or the first picture for earlier times. */
static size_t find_picture(const struct view_recording *r, double at_s)
{
    const double ns = at_s * 1e9 + 0.5;
    size_t low = 0, high = r->count;
    while (high - low > 1u) {
        const size_t middle = low + (high - low) / 2u;
        if ((double)r->picture[middle].ns <= ns) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void seek_time(void *ctx, double at_s)
{
    struct view_recording *r = ctx;
    const size_t k = isfinite(at_s) ? find_picture(r, at_s) : r->shown;
    if (k > r->shown && k - r->shown <= CAUGHT_UP) {
        while (r->shown < k) {
            show_picture(r, r->shown + 1u);
        }
    } else if (k != r->shown) {
        show_picture(r, k);
    }
}

void view_recording_serve(struct view_recording *r, struct swarm_page_server *s)
{
    static struct mf_bus_writer s_writer; /* too large for the stack */
    const struct picture *first = r->picture, *last = first + r->count - 1u;
    r->server = s;
    mf_bus_begin(&s_writer, MF_BUS_RECORDED, 0, first->ns);
    mf_bus_put_f64(&s_writer, (double)first->ns / 1e9);
    mf_bus_put_f64(&s_writer, (double)last->ns / 1e9);
    mf_bus_end(&s_writer);
    swarm_page_server_keep(s, &(struct mf_bus_frame){.type = MF_BUS_RECORDED,
                                                     .ns = first->ns,
                                                     .payload = s_writer.bytes + MF_BUS_HEADER,
                                                     .n = s_writer.n - MF_BUS_HEADER});
    show_picture(r, 0);
    swarm_page_server_seek(s, seek_time, r);
}

void view_recording_close(struct view_recording *r)
{
    if (r->fd >= 0) {
        (void)close(r->fd);
    }
    free(r->picture);
    free(r);
}

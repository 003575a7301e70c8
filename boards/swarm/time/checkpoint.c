/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads images of a run. program/fly.c calls it. */
#include "boards/swarm/time/checkpoint.h"

#include "boards/swarm/time/course.h"

#include "host/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what a checkpoint belongs to */

const size_t swarm_checkpoint_bytes = sizeof(struct mf_image_key);

static struct mf_image_key *image_key_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_CHECKPOINT];
}

mf_us_t swarm_checkpoint_us(const struct swarm *w)
{
    return isinf(w->command->at_s) ? MF_NEVER : (mf_us_t)(w->command->at_s * 1e6);
}

void swarm_checkpoint_set_key(struct swarm *w)
{
    struct mf_image_key *key = image_key_of(w);
    const struct mf_scenario *s = w->scenario;
    const uint64_t subject[] = {s->sum, s->variation_number, (uint64_t)s->time.clock,
                                mf_scenario_is_linked(s) ? 1u : 0u};
    key->subject = mf_image_sum(0, subject, sizeof subject);
    if (w->arena.used > 0) {
        key->subject = mf_image_sum(key->subject, w->arena.bytes, w->arena.used);
    }
    key->program = swarm_program_sum();
}

/* Parts of an image: the arena, the last fields of struct swarm, and states of systems outside the
 * arena, of which each system may have one. */
enum {
    ARENA,
    SWARM,
    FIRST_STATE,
#define X(...) +1
    PARTS_MAX = FIRST_STATE SWARM_SYSTEMS(X)
#undef X
};
_Static_assert(PARTS_MAX <= MF_IMAGE_PARTS_MAX, "an image has a part for each system");

struct parts {
    struct mf_image_part part[PARTS_MAX];
    const struct swarm_system *of[PARTS_MAX]; /* from FIRST_STATE on */
    uint32_t count;
};

static void find_parts(struct swarm *w, struct parts *p)
{
    *p = (struct parts){.count = FIRST_STATE};
    p->part[ARENA] = (struct mf_image_part){w->arena.bytes, w->arena.used};
    p->part[SWARM] = (struct mf_image_part){&w->engine, sizeof *w - offsetof(struct swarm, engine)};
    for (const struct swarm_system *const *s = w->systems; *s != NULL; s++) {
        if ((*s)->get_saved != NULL) {
            MF_ASSERT(p->count < PARTS_MAX); /* the list has each system once */
            p->of[p->count++] = *s;
        }
    }
}

static int set_file_error(struct swarm *w, const char *path, const char *why)
{
    (void)snprintf(w->error, sizeof w->error, "%s: %s", path, why);
    return SWARM_INPUT;
}

/* Does another process find it at the same place? */
static bool is_in_arena(const struct swarm *w, const void *at)
{
    const uintptr_t p = (uintptr_t)at, arena = (uintptr_t)w->arena.bytes;
    return p >= arena && p < arena + w->arena.used;
}

/* Are all timers of the engine, which all rooms set, in memory that a checkpoint holds? */
static bool engine_is_kept(const struct swarm *w)
{
    const struct mf_engine *e = &w->engine;
    bool kept = true;
    for (uint32_t i = 1; i <= e->count; i++) {
        kept = kept && is_in_arena(w, e->heap[i].timer);
    }
    for (uint32_t i = 0; i < e->group_count; i++) {
        kept = kept && is_in_arena(w, e->group[i]) && is_in_arena(w, e->group[i]->id);
    }
    return kept;
}

/* ---- writing */

static bool write_bytes(void *ctx, const void *bytes, size_t n)
{
    const int *fd = ctx;
    const uint8_t *at = bytes;
    while (n > 0) {
        const ssize_t taken = write(*fd, at, n);
        if (taken < 0 && errno != EINTR) {
            return false;
        }
        at += taken > 0 ? taken : 0;
        n -= taken > 0 ? (size_t)taken : 0;
    }
    return true;
}

static bool write_image(struct swarm *w, int fd)
{
    struct mf_image_head head = {0};
    struct parts p;
    find_parts(w, &p);
    for (uint32_t k = FIRST_STATE; k < p.count; k++) {
        p.part[k].at = p.of[k]->get_saved(w, &p.part[k].bytes);
    }
    if (!write_bytes(&fd, &head, sizeof head) ||
        !mf_image_write(&head, image_key_of(w), p.part, p.count, write_bytes, &fd) ||
        lseek(fd, 0, SEEK_SET) != 0) {
        return false;
    }
    return write_bytes(&fd, &head, sizeof head);
}

int swarm_checkpoint_write(struct swarm *w, const char *path)
{
    char part[MF_SCENARIO_FILE_MAX + 8u];
    const double begin_s = swarm_wall_s();
    if (!engine_is_kept(w)) {
        return set_file_error(w, path, "something in this scenario cannot be kept in a checkpoint");
    }
    (void)swarm_systems_do(w, SWARM_FLUSH);
    mf_output_draft(path, part, sizeof part);
    const int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && write_image(w, fd);
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        why = errno;
        good = false;
    }
    if (good && !mf_output_place(part, path)) {
        why = errno;
        good = false;
    }
    if (!good) {
        mf_output_drop(part, path);
        return set_file_error(w, path, strerror(why));
    }
    (void)fprintf(stderr, "mayfly-swarm: %s: written at %.6f s; %.1f MB in %.3f s\n", path,
                  (double)w->now_us / 1e6, (double)w->arena.used / 1e6, swarm_wall_s() - begin_s);
    return SWARM_OK;
}

/* ---- reading */

static bool read_bytes(void *ctx, void *bytes, size_t n)
{
    const int *fd = ctx;
    uint8_t *at = bytes;
    while (n > 0) {
        const ssize_t given = read(*fd, at, n);
        if (given == 0 || (given < 0 && errno != EINTR)) {
            return false;
        }
        at += given > 0 ? given : 0;
        n -= given > 0 ? (size_t)given : 0;
    }
    return true;
}

static enum mf_image_why read_image(struct swarm *w, int fd)
{
    struct mf_image_head head;
    struct parts p;
    struct stat st;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return MF_IMAGE_BROKEN;
    }
    if ((uint64_t)st.st_size < sizeof head || !read_bytes(&fd, &head, sizeof head)) {
        return MF_IMAGE_FOREIGN;
    }
    find_parts(w, &p);
    const enum mf_image_why why =
        mf_image_check(&head, (uint64_t)st.st_size, image_key_of(w), p.part, p.count);
    if (why != MF_IMAGE_OK) {
        return why;
    }
    for (uint32_t k = FIRST_STATE; k < p.count; k++) {
        p.part[k].at = p.of[k]->restore(w, p.part[k].bytes);
        if (p.part[k].bytes > 0 && p.part[k].at == NULL) {
            return MF_IMAGE_BROKEN;
        }
    }
    return mf_image_read(&head, p.part, p.count, read_bytes, &fd);
}

int swarm_checkpoint_read(struct swarm *w, const char *path)
{
    const double begin_s = swarm_wall_s();
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return set_file_error(w, path, strerror(errno));
    }
    const enum mf_image_why why = read_image(w, fd);
    (void)close(fd);
    if (why != MF_IMAGE_OK) {
        return set_file_error(w, path, mf_image_why_text(why));
    }
    const double end_s = fmin(w->scenario->time.end_s, (double)swarm_checkpoint_us(w) / 1e6);
    if (end_s < (double)w->now_us / 1e6) {
        char text[96];
        (void)snprintf(text, sizeof text, "was written at %.6f s, and this run would end at %g s",
                       (double)w->now_us / 1e6, end_s);
        return set_file_error(w, path, text);
    }
    swarm_course_of(w)->resumed_us = w->now_us;
    (void)fprintf(stderr, "mayfly-swarm: %s: resumed at %.6f s; %.1f MB in %.3f s\n", path,
                  (double)w->now_us / 1e6, (double)w->arena.used / 1e6, swarm_wall_s() - begin_s);
    return swarm_systems_do(w, SWARM_RESUME);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Passes pictures to the thread that serves browsers, and frames of browsers to the functions of
 * the kind of world. page_display.c calls it between two pieces of time. */
#include "boards/swarm/page/page.h"

#include "boards/swarm/page/page_server.h"
#include "boards/swarm/radio/receptions.h"
#include "fleet/order_queue.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIPE_BYTES (1 << 20) /* most that the system grants to any process by default */
#define LAST_MS    1000      /* longest wait until the last picture and the end are sent */

enum { READS, WRITES };

struct swarm_page {
    int down[2], up[2]; /* pipes to the thread and from it */
    pthread_t thread;
    volatile int stop;
    struct swarm_page_server *server;
    struct swarm_picture picture;
    size_t left; /* first byte of the picture that is not yet in the pipe */
    double due_s;
    struct mf_bus_reader reader;
    struct swarm_page_answers answers;
};

static struct swarm_page *page_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_PAGE];
}

struct swarm_page_answers *swarm_page_get_answers(const struct swarm *w)
{
    return page_of(w) != NULL ? &page_of(w)->answers : NULL;
}

/* ---- the picture */

/* Write the rest of the picture to the pipe. @return true: the pipe has taken all of it */
static bool flush_picture(struct swarm_page *p)
{
    while (p->left < p->picture.n) {
        const ssize_t n =
            write(p->down[WRITES], p->picture.bytes + p->left, p->picture.n - p->left);
        if (n <= 0) {
            return false;
        }
        p->left += (size_t)n;
    }
    p->left = p->picture.n = 0;
    return true;
}

/* ---- browsers */

static void obey_browsers(struct swarm *w, const struct swarm_page_ops *ops)
{
    struct swarm_page *p = page_of(w);
    for (size_t taken = 0;;) {
        struct mf_bus_frame frame;
        const char *why = NULL;
        size_t room;
        const int result = mf_bus_next(&p->reader, taken, &frame, &why);
        if (result == MF_E_OK) {
            taken = 0;
            why = ops->obey(w, &frame);
            if (why != NULL) {
                (void)fprintf(stderr, "mayfly-swarm: page: a browser %s\n", why);
            }
            continue;
        }
        MF_ASSERT(result == MF_E_AGAIN); /* the server passes whole frames on */
        uint8_t *at = mf_bus_room(&p->reader, &room);
        const ssize_t n = read(p->up[READS], at, room);
        if (n <= 0) {
            return;
        }
        taken = (size_t)n;
    }
}

void swarm_page_poll(struct swarm *w, const struct swarm_page_ops *ops, bool now)
{
    struct swarm_page *p = page_of(w);
    if (p == NULL) {
        return;
    }
    obey_browsers(w, ops);
    const double wall_s = swarm_wall_s();
    if (!flush_picture(p) || (wall_s < p->due_s && !now)) {
        return;
    }
    p->due_s = wall_s + w->scenario->outputs.page.every_s;
    swarm_picture_take(w, &p->picture, w->now_us, ops->add_frames);
    (void)flush_picture(p);
}

/* ---- begin and end */

static void *serve_browsers(void *ctx)
{
    struct swarm_page *p = ctx;
    swarm_page_server_run(p->server, &p->stop);
    return NULL;
}

/* Start the thread with all signals blocked: the run's own thread handles them. */
static bool start_server_thread(struct swarm_page *p)
{
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool good = pthread_create(&p->thread, NULL, serve_browsers, p) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return good;
}

static void free_page(struct swarm_page *p)
{
    const int all[] = {p->down[READS], p->down[WRITES], p->up[READS], p->up[WRITES]};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] >= 0) {
            (void)close(all[i]);
        }
    }
    free(p->picture.bytes);
    free(p);
}

static int refuse_page(struct swarm *w, const char *why)
{
    if (page_of(w) != NULL) {
        free_page(page_of(w));
        w->state[SWARM_SLOT_PAGE] = NULL;
    }
    return swarm_refuse(w, w->scenario->outputs.page.line, "outputs.page: %s", why);
}

int swarm_page_open(struct swarm *w)
{
    const struct mf_scenario_output *o = &w->scenario->outputs.page;
    char url[96], error[256];
    if (o->file[0] == '\0') {
        return SWARM_OK;
    }
    struct swarm_page *p = calloc(1, sizeof *p);
    w->state[SWARM_SLOT_PAGE] = p;
    if (p == NULL) {
        return refuse_page(w, "no memory");
    }
    p->down[READS] = p->down[WRITES] = p->up[READS] = p->up[WRITES] = -1;
    if (pipe2(p->down, O_CLOEXEC | O_NONBLOCK) != 0 || pipe2(p->up, O_CLOEXEC | O_NONBLOCK) != 0) {
        return refuse_page(w, strerror(errno));
    }
    (void)fcntl(p->down[WRITES], F_SETPIPE_SZ, PIPE_BYTES);
    p->server = swarm_page_server_open(o->file, p->down[READS], p->up[WRITES], url, sizeof url,
                                       error, sizeof error);
    if (p->server == NULL) {
        return refuse_page(w, error);
    }
    if (!start_server_thread(p)) {
        swarm_page_server_close(p->server);
        return refuse_page(w, "cannot start a thread");
    }
    swarm_receptions_watch(w);
    (void)fprintf(stderr, "mayfly-swarm: %s: live\n", url);
    return SWARM_OK;
}

void swarm_page_close(struct swarm *w, int code)
{
    struct swarm_page *p = page_of(w);
    const double until_s = swarm_wall_s() + LAST_MS / 1e3;
    mf_order_queue_free(w->state[SWARM_SLOT_PAGE_ORDERS]);
    if (p == NULL) {
        return;
    }
    w->state[SWARM_SLOT_PICTURE] = &p->picture;
    struct mf_bus_writer *f = swarm_picture_frame(w, MF_BUS_END);
    mf_bus_put_u(f, (uint64_t)code, 4);
    mf_bus_put_text(f, w->error, MF_KEYS_ERROR_MAX, false);
    swarm_picture_add(w);
    while (!flush_picture(p) && swarm_wall_s() < until_s) {
        struct pollfd fd = {p->down[WRITES], POLLOUT, 0};
        (void)poll(&fd, 1, LAST_MS / 10);
    }
    (void)close(p->down[WRITES]);
    p->down[WRITES] = -1;
    (void)pthread_join(p->thread, NULL);
    swarm_page_server_close(p->server);
    free_page(p);
    w->state[SWARM_SLOT_PAGE] = NULL;
}

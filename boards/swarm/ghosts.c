/* SPDX-License-Identifier: Apache-2.0 */
#include "boards/swarm/ghosts.h"

#include "boards/swarm/expect.h"
#include "boards/swarm/minds.h"
#include "boards/swarm/outputs.h"
#include "firmware/flight/mode.h"
#include "fleet/port_mavlink.h"
#include "hal-posix/endpoint.h"
#include "math/trig.h"
#include "mavlink/enums.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_MS 10000 /* without an answer for so long a drone is gone */
#define LINE_MAX    256u

/* One drone elsewhere. */
struct ghost {
    uint32_t i;
    int fd;      /* MAVLink; < 0: it is gone */
    int time_fd; /* its time socket; < 0: its time passes by itself */
    mf_us_t at_us;
    mf_us_t due_us; /* of its next turn */
    struct mf_port_mavlink port;
    char line[LINE_MAX]; /* of the time socket, as far as it has come */
    size_t line_len;
};

struct swarm_ghosts {
    uint32_t count, lost;
    struct ghost *ghost;
};

/* ---- sockets */

/* @return < 0: an error is set */
static int connect_to(struct swarm *w, const struct mf_scenario_addresses *links, uint32_t k)
{
    struct mf_endpoint to;
    char reason[MF_REASON_MAX];
    const char *text = links->text[k];
    if (mf_endpoint_parse(&to, MF_PORT_TCP_CLIENT, text, reason) != MF_E_OK ||
        mf_endpoint_resolve(&to, reason) != MF_E_OK) {
        return swarm_refuse(w, links->line, "%s: %s", text, reason), -1;
    }
    const int fd = socket(to.addr.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int one = 1;
    if (fd < 0 || connect(fd, &to.addr.any, to.addr.len) != 0) {
        (void)swarm_refuse(w, links->line, "%s: %s", text, strerror(errno));
        if (fd >= 0) {
            (void)close(fd);
        }
        return -1;
    }
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

static bool send_all(int fd, const void *bytes, size_t n)
{
    const char *at = bytes;
    while (n > 0) {
        const ssize_t sent = send(fd, at, n, MSG_NOSIGNAL);
        if (sent <= 0) {
            return false;
        }
        at += sent;
        n -= (size_t)sent;
    }
    return true;
}

static int write_link(void *ctx, const uint8_t *bytes, size_t n)
{
    const struct ghost *g = ctx;
    return g->fd >= 0 && send_all(g->fd, bytes, n) ? MF_E_OK : MF_E_IO;
}

static void lose(struct swarm *w, struct ghost *g)
{
    char name[SWARM_NAME_MAX];
    if (g->fd < 0) {
        return;
    }
    mf_scenario_member_name(w->scenario, g->i, name);
    (void)fprintf(stderr, "mayfly-swarm: %s: its link is gone at %.3f s\n", name,
                  (double)g->at_us / 1e6);
    (void)close(g->fd);
    g->fd = -1;
    g->due_us = MF_NEVER;
    w->ghosts->lost++;
}

/* What has come in on its link until now. @return false: the link has ended */
static bool take(struct ghost *g)
{
    uint8_t bytes[4096];
    for (;;) {
        const ssize_t n = recv(g->fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n <= 0) {
            return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
        }
        mf_port_mavlink_take(&g->port, bytes, (size_t)n);
    }
}

/* ---- its time */

/* A line of the time socket has come whole: is it the one that is waited for? */
static bool is_line(struct ghost *g, const char *word, mf_us_t at_us)
{
    int64_t at = -1;
    char form[16];
    (void)snprintf(form, sizeof form, "%s %%%s", word, SCNd64);
    return strncmp(g->line, word, strlen(word)) == 0 &&
           (at_us < 0 || (sscanf(g->line, form, &at) == 1 && at == at_us));
}

/* @return 1: the line has come; 0: not yet; -1: the socket has ended */
static int read_lines(struct ghost *g, const char *word, mf_us_t at_us)
{
    char c;
    ssize_t n;
    while ((n = recv(g->time_fd, &c, 1, MSG_DONTWAIT)) == 1) {
        if (c != '\n') {
            g->line_len += g->line_len + 1u < LINE_MAX ? 1u : 0u;
            g->line[g->line_len - 1u] = c;
            continue;
        }
        g->line[g->line_len] = '\0';
        g->line_len = 0;
        if (is_line(g, word, at_us)) {
            return 1;
        }
    }
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

/* Wait for a line, and take what the drone sends meanwhile: one that is not read holds its time. */
static bool wait_line(struct ghost *g, const char *word, mf_us_t at_us)
{
    for (;;) {
        struct pollfd polls[2] = {{.fd = g->time_fd, .events = POLLIN},
                                  {.fd = g->fd, .events = POLLIN}};
        const int got = read_lines(g, word, at_us);
        if (got != 0) {
            return got > 0 && take(g);
        }
        if (poll(polls, 2, PATIENCE_MS) <= 0 || !take(g)) {
            return false;
        }
    }
}

/* Its time runs to @p at_us, if it is granted here; what it has sent until then has been heard. */
static void bring_to(struct swarm *w, struct ghost *g, mf_us_t at_us)
{
    char text[48];
    if (g->fd < 0 || (g->time_fd >= 0 && at_us <= g->at_us)) {
        return;
    }
    const struct mf_crowd_state before = swarm_ghost_state(w, g->i);
    bool good = true;
    if (g->time_fd >= 0) {
        const int n = snprintf(text, sizeof text, "go %" PRId64 "\n", at_us);
        good = send_all(g->time_fd, text, (size_t)n) && wait_line(g, "at", at_us);
    } else {
        good = take(g);
    }
    g->at_us = at_us;
    if (!good) {
        lose(w, g);
        return;
    }
    struct mf_crowd_state now = swarm_ghost_state(w, g->i);
    now.at_us = at_us;
    const uint32_t events = swarm_events(&before, &now);
    if (events != 0) {
        swarm_expect_note(w, g->i, events, &before, &now);
        swarm_outputs_note(w, 0, g->i, events, &now);
    }
}

/* ---- they appear */

/* Its first HEARTBEAT, and the greeting of its time socket. */
static bool greet(struct ghost *g)
{
    struct pollfd polls = {.fd = g->fd, .events = POLLIN};
    if (g->time_fd >= 0 && !wait_line(g, "now", -1)) {
        return false;
    }
    while (g->port.sysid == 0) {
        if (poll(&polls, 1, PATIENCE_MS) <= 0 || !take(g)) {
            return false;
        }
    }
    return true;
}

static int begin_ghost(struct swarm *w, const struct mf_scenario_entity *e, struct ghost *g)
{
    const uint32_t k = g->i - e->first;
    g->fd = connect_to(w, &e->link, k);
    g->time_fd = g->fd >= 0 && e->time_socket.count > 0 ? connect_to(w, &e->time_socket, k) : -1;
    if (g->fd < 0 || (g->time_fd < 0 && e->time_socket.count > 0)) {
        return SWARM_INPUT;
    }
    mf_port_mavlink_init(&g->port, write_link, g);
    const mf_us_t period_us = mf_behaviour_period_us(&e->behaviour);
    if (!greet(g) ||
        mf_port_mavlink_stream(&g->port, MF_MSG_GLOBAL_POSITION_INT, (float)period_us) != MF_E_OK) {
        return swarm_refuse(w, e->link.line,
                            "%s: no drone says HEARTBEAT there, or its time does "
                            "not answer",
                            e->link.text[k]);
    }
    g->due_us = swarm_mind_next(w, g->i);
    return SWARM_OK;
}

static uint32_t count_ghosts(const struct mf_scenario *s)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < s->entities; k++) {
        count += s->entity[k].as == MF_SCENARIO_KIND_GHOST ? s->entity[k].count : 0;
    }
    return count;
}

const struct mf_scenario_entity *swarm_first_ghost(const struct mf_scenario *s)
{
    for (uint32_t k = 0; k < s->entities; k++) {
        if (s->entity[k].as == MF_SCENARIO_KIND_GHOST) {
            return &s->entity[k];
        }
    }
    return NULL;
}

int swarm_ghosts_prepare(struct swarm *w)
{
    const struct mf_scenario *s = w->scenario;
    const uint32_t count = count_ghosts(s);
    int result = SWARM_OK;
    if (count == 0) {
        return SWARM_OK;
    }
    w->ghosts = calloc(1, sizeof *w->ghosts);
    struct ghost *ghost = calloc(count, sizeof *ghost);
    if (w->ghosts == NULL || ghost == NULL) {
        free(ghost);
        return swarm_refuse(w, 1, "no memory");
    }
    w->ghosts->ghost = ghost;
    for (uint32_t k = 0; k < s->entities; k++) {
        const struct mf_scenario_entity *e = &s->entity[k];
        for (uint32_t i = e->first;
             e->as == MF_SCENARIO_KIND_GHOST && i < e->first + e->count && result == SWARM_OK;
             i++) {
            ghost[w->ghosts->count].i = i;
            result = begin_ghost(w, e, &ghost[w->ghosts->count++]);
        }
    }
    return result;
}

void swarm_ghosts_free(struct swarm *w)
{
    for (uint32_t k = 0; w->ghosts != NULL && k < w->ghosts->count; k++) {
        const struct ghost *g = &w->ghosts->ghost[k];
        if (g->fd >= 0) {
            (void)close(g->fd);
        }
        if (g->time_fd >= 0) {
            (void)close(g->time_fd);
        }
    }
    if (w->ghosts != NULL) {
        free(w->ghosts->ghost);
    }
    free(w->ghosts);
    w->ghosts = NULL;
}

/* ---- turns */

static void take_turn(struct swarm *w, struct ghost *g, mf_us_t at_us)
{
    const struct mf_order_port port = {&mf_port_mavlink_ops, &g->port};
    bring_to(w, g, at_us);
    if (g->fd < 0) {
        return;
    }
    if (w->minds == NULL) {
        return;
    }
    swarm_mind_act(w, g->i, at_us, &port);
    g->due_us = swarm_mind_next(w, g->i);
}

void swarm_ghosts_run(struct swarm *w, mf_us_t until_us)
{
    for (uint32_t k = 0; w->ghosts != NULL && k < w->ghosts->count; k++) {
        struct ghost *g = &w->ghosts->ghost[k];
        while (g->due_us <= until_us) {
            take_turn(w, g, g->due_us);
        }
        bring_to(w, g, until_us);
    }
}

mf_us_t swarm_ghosts_next(const struct swarm *w)
{
    mf_us_t next_us = MF_NEVER;
    for (uint32_t k = 0; w->ghosts != NULL && k < w->ghosts->count; k++) {
        next_us = mf_earlier(next_us, w->ghosts->ghost[k].due_us);
    }
    return next_us;
}

uint32_t swarm_ghosts_lost(const struct swarm *w)
{
    return w->ghosts != NULL ? w->ghosts->lost : 0;
}

void swarm_ghosts_visit(struct swarm *w, mf_us_t at_us, const struct mf_scenario_entity *e,
                        void (*visit)(struct swarm *w, uint32_t i,
                                      const struct mf_order_port *port))
{
    for (uint32_t k = 0; k < w->ghosts->count; k++) {
        struct ghost *g = &w->ghosts->ghost[k];
        bring_to(w, g, at_us);
        if (g->fd >= 0 && mf_scenario_entity_of(w->scenario, g->i) == e) {
            visit(w, g->i, &(struct mf_order_port){&mf_port_mavlink_ops, &g->port});
        }
    }
}

/* ---- what can be seen */

static const struct ghost *ghost_of(const struct swarm *w, uint32_t i)
{
    uint32_t k = 0;
    while (w->ghosts->ghost[k].i != i) {
        k++;
        MF_ASSERT(k < w->ghosts->count);
    }
    return &w->ghosts->ghost[k];
}

struct mf_crowd_state swarm_ghost_state(const struct swarm *w, uint32_t i)
{
    const struct ghost *g = ghost_of(w, i);
    const struct mf_order_view *view = &g->port.view;
    const int mode =
        mf_mode_from_custom((uint8_t)(view->custom_mode >> 16), (uint8_t)(view->custom_mode >> 24));
    return (struct mf_crowd_state){.at_us = g->at_us,
                                   .mode = mode >= 0 ? (uint8_t)mode : (uint8_t)MF_MODE_HOLD,
                                   .landed = view->landed,
                                   .armed = view->armed,
                                   .reached = -1};
}

struct mf_pose swarm_ghost_pose(const struct swarm *w, uint32_t i)
{
    const struct mf_order_view *view = &ghost_of(w, i)->port.view;
    const struct mf_msg_global_position_int *p = &view->position;
    return (struct mf_pose){
        .lat_deg = (double)p->lat / 1e7,
        .lon_deg = (double)p->lon / 1e7,
        .alt_amsl_m = (double)p->alt / 1e3,
        .vel_ned_mps = {(float)p->vx / 100.0f, (float)p->vy / 100.0f, (float)p->vz / 100.0f},
        .yaw_rad = (float)mf_wrap_pi(mf_rad((double)p->hdg / 100.0)),
        .on_ground = view->landed == MAV_LANDED_STATE_ON_GROUND,
    };
}

uint8_t swarm_ghost_system(const struct swarm *w, uint32_t i)
{
    const struct ghost *g = ghost_of(w, i);
    return g->fd >= 0 && g->port.view.known ? g->port.sysid : 0;
}

void swarm_ghost_write(const struct swarm *w, uint32_t i, const uint8_t *frame, size_t n)
{
    const struct ghost *g = ghost_of(w, i);
    (void)g->port.write(g->port.ctx, frame, n); /* who finds the link ended tells it */
}

/* ---- orders that wait for their answers */

static struct ghost *ghost_at(const struct swarm_ghost_port *port)
{
    return &port->w->ghosts->ghost[ghost_of(port->w, port->i) - port->w->ghosts->ghost];
}

/* @return MF_E_OK; MF_E_IO: no answer, or the link is gone */
static int wait_answer(struct swarm *w, struct ghost *g, int given)
{
    struct pollfd polls = {.fd = g->fd, .events = POLLIN};
    if (given != MF_E_AGAIN) {
        return given;
    }
    while (g->port.asks) {
        if (poll(&polls, 1, PATIENCE_MS) <= 0 || !take(g)) {
            lose(w, g);
            return MF_E_IO;
        }
    }
    return MF_E_OK;
}

static int give_one(void *ctx, uint32_t msgid, const void *msg, uint8_t *result)
{
    const struct swarm_ghost_port *port = ctx;
    struct ghost *g = ghost_at(port);
    const int given = mf_port_mavlink_ops.give(&g->port, msgid, msg, result);
    const bool answered = msgid == MF_MSG_COMMAND_INT;
    const int result_of = answered ? wait_answer(port->w, g, given) : given;
    *result = answered && result_of == MF_E_OK ? g->port.answer : *result;
    return result_of;
}

static int upload_one(void *ctx, struct mf_msg_mission_item_int *items, uint16_t count,
                      uint8_t *result)
{
    const struct swarm_ghost_port *port = ctx;
    struct ghost *g = ghost_at(port);
    const int given =
        wait_answer(port->w, g, mf_port_mavlink_ops.upload(&g->port, items, count, result));
    *result = given == MF_E_OK ? g->port.answer : *result;
    g->port.items = NULL; /* they go with the caller */
    return given;
}

static void look_one(void *ctx, struct mf_order_view *view)
{
    const struct swarm_ghost_port *port = ctx;
    mf_port_mavlink_ops.look(&ghost_at(port)->port, view);
    view->known = view->known && ghost_at(port)->fd >= 0;
}

const struct mf_order_ops swarm_ghost_ops = {give_one, look_one, upload_one};

/* SPDX-License-Identifier: Apache-2.0 */
/* The switch for streams of programs in virtual time, between their sockets and the network.
 * sockets.c calls it. */
#include "boards/swarm/radio/streams.h"

#include "boards/swarm/core/trace.h"
#include "fleet/lane.h"
#include "host/time/virtual_message.h"
#include "host/time/virtual_stream.h"
#include "host/time/virtual_world.h"
#include "math/chance.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG     4096
#define WINDOW      (256u * 1024u)       /* most bytes under way in one direction */
#define SEGMENT     MF_LANE_SEGMENT_MAX  /* longest data, built-in network */
#define PIECE       32768u               /* longest data, simulator outside */
#define OPENS_US    (127 * MF_SECOND_US) /* time-out of opening, on built-in networks */
#define TIMER_ID    5u                   /* after the timer of flows.c at one instant */
#define STREAM_KEYS 1000000u             /* first chance key of streams; flows have lower ones */

/* End of a stream, and the direction from it to the other end. */
struct end {
    struct stream *of;
    int fd; /* the program's socket; < 0: closed, or not connected yet */
    uint32_t member;
    uint16_t port;
    bool output_ended;  /* its program has ended its output */
    bool input_ended;   /* the other program has ended its output; `out` may hold the last bytes */
    bool end_delivered; /* its program has received the end of the other's output */
    struct mf_stream_bytes out; /* bytes that its program has not taken yet */
    struct mf_lane lane; /* direction from this end, on a built-in network or within a member */
    size_t in_flight;    /* number of bytes from this end that the other program has not got */
};

struct stream {
    struct swarm *w;
    uint32_t number;
    uint32_t behind; /* number of filler bytes behind the head (struct mf_virtual_open) */
    uint32_t network;
    mf_us_t expires_us; /* time-out of opening; MF_NEVER */
    bool opened;
    struct end end[2]; /* [0]: the program that opened the stream; [1]: the one that listens */
};

struct swarm_streams {
    uint32_t base; /* 127.X.0.0 */
    int fd;        /* listening socket of the switch */
    struct stream **stream;
    size_t count, capacity;
    uint32_t number; /* number of the last stream */
    uint64_t out;
    struct mf_timer timer;
    uint8_t bytes[PIECE];                  /* read from a program */
    uint8_t event[MF_STREAM_HEAD + PIECE]; /* encoded event to send */
};

static struct swarm_streams *streams_of(const struct swarm *w)
{
    return w->state[SWARM_SLOT_STREAMS];
}

/* ---- names of sockets, shared with the library of virtual time */

__attribute__((format(printf, 2, 3))) static socklen_t put_name(struct sockaddr_un *a,
                                                                const char *format, ...)
{
    va_list args;
    memset(a, 0, sizeof *a);
    a->sun_family = AF_UNIX;
    va_start(args, format);
    const int n = vsnprintf(a->sun_path + 1, sizeof a->sun_path - 1, format, args);
    va_end(args);
    MF_ASSERT(n > 0 && n < (int)sizeof a->sun_path - 1);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1u + (size_t)n);
}

/* "A.B.C.D:PORT" */
static const char *write_address(uint32_t host, uint16_t port, char text[32])
{
    (void)snprintf(text, 32, "%u.%u.%u.%u:%u", host >> 24, host >> 16 & 0xFFu, host >> 8 & 0xFFu,
                   host & 0xFFu, (unsigned)port);
    return text;
}

static socklen_t put_listener_name(const struct swarm_streams *s, const struct end *e,
                                   struct sockaddr_un *a)
{
    char text[32];
    return put_name(a, MF_VIRTUAL_STREAMS "%s",
                    write_address(s->base | (e->member + 1u), e->port, text));
}

static int open_local_socket(void)
{
    const int bytes = MF_VIRTUAL_STREAM_BYTES;
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0) {
        (void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    }
    return fd;
}

int swarm_streams_open(struct swarm *w, uint32_t base, int line)
{
    struct sockaddr_un a;
    struct swarm_streams *s = w->state[SWARM_SLOT_STREAMS] = calloc(1, sizeof *s);
    if (s == NULL) {
        return swarm_refuse(w, line, "processes: no memory");
    }
    s->base = base;
    s->fd = open_local_socket();
    const socklen_t n = put_name(&a, MF_VIRTUAL_STREAMS "127.%u.0.0", base >> 16 & 0xFFu);
    return s->fd >= 0 && bind(s->fd, (const struct sockaddr *)&a, n) == 0 &&
                   listen(s->fd, BACKLOG) == 0
               ? SWARM_OK
               : swarm_refuse(w, line, "processes: node: no switch of streams: %s",
                              strerror(errno));
}

/* ---- sending events */

static void trace_event(struct swarm *w, const struct stream *x, unsigned from, const char *how,
                        const struct mf_stream_event *event)
{
    static const char *const k_verb[] = {"",        "opens", "is answered", "is accepted",
                                         "carries", "ends",  "is reset"};
    char text[SWARM_TRACE_BYTES_MAX] = "";
    if (swarm_trace_of(w) == NULL) {
        return;
    }
    if (event->kind == MF_STREAM_DATA) {
        swarm_trace_bytes(event->bytes, event->n, text);
    } else if (event->kind == MF_STREAM_ANSWER) {
        (void)snprintf(text, sizeof text, "%s", event->why != 0 ? "no" : "yes");
    }
    swarm_trace(swarm_trace_of(w), (uint64_t)w->now_us * 1000u, "stream %u from %u %s: %s%s%s",
                (unsigned)x->number, (unsigned)x->end[from].member, how, k_verb[event->kind],
                text[0] != '\0' ? " " : "", text);
}

/* True if a simulator outside carries a stream: between two members, over its network. */
static bool is_carried_outside(const struct swarm *w, const struct stream *x)
{
    return w->scenario->network[x->network].kind != MF_NETWORK_BUILTIN &&
           x->end[0].member != x->end[1].member;
}

static void send_event(struct swarm *w, struct stream *x, unsigned side, enum mf_stream_kind kind,
                       int why, const uint8_t *bytes, size_t n)
{
    struct end *e = &x->end[side];
    const uint32_t to = x->end[1u - side].member;
    uint8_t *event = streams_of(w)->event;
    const struct mf_stream_event what = {.kind = kind,
                                         .why = (uint8_t)why,
                                         .port = x->end[1].port,
                                         .number = x->number,
                                         .bytes = bytes,
                                         .n = n};
    MF_ASSERT(n <= PIECE);
    const size_t length = mf_stream_write(&what, event);
    e->in_flight += n;
    trace_event(w, x, side, "leaves", &what);
    if (is_carried_outside(w, x)) {
        (void)swarm_network_stream(w, &(struct swarm_departure){.kind = SWARM_STREAM,
                                                                .network = x->network,
                                                                .from = e->member,
                                                                .to = to,
                                                                .bytes = event,
                                                                .size = length,
                                                                .at_us = w->now_us});
    } else {
        (void)mf_lane_send(&e->lane, event, length, w->now_us);
    }
}

/* ---- a program's socket */

static void close_end(struct end *e)
{
    if (e->fd >= 0) {
        (void)close(e->fd);
    }
    e->fd = -1;
    mf_stream_bytes_free(&e->out);
}

/* Refuse to open: send the errno to the program, and close its socket. Because the head was not
 * read, the program finds a reset behind the errno. */
static void fail_to_open(struct swarm *w, struct stream *x, int32_t why)
{
    struct end *e = &x->end[0];
    if (e->fd >= 0) {
        (void)send(e->fd, &why, sizeof why, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    close_end(e);
    streams_of(w)->out++;
}

/* Close an end whose program is gone, and send a reset to the other end. */
static void reset_stream(struct swarm *w, struct stream *x, unsigned side)
{
    close_end(&x->end[side]);
    streams_of(w)->out++;
    send_event(w, x, side, MF_STREAM_RESET, 0, NULL, 0);
}

/* Send waiting bytes to a program as far as its socket accepts them, then the end of the other's
 * output. */
static void write_program(struct swarm *w, struct stream *x, unsigned side)
{
    struct end *e = &x->end[side];
    const uint8_t *bytes;
    size_t left;
    while (e->fd >= 0 && (bytes = mf_stream_bytes_next(&e->out, &left)) != NULL) {
        const ssize_t n = send(e->fd, bytes, left, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN) {
            return;
        }
        if (n < 0) {
            reset_stream(w, x, side);
            return;
        }
        streams_of(w)->out++;
        x->end[1u - side].in_flight -= (size_t)n;
        mf_stream_bytes_took(&e->out, (size_t)n);
    }
    if (e->fd >= 0 && e->input_ended && !e->end_delivered) {
        e->end_delivered = true;
        (void)shutdown(e->fd, SHUT_WR);
        streams_of(w)->out++;
    }
    if (e->end_delivered && e->output_ended) {
        close_end(e);
    }
}

/* Send what a program has written. @return true: its socket had bytes, or has ended */
static bool read_program(struct swarm *w, struct stream *x, unsigned side)
{
    struct swarm_streams *s = streams_of(w);
    struct end *e = &x->end[side];
    const size_t most = is_carried_outside(w, x) ? PIECE : SEGMENT;
    const uint64_t before = s->out;
    while (e->fd >= 0 && !e->output_ended && e->in_flight < WINDOW) {
        const ssize_t n = recv(e->fd, s->bytes, most, MSG_DONTWAIT);
        if (n < 0 && errno == EAGAIN) {
            break;
        }
        s->out++; /* the socket has room again, or has ended */
        if (n > 0) {
            send_event(w, x, side, MF_STREAM_DATA, 0, s->bytes, (size_t)n);
        } else if (n == 0) {
            e->output_ended = true;
            send_event(w, x, side, MF_STREAM_END, 0, NULL, 0);
            write_program(w, x, side);
        } else {
            reset_stream(w, x, side);
        }
    }
    return s->out != before;
}

/* ---- receiving events */

/* True if a program listens: binding its name then fails. */
static bool has_listener(const struct swarm_streams *s, const struct end *e)
{
    struct sockaddr_un a;
    const socklen_t n = put_listener_name(s, e, &a);
    const int fd = open_local_socket();
    const bool taken =
        fd >= 0 && bind(fd, (const struct sockaddr *)&a, n) != 0 && errno == EADDRINUSE;
    if (fd >= 0) {
        (void)close(fd);
    }
    return taken;
}

static int connect_to_program(const struct swarm_streams *s, const struct stream *x)
{
    struct sockaddr_un a;
    char text[32];
    const struct end *from = &x->end[0];
    const int fd = open_local_socket();
    if (fd < 0) {
        return -1;
    }
    socklen_t n = put_name(
        &a, MF_VIRTUAL_STREAMS "127.%u.0.0#%u>%s", s->base >> 16 & 0xFFu, (unsigned)x->number,
        write_address(mf_virtual_world(x->network, from->member), from->port, text));
    bool good = bind(fd, (const struct sockaddr *)&a, n) == 0;
    n = put_listener_name(s, &x->end[1], &a);
    good = good && connect(fd, (const struct sockaddr *)&a, n) == 0;
    if (!good) {
        (void)close(fd);
    }
    return good ? fd : -1;
}

/* Open the stream for the program that asked for it: read the head and the filler, which blocked
 * its writes. */
static void open_end(struct swarm *w, struct stream *x)
{
    struct swarm_streams *s = streams_of(w);
    ssize_t n = 0;
    for (size_t left = sizeof(struct mf_virtual_open) + x->behind; left > 0 && n >= 0;
         left -= (size_t)n) {
        n = recv(x->end[0].fd, s->bytes, left < sizeof s->bytes ? left : sizeof s->bytes,
                 MSG_DONTWAIT);
        n = n == 0 ? -1 : n;
    }
    x->opened = true;
    s->out++;
}

static void receive_answer(struct swarm *w, struct stream *x, int why)
{
    if (why != 0) {
        fail_to_open(w, x, why);
    } else if (x->end[0].fd >= 0 && !x->opened) {
        open_end(w, x);
        send_event(w, x, 0, MF_STREAM_ACCEPTED, 0, NULL, 0);
    }
}

/* Connect to the program that listens; reset the stream if that fails. */
static void accept_end(struct swarm *w, struct stream *x)
{
    struct end *e = &x->end[1];
    streams_of(w)->out++;
    e->fd = connect_to_program(streams_of(w), x);
    if (e->fd < 0) {
        reset_stream(w, x, 1);
    }
}

static void receive_event(struct swarm *w, struct stream *x, unsigned side,
                          const struct mf_stream_event *event)
{
    struct swarm_streams *s = streams_of(w);
    struct end *e = &x->end[side];
    trace_event(w, x, 1u - side, "arrives", event);
    switch (event->kind) {
    case MF_STREAM_OPEN:
        send_event(w, x, 1, MF_STREAM_ANSWER, has_listener(s, e) ? 0 : ECONNREFUSED, NULL, 0);
        break;
    case MF_STREAM_ANSWER:
        receive_answer(w, x, event->why);
        break;
    case MF_STREAM_ACCEPTED:
        if (side == 1 && e->fd < 0) {
            accept_end(w, x);
        }
        break;
    case MF_STREAM_DATA:
        if (e->fd >= 0 && mf_stream_bytes_put(&e->out, event->bytes, event->n)) {
            write_program(w, x, side);
        }
        break;
    case MF_STREAM_END:
        e->input_ended = true;
        write_program(w, x, side);
        break;
    case MF_STREAM_RESET:
        close_end(e);
        s->out++;
        break;
    default:
        break;
    }
}

/* ---- built-in networks */

static bool are_ends_in_reach(void *ctx, mf_us_t now_us)
{
    const struct end *e = ctx;
    const struct stream *x = e->of;
    return swarm_network_in_reach(x->w, x->network, x->end[0].member, x->end[1].member, now_us);
}

static void receive_event_bytes(void *ctx, const uint8_t *bytes, size_t n)
{
    const struct end *e = ctx;
    struct mf_stream_event event;
    const bool whole = mf_stream_read(bytes, n, &event);
    MF_ASSERT(whole); /* send_event() has encoded it */
    receive_event(e->of->w, e->of, e == &e->of->end[0] ? 1 : 0, &event);
}

/* Prepare the direction from one end. Within a member, it is without delay and loss. */
static void init_lane(struct stream *x, unsigned side)
{
    const struct mf_scenario *s = x->w->scenario;
    const struct mf_scenario_network *n = &s->network[x->network];
    struct end *e = &x->end[side];
    const bool far = x->end[0].member != x->end[1].member;
    e->of = x;
    e->lane = (struct mf_lane){
        .stream = true,
        .head = MF_STREAM_HEAD,
        .delay_s = far ? n->delay_s : 0.0,
        .bits_per_s = far ? n->bits_per_s : 0.0,
        .loss = far ? n->loss : 0.0,
        .key = mf_chance_key(mf_scenario_shared_chance(s, MF_PURPOSE_NETWORK),
                             STREAM_KEYS + x->number, mf_scenario_identity(s, e->member),
                             mf_scenario_identity(s, x->end[1u - side].member)),
        .reaches = are_ends_in_reach,
        .arrived = receive_event_bytes,
        .ctx = e};
}

static bool is_stream_over(const struct stream *x)
{
    return x->end[0].fd < 0 && x->end[1].fd < 0 && x->end[0].lane.count == 0 &&
           x->end[1].lane.count == 0;
}

static void free_stream(struct stream *x)
{
    for (unsigned side = 0; side < 2; side++) {
        close_end(&x->end[side]);
        mf_lane_free(&x->end[side].lane);
    }
    free(x);
}

/* Time at which a stream must be served next; MF_NEVER */
static mf_us_t next_due_us(const struct stream *x)
{
    const mf_us_t next_us =
        mf_earlier(mf_lane_next(&x->end[0].lane), mf_lane_next(&x->end[1].lane));
    return x->opened ? next_us : mf_earlier(next_us, x->expires_us);
}

/* Deliver everything due on all streams, remove streams that are over, and set the timer. */
static void serve_streams(struct swarm *w)
{
    struct swarm_streams *s = streams_of(w);
    mf_us_t next_us = MF_NEVER;
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        mf_lane_run(&s->stream[i]->end[0].lane, w->now_us);
        mf_lane_run(&s->stream[i]->end[1].lane, w->now_us);
    }
    for (size_t i = 0; i < s->count; i++) {
        struct stream *x = s->stream[i];
        if (!x->opened && x->expires_us <= w->now_us && x->end[0].fd >= 0) {
            fail_to_open(w, x, ETIMEDOUT);
            mf_lane_free(&x->end[0].lane);
            mf_lane_free(&x->end[1].lane);
        }
        if (is_stream_over(x)) {
            free_stream(x);
            continue;
        }
        s->stream[kept++] = x;
        next_us = mf_earlier(next_us, next_due_us(x));
    }
    s->count = kept;
    if (next_us != MF_NEVER &&
        /* mf_timer_set() fails if the timer's turn within the present instant is over */
        mf_timer_set(&w->engine, &s->timer, next_us, 0) != MF_E_OK) {
        (void)mf_timer_set(&w->engine, &s->timer, w->engine.last.at_us + 1, 0);
    }
}

static void on_timer(void *ctx, uint32_t id, mf_us_t at_us)
{
    (void)id, (void)at_us;
    serve_streams(ctx);
}

int swarm_streams_begin(struct swarm *w)
{
    if (streams_of(w) != NULL) {
        mf_timer_init(&streams_of(w)->timer, MF_PHASE_MEDIUM, TIMER_ID, on_timer, w);
    }
    return SWARM_OK;
}

/* ---- the switch */

/* Fill in members, ports and network of a stream. @return 0, or the errno if the world lacks the
 * addresses */
static int find_ends(struct swarm *w, struct stream *x, const struct mf_virtual_open *open)
{
    const uint32_t members = w->scenario->members;
    const uint32_t from = (open->from & 0xFFFFu) - 1u, to = (open->to & 0xFFFFu) - 1u;
    const uint32_t network = open->to >> 16 & 0xFFu;
    x->behind = open->behind;
    x->end[0].port = open->from_port;
    x->end[1].port = open->to_port;
    if (from >= members || to >= members || !swarm_network_has(w, network, to)) {
        return EHOSTUNREACH;
    }
    x->end[0].member = from;
    x->end[1].member = to;
    x->network = network;
    return swarm_network_has(w, network, from) ? 0 : ENETUNREACH;
}

static bool is_of_user(int fd)
{
    struct ucred who = {0};
    socklen_t n = sizeof who;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 && who.uid == geteuid();
}

/* Add a stream. @return NULL: no memory */
static struct stream *make_stream(struct swarm_streams *s)
{
    void *more = swarm_with_room(s->stream, s->count, &s->capacity, sizeof(void *));
    struct stream *x = more != NULL ? calloc(1, sizeof *x) : NULL;
    s->stream = more != NULL ? more : s->stream;
    if (x != NULL) {
        s->stream[s->count++] = x;
        x->number = ++s->number;
    }
    return x;
}

/* Begin a stream for a program that has connected. The head stays unread, so that the program's
 * writes block until the stream is open. */
static void open_stream(struct swarm *w, int fd)
{
    struct mf_virtual_open open;
    const bool valid = is_of_user(fd) && recv(fd, &open, sizeof open, MSG_PEEK | MSG_DONTWAIT) ==
                                             (ssize_t)sizeof open;
    struct stream *x = valid ? make_stream(streams_of(w)) : NULL;
    if (x == NULL) {
        (void)close(fd);
        return;
    }
    const int why = find_ends(w, x, &open);
    x->w = w;
    x->end[0].fd = fd;
    x->end[1].fd = -1;
    x->expires_us = is_carried_outside(w, x) ? MF_NEVER : w->now_us + OPENS_US;
    init_lane(x, 0);
    init_lane(x, 1);
    if (why != 0) {
        fail_to_open(w, x, why);
    } else {
        send_event(w, x, 0, MF_STREAM_OPEN, 0, NULL, 0);
    }
}

bool swarm_streams_read(struct swarm *w)
{
    struct swarm_streams *s = streams_of(w);
    bool any = false;
    if (s == NULL) {
        return false;
    }
    for (size_t i = 0; i < s->count; i++) {
        struct stream *x = s->stream[i];
        for (unsigned side = 0; side < 2; side++) {
            write_program(w, x, side);
            any = (x->opened && read_program(w, x, side)) || any;
        }
    }
    for (int fd; (fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0;) {
        open_stream(w, fd);
        any = true;
    }
    if (any) {
        serve_streams(w);
    }
    return any;
}

void swarm_streams_receive(struct swarm *w, const struct swarm_arrival *a)
{
    struct swarm_streams *s = streams_of(w);
    struct mf_stream_event event;
    const bool whole = mf_stream_read(a->bytes, a->size, &event);
    for (size_t i = 0; s != NULL && whole && i < s->count; i++) {
        struct stream *x = s->stream[i];
        if (x->number == event.number &&
            x->end[0].member + x->end[1].member == a->receiver + a->sender) {
            receive_event(w, x, x->end[0].member == a->receiver ? 0 : 1, &event);
            serve_streams(w);
            return;
        }
    }
}

uint64_t swarm_streams_count_changes(const struct swarm *w)
{
    return streams_of(w) != NULL ? streams_of(w)->out : 0;
}

void swarm_streams_close(struct swarm *w)
{
    struct swarm_streams *s = streams_of(w);
    if (s == NULL) {
        return;
    }
    for (size_t i = 0; i < s->count; i++) {
        free_stream(s->stream[i]);
    }
    if (s->fd >= 0) {
        (void)close(s->fd);
    }
    free(s->stream);
    free(s);
    w->state[SWARM_SLOT_STREAMS] = NULL;
}

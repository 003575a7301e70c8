/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for descriptors: poll and its kin, and calls that block on what is not there yet. */
#include "tools/virtual-time/nodes.h"
#include "tools/virtual-time/vt.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

/* Fortified programs call these. */
int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t size);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask,
                size_t size);
ssize_t __read_chk(int fd, void *bytes, size_t n, size_t size);
ssize_t __recv_chk(int fd, void *bytes, size_t n, size_t size, int flags);
ssize_t __recvfrom_chk(int fd, void *bytes, size_t n, size_t size, int flags, struct sockaddr *from,
                       socklen_t *length);

#define MASK_BYTES   8 /* of a signal mask, as the kernel counts */
#define TIMEOUTS_MAX 4096

static long poll_now(struct pollfd *fds, nfds_t n)
{
    struct timespec now = {0};
    return vt_raw(SYS_ppoll, fds, n, &now, NULL, 0);
}

/* A mask that stands while a call waits. @return the one before */
static sigset_t set_mask(const sigset_t *mask)
{
    sigset_t before;
    (void)vt_raw(SYS_rt_sigprocmask, SIG_SETMASK, mask, &before, MASK_BYTES);
    return before;
}

/* Set the mask of a thread that begins to listen for signals. @return its mask before */
static sigset_t begin_mask(struct vt_thread *me, const sigset_t *mask)
{
    atomic_store(&me->interrupted, false);
    return mask != NULL ? set_mask(mask) : (sigset_t){{0}};
}

/* ---- poll */

static bool polled(const struct vt_wait *w)
{
    /* The program's own array: what is reported now is reported again when it runs. */
    return poll_now((struct pollfd *)(uintptr_t)w->object, (nfds_t)w->value) != 0;
}

static int wait_poll(struct vt_thread *me, struct pollfd *fds, nfds_t n, int64_t until_ns)
{
    struct vt_wait w = {.ready = polled,
                        .object = fds,
                        .value = (int64_t)n,
                        .until_ns = until_ns,
                        .looked = true,
                        .interruptible = true,
                        .masked = true};
    const long now = poll_now(fds, n);
    if (now == 0 && atomic_load(&me->interrupted)) {
        return (int)vt_result(-EINTR);
    }
    if (now != 0 || until_ns <= vt_now()) {
        if (now == 0) {
            vt_spin(me);
        }
        return (int)vt_result(now);
    }
    const enum vt_end end = vt_wait(me, &w);
    vt_test_cancel(me);
    return (int)vt_result(end == VT_INTERRUPTED ? -EINTR : poll_now(fds, n));
}

VT_EXPORT int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                    const sigset_t *mask)
{
    struct vt_thread *me = vt_me();
    if (me == NULL) {
        struct timespec copy = timeout != NULL ? *timeout : (struct timespec){0};
        return (int)vt_result(
            vt_raw(SYS_ppoll, fds, n, timeout != NULL ? &copy : NULL, mask, MASK_BYTES));
    }
    const sigset_t before = begin_mask(me, mask);
    const int result = wait_poll(me, fds, n, vt_from_span(timeout));
    const int error = errno;
    if (mask != NULL) {
        (void)set_mask(&before);
    }
    errno = error;
    return result;
}

static struct timespec of_ms(int ms)
{
    return (struct timespec){.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
}

VT_EXPORT int poll(struct pollfd *fds, nfds_t n, int timeout)
{
    const struct timespec t = of_ms(timeout);
    return ppoll(fds, n, timeout < 0 ? NULL : &t, NULL);
}

VT_EXPORT int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t size)
{
    (void)size;
    return poll(fds, n, timeout);
}

VT_EXPORT int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                          const sigset_t *mask, size_t size)
{
    (void)size;
    return ppoll(fds, n, timeout, mask);
}

/* ---- select */

struct sets {
    int n;
    fd_set *set[3];
};

static void copy_set(void *to, const void *from, int n)
{
    memcpy(to, from, ((size_t)n + 8 * sizeof(long) - 1) / (8 * sizeof(long)) * sizeof(long));
}

static long select_now(const struct sets *s, struct sets *out)
{
    struct timespec now = {0};
    for (int i = 0; i < 3; i++) {
        if (s->set[i] != NULL) {
            copy_set(out->set[i], s->set[i], s->n);
        }
    }
    return vt_raw(SYS_pselect6, s->n, s->set[0] != NULL ? out->set[0] : NULL,
                  s->set[1] != NULL ? out->set[1] : NULL, s->set[2] != NULL ? out->set[2] : NULL,
                  &now, NULL);
}

static bool selected(const struct vt_wait *w)
{
    fd_set set[3];
    struct sets out = {.set = {&set[0], &set[1], &set[2]}};
    return select_now(w->object, &out) != 0;
}

/* Wait for a set of at most FD_SETSIZE descriptors. The program's memory may be larger than fd_set,
 * so only its first bits are written. */
static int wait_select(struct vt_thread *me, struct sets *s, int64_t until_ns)
{
    fd_set result[3];
    struct sets out = {.n = s->n, .set = {&result[0], &result[1], &result[2]}};
    struct vt_wait w = {.ready = selected,
                        .object = s,
                        .until_ns = until_ns,
                        .looked = true,
                        .interruptible = true,
                        .masked = true};
    if (s->n < 0 || s->n > FD_SETSIZE) {
        return (int)vt_result(-EINVAL);
    }
    long n = select_now(s, &out);
    if (n == 0 && atomic_load(&me->interrupted)) {
        n = -EINTR;
    } else if (n == 0 && until_ns > vt_now()) {
        const enum vt_end end = vt_wait(me, &w);
        vt_test_cancel(me);
        n = end == VT_INTERRUPTED ? -EINTR : select_now(s, &out);
    } else if (n == 0) {
        vt_spin(me);
    }
    for (int i = 0; i < 3 && n >= 0; i++) {
        if (s->set[i] != NULL) {
            copy_set(s->set[i], out.set[i], s->n);
        }
    }
    return (int)vt_result(n);
}

VT_EXPORT int pselect(int n, fd_set *in, fd_set *out, fd_set *other, const struct timespec *timeout,
                      const sigset_t *mask)
{
    struct vt_thread *me = vt_me();
    struct sets s = {.n = n, .set = {in, out, other}};
    if (me == NULL) {
        struct timespec copy = timeout != NULL ? *timeout : (struct timespec){0};
        const struct {
            const sigset_t *mask;
            size_t size;
        } with = {mask, MASK_BYTES};
        return (int)vt_result(
            vt_raw(SYS_pselect6, n, in, out, other, timeout != NULL ? &copy : NULL, &with));
    }
    const sigset_t before = begin_mask(me, mask);
    const int result = wait_select(me, &s, vt_from_span(timeout));
    const int error = errno;
    if (mask != NULL) {
        (void)set_mask(&before);
    }
    errno = error;
    return result;
}

VT_EXPORT int select(int n, fd_set *in, fd_set *out, fd_set *other, struct timeval *timeout)
{
    struct timespec t = {0};
    const int64_t begin_ns = vt_now();
    if (timeout != NULL) {
        t = (struct timespec){.tv_sec = timeout->tv_sec + timeout->tv_usec / 1000000,
                              .tv_nsec = timeout->tv_usec % 1000000 * 1000};
    }
    const int result = pselect(n, in, out, other, timeout != NULL ? &t : NULL, NULL);
    if (timeout != NULL && vt_me() != NULL) { /* as Linux: what is left */
        const int64_t left_ns = t.tv_sec * VT_SECOND_NS + t.tv_nsec - (vt_now() - begin_ns);
        *timeout = (struct timeval){.tv_sec = left_ns > 0 ? left_ns / VT_SECOND_NS : 0,
                                    .tv_usec = left_ns > 0 ? left_ns % VT_SECOND_NS / 1000 : 0};
    }
    return result;
}

/* ---- epoll */

struct epoll_call {
    int fd, max;
    struct epoll_event *events;
    long n;
};

/* Poll an epoll set. This consumes edge-triggered events, so the caller's thread runs next if it
 * can. */
static bool epoll_ready(const struct vt_wait *w)
{
    struct epoll_call *call = (struct epoll_call *)(uintptr_t)w->object;
    call->n = vt_raw(SYS_epoll_pwait, call->fd, call->events, call->max, 0, NULL, MASK_BYTES);
    return call->n != 0;
}

static int wait_epoll(struct vt_thread *me, struct epoll_call *call, int64_t until_ns)
{
    struct vt_wait w = {.ready = epoll_ready,
                        .object = call,
                        .until_ns = until_ns,
                        .interruptible = true,
                        .masked = true};
    while (!epoll_ready(&w)) {
        if (until_ns <= vt_now()) {
            vt_spin(me);
            return 0;
        }
        w.looked = true;
        const enum vt_end end = vt_wait(me, &w);
        vt_test_cancel(me);
        if (end == VT_INTERRUPTED) {
            return (int)vt_result(-EINTR);
        }
        if (end == VT_CAME) {
            break;
        }
    }
    return (int)vt_result(call->n);
}

VT_EXPORT int epoll_pwait(int fd, struct epoll_event *events, int max, int timeout,
                          const sigset_t *mask)
{
    struct vt_thread *me = vt_me();
    const struct timespec t = of_ms(timeout);
    if (me == NULL) {
        return (int)vt_result(vt_raw(SYS_epoll_pwait, fd, events, max, timeout, mask, MASK_BYTES));
    }
    const sigset_t before = begin_mask(me, mask);
    struct epoll_call call = {fd, max, events, 0};
    const int result = wait_epoll(me, &call, timeout < 0 ? MF_VIRTUAL_NEVER : vt_from_span(&t));
    const int error = errno;
    if (mask != NULL) {
        (void)set_mask(&before);
    }
    errno = error;
    return result;
}

VT_EXPORT int epoll_wait(int fd, struct epoll_event *events, int max, int timeout)
{
    return epoll_pwait(fd, events, max, timeout, NULL);
}

VT_EXPORT int epoll_pwait2(int fd, struct epoll_event *events, int max,
                           const struct timespec *timeout, const sigset_t *mask)
{
    struct vt_thread *me = vt_me();
    if (me == NULL) {
        return (int)vt_result(vt_raw(SYS_epoll_pwait2, fd, events, max, timeout, mask, MASK_BYTES));
    }
    const sigset_t before = begin_mask(me, mask);
    struct epoll_call call = {fd, max, events, 0};
    const int result = wait_epoll(me, &call, vt_from_span(timeout));
    const int error = errno;
    if (mask != NULL) {
        (void)set_mask(&before);
    }
    errno = error;
    return result;
}

/* ---- calls that block */

static bool fd_ready(const struct vt_wait *w)
{
    struct pollfd fd = {.fd = (int)(w->value >> 8), .events = (short)(w->value & 0xFF)};
    return poll_now(&fd, 1) != 0;
}

/* Time-outs of sockets as programs set them: the kernel rounds them to its ticks. 0: ask it. */
static int64_t s_timeout_ns[2][TIMEOUTS_MAX];

/* SO_RCVTIMEO, SO_SNDTIMEO. */
static int64_t socket_deadline(int fd, short events)
{
    if (fd >= 0 && fd < TIMEOUTS_MAX && s_timeout_ns[events == POLLOUT][fd] != 0) {
        return vt_after(s_timeout_ns[events == POLLOUT][fd]);
    }
    struct timeval t = {0};
    socklen_t n = sizeof t;
    const int option = events == POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO;
    if (vt_raw(SYS_getsockopt, fd, SOL_SOCKET, option, &t, &n) < 0 ||
        (t.tv_sec == 0 && t.tv_usec == 0)) {
        return MF_VIRTUAL_NEVER;
    }
    return vt_after(t.tv_sec * VT_SECOND_NS + t.tv_usec * 1000);
}

static bool is_blocking(int fd)
{
    return (vt_raw(SYS_fcntl, fd, F_GETFL) & O_NONBLOCK) == 0;
}

/* A stream of the world whose connection has failed says so once. */
static int stream_error(int fd)
{
    const int error = vt_stream_opened(fd);
    return error == -EINPROGRESS ? 0 : error;
}

/* A call on a descriptor that blocks cannot be done now: wait. @return 0: call it; else a negative
 * errno */
static int await_fd(struct vt_thread *me, int fd, short events)
{
    struct vt_wait w = {.ready = fd_ready,
                        .value = (int64_t)fd << 8 | (events & 0xFF),
                        .until_ns = socket_deadline(fd, events),
                        .looked = true,
                        .interruptible = true};
    const enum vt_end end = vt_wait(me, &w);
    vt_test_cancel(me);
    return end == VT_LATE ? -EAGAIN : end == VT_INTERRUPTED ? -EINTR : stream_error(fd);
}

/* Wait until a call on a descriptor will not block. @return 0: call it; else a negative errno */
static int wait_fd(struct vt_thread *me, int fd, short events, bool nonblocking)
{
    struct pollfd now = {.fd = fd, .events = events};
    if (me == NULL) {
        return 0;
    }
    if (poll_now(&now, 1) != 0) {
        return stream_error(fd);
    }
    if (nonblocking || !is_blocking(fd)) {
        vt_spin(me); /* it will say EAGAIN */
        return 0;
    }
    return await_fd(me, fd, events);
}

/* The call, once it does not block: CALL is evaluated after the wait. */
#define WHEN_READY(fd, events, nonblocking, call)                           \
    do {                                                                    \
        const int error_ = wait_fd(vt_me(), (fd), (events), (nonblocking)); \
        return vt_result(error_ != 0 ? error_ : (call));                    \
    } while (0)

/*
 * Decide after a try without blocking: if the socket has nothing, wait, unless the caller does not
 * want to block.
 * @return true: the result is the call's; false: try again
 */
static bool is_final(struct vt_thread *me, int fd, int flags, long *result)
{
    if (*result != -EAGAIN || me == NULL) {
        return true;
    }
    if ((flags & MSG_DONTWAIT) != 0 || !is_blocking(fd)) {
        vt_spin(me);
        return true;
    }
    *result = await_fd(me, fd, POLLIN);
    return *result != 0;
}

/* Receive the next message, which the world's switch may have sent. Skips messages for other
 * sockets. */
static long take_message(struct vt_thread *me, int fd, struct msghdr *m, int flags)
{
    const int at_once = me != NULL ? flags | MSG_DONTWAIT : flags;
    const bool node = me != NULL && vt_node_datagram(fd);
    long result = me != NULL ? stream_error(fd) : 0;
    if (result < 0) {
        return result;
    }
    if (me != NULL && m->msg_name != NULL && vt_stream(fd)) {
        m->msg_name = NULL; /* a stream says nothing there */
        m->msg_namelen = 0;
    }
    do {
        result = node && vt_node_has(fd) ? vt_node_receive(fd, m, at_once)
                                         : vt_raw(SYS_recvmsg, fd, m, at_once);
    } while (!is_final(me, fd, flags, &result));
    return result;
}

/* Receive messages that are available, after the first one. */
static long take_messages(struct vt_thread *me, int fd, struct mmsghdr *m, unsigned n, int flags)
{
    for (unsigned k = 0; k < n; k++) {
        const long result =
            take_message(me, fd, &m[k].msg_hdr, k == 0 ? flags : flags | MSG_DONTWAIT);
        if (result < 0) {
            return k > 0 ? (long)k : result;
        }
        m[k].msg_len = (unsigned)result;
    }
    return n;
}

VT_EXPORT ssize_t read(int fd, void *bytes, size_t n)
{
    if (vt_node_carries(fd, NULL, 0)) {
        return recv(fd, bytes, n, 0);
    }
    WHEN_READY(fd, POLLIN, false, vt_raw(SYS_read, fd, bytes, n));
}

VT_EXPORT ssize_t readv(int fd, const struct iovec *parts, int count)
{
    WHEN_READY(fd, POLLIN, false, vt_raw(SYS_readv, fd, parts, count));
}

VT_EXPORT ssize_t recvfrom(int fd, void *restrict bytes, size_t n, int flags, __SOCKADDR_ARG from,
                           socklen_t *restrict length)
{
    struct vt_thread *me = vt_me();
    const int at_once = me != NULL ? MSG_DONTWAIT : 0;
    size_t got = 0;
    if (me != NULL && vt_node()) {
        struct iovec part = {.iov_base = bytes, .iov_len = n};
        struct msghdr m = {.msg_name = from.__sockaddr__,
                           .msg_namelen = length != NULL ? *length : 0,
                           .msg_iov = &part,
                           .msg_iovlen = 1};
        if (vt_node_datagram(fd)) {
            const long received = take_message(me, fd, &m, flags);
            if (received >= 0 && length != NULL) {
                *length = m.msg_namelen;
            }
            return vt_result(received);
        }
    }
    struct sockaddr *whence = from.__sockaddr__;
    if (whence != NULL && length != NULL && me != NULL && vt_stream(fd)) {
        whence = NULL; /* a stream says nothing there */
        *length = 0;
    }
    long result = me != NULL ? stream_error(fd) : 0;
    if (result < 0) {
        return vt_result(result);
    }
    do { /* MSG_WAITALL: piece by piece */
        do {
            result = vt_raw(SYS_recvfrom, fd, (char *)bytes + got, n - got,
                            (flags & ~MSG_WAITALL) | at_once, whence, length);
        } while (!is_final(me, fd, flags, &result));
        got += result > 0 ? (size_t)result : 0;
    } while (result > 0 && (flags & (MSG_WAITALL | MSG_PEEK)) == MSG_WAITALL && got < n);
    return got > 0 ? (ssize_t)got : vt_result(result);
}

VT_EXPORT ssize_t recv(int fd, void *bytes, size_t n, int flags)
{
    return recvfrom(fd, bytes, n, flags, (struct sockaddr *)NULL, NULL);
}

VT_EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
    return vt_result(take_message(vt_me(), fd, m, flags));
}

/*
 * Return the available messages, as with MSG_WAITFORONE: Linux checks the time-out of recvmmsg only
 * between datagrams anyway.
 */
VT_EXPORT int recvmmsg(int fd, struct mmsghdr *m, unsigned n, int flags, struct timespec *timeout)
{
    struct vt_thread *me = vt_me();
    if (me != NULL && n > 0 && vt_node_datagram(fd)) {
        return (int)vt_result(take_messages(me, fd, m, n, flags & ~MSG_WAITFORONE));
    }
    const int error = wait_fd(me, fd, POLLIN, (flags & MSG_DONTWAIT) != 0);
    const int at_once = me != NULL ? MSG_DONTWAIT : 0;
    return (int)vt_result(
        error != 0 ? error
                   : vt_raw(SYS_recvmmsg, fd, m, n, flags | at_once, me != NULL ? NULL : timeout));
}

/* A stream that gathers small pieces sends them when the wall's time has come (Nagle's algorithm).
 */
static void send_at_once(long fd)
{
    const int yes = 1;
    if (fd >= 0) {
        (void)vt_raw(SYS_setsockopt, fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }
}

VT_EXPORT int setsockopt(int fd, int level, int option, const void *value, socklen_t n)
{
    if (level == IPPROTO_TCP && (option == TCP_NODELAY || option == TCP_CORK) && vt_me() != NULL) {
        return 0;
    }
    if (vt_me() != NULL && vt_stream_takes_option(fd, level, option)) {
        return 0;
    }
    const long result = vt_raw(SYS_setsockopt, fd, level, option, value, n);
    if (result == 0 && level == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO) &&
        fd < TIMEOUTS_MAX && n >= sizeof(struct timeval)) {
        const struct timeval *t = value;
        s_timeout_ns[option == SO_SNDTIMEO][fd] = t->tv_sec * VT_SECOND_NS + t->tv_usec * 1000;
    }
    return (int)vt_result(result);
}

VT_EXPORT int accept4(int fd, __SOCKADDR_ARG from, socklen_t *restrict length, int flags)
{
    const int error = wait_fd(vt_me(), fd, POLLIN, false);
    if (error == 0 && vt_me() != NULL && vt_stream(fd)) {
        return (int)vt_result(vt_stream_accept(fd, from.__sockaddr__, length, flags));
    }
    const long result =
        error != 0 ? error : vt_raw(SYS_accept4, fd, from.__sockaddr__, length, flags);
    if (vt_me() != NULL) {
        send_at_once(result);
    }
    return (int)vt_result(result);
}

VT_EXPORT int accept(int fd, __SOCKADDR_ARG from, socklen_t *restrict length)
{
    return accept4(fd, from, length, 0);
}

VT_EXPORT ssize_t __read_chk(int fd, void *bytes, size_t n, size_t size)
{
    return read(fd, bytes, n < size ? n : size);
}

VT_EXPORT ssize_t __recv_chk(int fd, void *bytes, size_t n, size_t size, int flags)
{
    return recv(fd, bytes, n < size ? n : size, flags);
}

VT_EXPORT ssize_t __recvfrom_chk(int fd, void *bytes, size_t n, size_t size, int flags,
                                 struct sockaddr *from, socklen_t *length)
{
    return recvfrom(fd, bytes, n < size ? n : size, flags, from, length);
}

/* ---- sending: a stream takes a part at a time, all of it before the call returns */

static ssize_t send_all(int fd, const char *bytes, size_t n, int flags, const struct sockaddr *to,
                        socklen_t length)
{
    struct vt_thread *me = vt_me();
    size_t sent = 0;
    if (me != NULL && vt_node_carries(fd, to, length)) {
        struct iovec part = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = n};
        const struct msghdr m = {.msg_name = (void *)(uintptr_t)to,
                                 .msg_namelen = length,
                                 .msg_iov = &part,
                                 .msg_iovlen = 1};
        return vt_result(vt_node_send(fd, &m, flags));
    }
    if (me == NULL || (flags & MSG_DONTWAIT) != 0 || !is_blocking(fd)) {
        return vt_result(vt_raw(SYS_sendto, fd, bytes, n, flags, to, length));
    }
    for (;;) {
        const long result =
            vt_raw(SYS_sendto, fd, bytes + sent, n - sent, flags | MSG_DONTWAIT, to, length);
        sent += result > 0 ? (size_t)result : 0;
        if (sent >= n || (result < 0 && result != -EAGAIN)) {
            return sent > 0 || result >= 0 ? (ssize_t)sent : vt_result(result);
        }
        const int error = wait_fd(me, fd, POLLOUT, false);
        if (error != 0) {
            return sent > 0 ? (ssize_t)sent : vt_result(error);
        }
    }
}

VT_EXPORT ssize_t sendto(int fd, const void *bytes, size_t n, int flags, __CONST_SOCKADDR_ARG to,
                         socklen_t length)
{
    return send_all(fd, bytes, n, flags, to.__sockaddr__, length);
}

VT_EXPORT ssize_t send(int fd, const void *bytes, size_t n, int flags)
{
    return send_all(fd, bytes, n, flags, NULL, 0);
}

VT_EXPORT ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
    if (vt_me() != NULL && vt_node_carries(fd, m->msg_name, m->msg_namelen)) {
        return vt_result(vt_node_send(fd, m, flags));
    }
    WHEN_READY(fd, POLLOUT, (flags & MSG_DONTWAIT) != 0, vt_raw(SYS_sendmsg, fd, m, flags));
}

VT_EXPORT int sendmmsg(int fd, struct mmsghdr *m, unsigned n, int flags)
{
    if (vt_me() == NULL) {
        return (int)vt_result(vt_raw(SYS_sendmmsg, fd, m, n, flags));
    }
    for (unsigned k = 0; k < n; k++) {
        const ssize_t sent = sendmsg(fd, &m[k].msg_hdr, flags);
        if (sent < 0) {
            return k > 0 ? (int)k : -1;
        }
        m[k].msg_len = (unsigned)sent;
    }
    return (int)n;
}

/* A pipe or socket that has room takes a part. */
VT_EXPORT ssize_t write(int fd, const void *bytes, size_t n)
{
    struct vt_thread *me = vt_me();
    size_t written = 0;
    if (me != NULL && vt_node_carries(fd, NULL, 0)) {
        return send(fd, bytes, n, 0);
    }
    for (;;) {
        const int error = wait_fd(me, fd, POLLOUT, false);
        /* PIPE_BUF bytes fit if poll() reports POLLOUT for a pipe */
        const size_t left = n - written;
        const size_t some = me != NULL && left > 4096 && is_blocking(fd) ? 4096 : left;
        const long result =
            error != 0 ? error : vt_raw(SYS_write, fd, (const char *)bytes + written, some);
        written += result > 0 ? (size_t)result : 0;
        if (result < 0 || written >= n || (size_t)result < some) {
            return written > 0 || result >= 0 ? (ssize_t)written : vt_result(result);
        }
    }
}

VT_EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
    WHEN_READY(fd, POLLOUT, false, vt_raw(SYS_writev, fd, parts, count));
}

/* ---- connecting: over loopback it is done at once; to a server that does not accept, never */

static int connection_error(int fd)
{
    int error = 0;
    socklen_t n = sizeof error;
    if (vt_stream(fd)) {
        return vt_stream_opened(fd);
    }
    (void)vt_raw(SYS_getsockopt, fd, SOL_SOCKET, SO_ERROR, &error, &n);
    return -error;
}

/* The socket has its connection, or an error. */
static long await_connection(struct vt_thread *me, int fd)
{
    const int error = wait_fd(me, fd, POLLOUT, false);
    const long result = error == 0 ? connection_error(fd) : error;
    return result == -EAGAIN ? -EINPROGRESS : result;
}

static long connect_here(struct vt_thread *me, int fd, const struct sockaddr *to, socklen_t length)
{
    send_at_once(fd);
    if (!is_blocking(fd)) {
        return vt_raw(SYS_connect, fd, to, length);
    }
    const long flags = vt_raw(SYS_fcntl, fd, F_GETFL);
    (void)vt_raw(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
    const long result = vt_raw(SYS_connect, fd, to, length);
    (void)vt_raw(SYS_fcntl, fd, F_SETFL, flags);
    return result == -EINPROGRESS ? await_connection(me, fd) : result;
}

VT_EXPORT int connect(int fd, __CONST_SOCKADDR_ARG to, socklen_t length)
{
    struct vt_thread *me = vt_me();
    long result;
    if (me == NULL) {
        return (int)vt_result(vt_raw(SYS_connect, fd, to.__sockaddr__, length));
    }
    if (vt_node_connect(fd, to.__sockaddr__, length, &result)) {
        return (int)vt_result(result);
    }
    if (vt_stream_connect(fd, to.__sockaddr__, length, &result)) {
        const bool waits = (result == -EINPROGRESS || result == -EALREADY) && is_blocking(fd);
        return (int)vt_result(waits ? await_connection(me, fd) : result);
    }
    return (int)vt_result(connect_here(me, fd, to.__sockaddr__, length));
}

/* ---- locks of files */

static bool file_free(const struct vt_wait *w)
{
    const int how = (int)(w->value & 0xFF), fd = (int)(w->value >> 8);
    if (vt_raw(SYS_flock, fd, how | LOCK_NB) == -EWOULDBLOCK) {
        return false;
    }
    return true; /* the first call has taken the lock, or failed otherwise */
}

VT_EXPORT int flock(int fd, int how)
{
    struct vt_thread *me = vt_me();
    if (me == NULL || (how & (LOCK_NB | LOCK_UN)) != 0) {
        return (int)vt_result(vt_raw(SYS_flock, fd, how));
    }
    struct vt_wait w = {.ready = file_free,
                        .value = (int64_t)fd << 8 | how,
                        .until_ns = MF_VIRTUAL_NEVER,
                        .interruptible = true};
    if (!file_free(&w) && vt_wait(me, &w) == VT_INTERRUPTED) {
        return (int)vt_result(-EINTR);
    }
    return (int)vt_result(vt_raw(SYS_flock, fd, how));
}

/* ---- the connection to the time server is not the program's */

VT_EXPORT int close(int fd)
{
    if (vt_is_server(fd)) {
        return 0;
    }
    if (vt_me() != NULL) {
        vt_timers_closed(fd);
        vt_node_closed(fd);
        vt_stream_closed(fd);
    }
    if (fd >= 0 && fd < TIMEOUTS_MAX) {
        s_timeout_ns[0][fd] = s_timeout_ns[1][fd] = 0;
    }
    return (int)vt_result(vt_raw(SYS_close, fd));
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Order of turns: threads of the process, and the time server. */
#include "tools/virtual-time/vt.h"

#include "host/time/virtual_program.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Values of a thread's futex. */
enum { NOTHING, RUN, ASK_SERVER };

/* Questions for the time before a thread that does nothing else must wait, and how long: it doubles
 * after so many more, up to 2^7 us. */
#define SPINS_FREE   10000u
#define SPINS_STEP   100u
#define SPINS_DOUBLE 7u
/* The descriptor to the server stands where programs do not look for theirs. */
#define FD_FIRST 700
/* A signal that this library sends is handled by then [ns]. */
#define SIGNAL_NS 50000000

static struct vt_thread s_thread[VT_THREADS_MAX];
static unsigned s_top;
static unsigned s_current; /* who had the turn last */
static bool s_ran;         /* a thread has run since the last message to the server */
static int s_server = -1;
static char s_world[MF_VIRTUAL_NAME_MAX];
/* "LD_PRELOAD=..." and "MAYFLY_TIME_WORLD=..." as this process has them */
static char s_preload[PATH_MAX + 16], s_variable[MF_VIRTUAL_NAME_MAX + 32];
static int64_t s_now_ns, s_utc_ns;
static int32_t s_processor; /* of the world */
static pthread_key_t s_key;
static _Atomic bool s_started;

static _Thread_local struct vt_thread *t_me;
static _Thread_local int t_inside; /* within this library, or no more in the world */

int64_t vt_now(void)
{
    return s_now_ns;
}

vt_function *vt_next(const char *name)
{
    vt_function *function = NULL;
    t_inside++;
    void *found = dlsym(RTLD_NEXT, name);
    t_inside--;
    if (found == NULL) {
        abort();
    }
    memcpy(&function, &found, sizeof function);
    return function;
}

char *vt_world(void)
{
    return s_variable;
}

char *vt_preload(void)
{
    return s_preload;
}

/* ---- the server */

_Noreturn static void fail(const char *why)
{
    char text[PATH_MAX + 200];
    const int n = snprintf(text, sizeof text, MF_VIRTUAL_LIBRARY ": %s\n", why);
    (void)vt_raw(SYS_write, 2, text, n);
    vt_raw(SYS_exit_group, 2);
    __builtin_unreachable();
}

void vt_refuse_go(const char *path)
{
    char why[PATH_MAX + 120];
    if (mf_virtual_is_go(path)) {
        (void)snprintf(why, sizeof why, "%s cannot follow virtual time: " MF_VIRTUAL_IS_GO, path);
        fail(why);
    }
}

/* The drone is gone, and time with it. */
_Noreturn static void world_ended(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    (void)sigaction(SIGTERM, &action, NULL);
    (void)vt_raw(SYS_kill, vt_raw(SYS_getpid), SIGTERM);
    vt_raw(SYS_exit_group, 128 + SIGTERM);
    __builtin_unreachable();
}

/* @param error  of a call on the connection, negative errno; 0: the server has closed it */
_Noreturn static void lost(long error)
{
    char why[160];
    if (error == -EBADF || error == -ENOTSOCK) {
        (void)snprintf(why, sizeof why,
                       "the program has closed or replaced descriptor %d, which is its connection "
                       "to the time server: it ends",
                       s_server);
        fail(why);
    }
    world_ended();
}

static void tell_server(uint32_t kind, int32_t value, int64_t at_ns)
{
    const struct mf_virtual_message m = {.kind = kind, .value = value, .at_ns = at_ns};
    long n = 0;
    do {
        n = vt_raw(SYS_sendto, s_server, &m, sizeof m, MSG_NOSIGNAL, 0, 0);
    } while (n == -EINTR);
    if (n < 0) {
        lost(n);
    }
}

void vt_handled(void)
{
    struct vt_thread *me = t_me;
    if (me != NULL) {
        atomic_store(&me->interrupted, true);
        if (atomic_load(&me->state) == VT_WAITS) {
            tell_server(MF_VIRTUAL_WANT, 0, 0);
        }
    }
}

static void hear_server(uint32_t kind)
{
    struct mf_virtual_message m = {0};
    for (;;) {
        const long n = vt_raw(SYS_recvfrom, s_server, &m, sizeof m, 0, 0, 0);
        if (n == -EINTR) {
            continue; /* vt_handled() has said so */
        }
        if (n != (long)sizeof m) {
            lost(n);
        }
        if (m.kind == kind) {
            break;
        }
    }
    if (kind == MF_VIRTUAL_GO) {
        s_now_ns = m.at_ns;
        s_utc_ns = m.utc_ns;
        s_processor = m.value;
    }
}

static void join_world(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t length = strlen(s_world);
    const long fd = vt_raw(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    memcpy(address.sun_path + (s_world[0] != '/'), s_world, length + 1);
    long result =
        vt_raw(SYS_connect, fd, &address, offsetof(struct sockaddr_un, sun_path) + 1 + length);
    s_server = (int)vt_raw(SYS_fcntl, fd, 1030 /* F_DUPFD_CLOEXEC */, FD_FIRST);
    if (s_server >= 0) {
        (void)vt_raw(SYS_close, fd);
    } else {
        s_server = (int)fd;
    }
    if (result < 0) {
        fail("the time server has disconnected");
    }
    tell_server(MF_VIRTUAL_HELLO, (int32_t)MF_VIRTUAL_VERSION, 0);
    hear_server(MF_VIRTUAL_GO);
    s_ran = true;
}

bool vt_is_server(int fd)
{
    return fd == s_server && s_server >= 0;
}

void vt_move_server(void)
{
    const long fd = vt_raw(SYS_fcntl, s_server, 1030 /* F_DUPFD_CLOEXEC */, FD_FIRST);
    if (fd < 0) {
        fail(
            "the program takes all descriptors, also that of its connection to the time server: it "
            "ends");
    }
    s_server = (int)fd;
}

void vt_stops(void)
{
    tell_server(MF_VIRTUAL_STOPS, 0, 0);
}

/* ---- timers */

static const struct vt_timers *s_timers; /* NULL: the process has had none */

void vt_set_timers(const struct vt_timers *timers)
{
    s_timers = timers;
}

static bool run_timers(void)
{
    return s_timers != NULL && s_timers->run();
}

/* ---- the turn */

static void hand(struct vt_thread *t, uint32_t what)
{
    atomic_store(&t->turn, what);
    (void)vt_raw(SYS_futex, &t->turn, FUTEX_WAKE_PRIVATE, 1);
}

static uint32_t await(struct vt_thread *me)
{
    for (;;) {
        const uint32_t what = atomic_exchange(&me->turn, NOTHING);
        if (what != NOTHING) {
            return what;
        }
        (void)vt_raw(SYS_futex, &me->turn, FUTEX_WAIT_PRIVATE, NOTHING, NULL);
    }
}

/* Can it run? Then it is known why. */
static bool can_run(struct vt_thread *t)
{
    const int state = atomic_load(&t->state);
    struct vt_wait *w = t->wait;
    if (state == VT_READY) {
        return true;
    }
    if (state != VT_WAITS || w == NULL) {
        return false;
    }
    if (w->ready != NULL && !w->looked && w->ready(w)) {
        t->end = VT_CAME;
    } else if (t->cancelled) {
        t->end = VT_CANCELLED;
    } else if (w->interruptible && atomic_load(&t->interrupted)) {
        t->end = VT_INTERRUPTED;
    } else if (w->until_ns <= s_now_ns) {
        t->end = VT_LATE;
    } else {
        return false;
    }
    return true;
}

/* The next one after who had the turn, by number. */
static struct vt_thread *choose(void)
{
    for (unsigned i = 1; i <= s_top; i++) {
        const unsigned index = (s_current + i) % s_top;
        if (can_run(&s_thread[index])) {
            s_current = index;
            s_ran = true;
            return &s_thread[index];
        }
    }
    return NULL;
}

static int64_t deadline(void)
{
    int64_t at_ns = s_timers != NULL ? s_timers->next() : MF_VIRTUAL_NEVER;
    for (unsigned i = 0; i < s_top; i++) {
        const struct vt_thread *t = &s_thread[i];
        if (atomic_load(&t->state) == VT_WAITS && t->wait != NULL && t->wait->until_ns < at_ns) {
            at_ns = t->wait->until_ns;
        }
    }
    return at_ns;
}

static void ask_server(void)
{
    const bool ran = s_ran;
    s_ran = false;
    tell_server(MF_VIRTUAL_DONE, ran ? 1 : 0, deadline());
    hear_server(MF_VIRTUAL_GO);
}

/* Until it is this thread's turn. */
static void dispatch(struct vt_thread *me)
{
    for (;;) {
        if (run_timers() && me->wait != NULL) {
            me->wait->looked = false;
        }
        struct vt_thread *next = choose();
        if (me->wait != NULL) {
            me->wait->looked = false;
        }
        if (next == me) {
            break;
        }
        if (next == NULL) {
            ask_server();
            continue;
        }
        hand(next, RUN);
        if (await(me) == RUN) {
            break;
        }
    }
    vt_processor_follow(me, s_processor);
}

enum vt_end vt_wait(struct vt_thread *me, struct vt_wait *w)
{
    t_inside++;
    me->wait = w;
    me->spins = 0;
    if (!w->masked) {
        atomic_store(&me->interrupted, false);
    }
    atomic_store(&me->state, VT_WAITS);
    dispatch(me);
    atomic_store(&me->state, VT_RUNS);
    me->wait = NULL;
    t_inside--;
    return me->end;
}

void vt_yield(struct vt_thread *me)
{
    struct vt_wait w = {.until_ns = s_now_ns};
    const uint32_t spins = me->spins;
    (void)vt_wait(me, &w);
    me->spins = spins;
    vt_spin(me);
}

void vt_spin(struct vt_thread *me)
{
    me->spins++;
    if (me->spins < SPINS_FREE) {
        return;
    }
    const uint32_t doubled = (me->spins - SPINS_FREE) / SPINS_STEP;
    struct vt_wait w = {
        .until_ns = vt_after(INT64_C(1000) << (doubled < SPINS_DOUBLE ? doubled : SPINS_DOUBLE))};
    const uint32_t spins = me->spins;
    (void)vt_wait(me, &w);
    me->spins = spins;
}

void vt_test_cancel(struct vt_thread *me)
{
    if (me->cancelled) {
        pthread_testcancel();
    }
}

void vt_signal(int number, pid_t tid)
{
    struct vt_thread *target = NULL;
    const pid_t pid = (pid_t)vt_raw(SYS_getpid);
    for (unsigned i = 0; i < s_top; i++) {
        if (s_thread[i].tid == (tid != 0 ? tid : pid)) {
            target = &s_thread[i];
        }
    }
    if (target == NULL || target == t_me) {
        (void)vt_raw(SYS_tgkill, pid, tid != 0 ? tid : (t_me != NULL ? t_me->tid : pid), number);
        return;
    }
    atomic_store(&target->interrupted, false);
    (void)vt_raw(SYS_tgkill, pid, target->tid, number);
    for (int i = 0; i < 100 && !atomic_load(&target->interrupted); i++) {
        const struct timespec pause = {.tv_nsec = SIGNAL_NS / 100};
        (void)vt_raw(SYS_nanosleep, &pause, NULL);
    }
}

/* ---- threads */

struct vt_thread *vt_thread_at(unsigned index)
{
    return index < s_top ? &s_thread[index] : NULL;
}

struct vt_thread *vt_thread_new(void)
{
    for (unsigned i = 0; i < VT_THREADS_MAX; i++) {
        int expected = VT_FREE;
        if (atomic_compare_exchange_strong(&s_thread[i].state, &expected, VT_ENDED)) {
            struct vt_thread *t = &s_thread[i];
            t->cancelled = t->detached = t->woken = false;
            t->processor = 0;
            t->wait = NULL;
            t->spins = 0;
            t->tid = 0;
            atomic_store(&t->interrupted, false);
            atomic_store(&t->turn, NOTHING);
            s_top = s_top > i ? s_top : i + 1;
            atomic_store(&t->state, VT_READY);
            return t;
        }
    }
    return NULL;
}

/* Make the calling thread, which has the turn, known. */
static void become(struct vt_thread *me)
{
    me->tid = (pid_t)vt_raw(SYS_gettid);
    me->handle = pthread_self();
    t_me = me;
    atomic_store(&me->state, VT_RUNS);
    (void)pthread_setspecific(s_key, me);
    vt_processor_follow(me, s_processor);
}

void vt_thread_begin(struct vt_thread *me)
{
    t_inside++;
    me->tid = (pid_t)vt_raw(SYS_gettid);
    if (await(me) == ASK_SERVER) {
        dispatch(me);
    }
    become(me);
    t_inside--;
}

void vt_thread_leave(struct vt_thread *me)
{
    t_inside = 1 << 20; /* more than any number of calls */
    t_me = NULL;
    atomic_store(&me->state, me->detached ? VT_FREE : VT_ENDED);
    (void)run_timers();
    struct vt_thread *next = choose();
    if (next != NULL) {
        hand(next, RUN);
        return;
    }
    for (unsigned i = 0; i < s_top; i++) {
        if (atomic_load(&s_thread[i].state) == VT_WAITS) {
            hand(&s_thread[i], ASK_SERVER);
            return;
        }
    }
}

/* Destructors of other keys, and what they run, still belong to the thread: it leaves in the last
 * of their rounds. */
static void leave_at_the_end(void *thread)
{
    static _Thread_local int t_rounds;
    if (++t_rounds < 4) {
        (void)pthread_setspecific(s_key, thread);
        return;
    }
    vt_thread_leave(thread);
}

/* A thread that was not made by pthread_create() waits for a turn at its first call. */
static struct vt_thread *adopt(void)
{
    struct vt_thread *me = vt_thread_new();
    if (me == NULL) {
        t_inside = 1 << 20;
        return NULL;
    }
    me->detached = true;
    t_inside++;
    tell_server(MF_VIRTUAL_WANT, 0, 0);
    t_inside--;
    vt_thread_begin(me);
    return me;
}

/* ---- the one that runs for long names itself */

static void name_running(int number)
{
    const pid_t tid = (pid_t)vt_raw(SYS_gettid);
    void *stack[40];
    char text[120];
    for (unsigned i = 0; i < s_top; i++) {
        if (atomic_load(&s_thread[i].state) == VT_RUNS && s_thread[i].tid != tid) {
            (void)vt_raw(SYS_tgkill, vt_raw(SYS_getpid), s_thread[i].tid, number);
            return;
        }
    }
    t_inside++;
    const int n =
        snprintf(text, sizeof text, MF_VIRTUAL_LIBRARY ": thread %d runs here:\n", (int)tid);
    (void)vt_raw(SYS_write, 2, text, n);
    backtrace_symbols_fd(stack, backtrace(stack, 40), 2);
    t_inside--;
}

/* ---- start */

static void start(void)
{
    const char *world = getenv(MF_VIRTUAL_ENV);
    char program[PATH_MAX];
    struct sigaction action;
    atomic_store(&s_started, true);
    if (world == NULL || world[0] == '\0' || strlen(world) >= sizeof s_world) {
        return;
    }
    t_inside++;
    const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    program[n > 0 ? n : 0] = '\0';
    vt_refuse_go(program); /* its starter may be a program outside the world */
    vt_processor_begin();
    (void)snprintf(s_world, sizeof s_world, "%s", world);
    memset(&action, 0, sizeof action);
    action.sa_handler = name_running;
    action.sa_flags = SA_RESTART;
    (void)sigaction(MF_VIRTUAL_SIGNAL, &action, NULL);
    const char *preload = getenv("LD_PRELOAD");
    (void)snprintf(s_preload, sizeof s_preload, "LD_PRELOAD=%s", preload != NULL ? preload : "");
    (void)snprintf(s_variable, sizeof s_variable, MF_VIRTUAL_ENV "=%s", world);
    (void)pthread_key_create(&s_key, leave_at_the_end);
    struct vt_thread *me = vt_thread_new();
    if (me != NULL) {
        join_world();
        become(me);
    } else {
        fail("no thread has a place");
    }
    t_inside--;
}

__attribute__((constructor)) static void start_early(void)
{
    if (!atomic_load(&s_started)) {
        start();
    }
}

struct vt_thread *vt_me(void)
{
    if (t_inside != 0) {
        return NULL;
    }
    if (t_me != NULL) {
        return t_me;
    }
    if (!atomic_load(&s_started)) {
        start();
        return t_me;
    }
    return s_server >= 0 ? adopt() : NULL;
}

void vt_forked(void)
{
    struct vt_thread *me = t_me;
    t_inside++;
    for (unsigned i = 0; i < s_top; i++) {
        if (&s_thread[i] != me) {
            atomic_store(&s_thread[i].state, VT_FREE);
        }
    }
    (void)vt_raw(SYS_close, s_server);
    if (s_timers != NULL) {
        s_timers->forget();
    }
    join_world();
    become(me);
    t_inside--;
}

void vt_spawned(pid_t child)
{
    t_inside++;
    tell_server(MF_VIRTUAL_SPAWNED, child, 0);
    hear_server(MF_VIRTUAL_SPAWNED);
    t_inside--;
}

void vt_becomes(bool another)
{
    t_inside++;
    tell_server(MF_VIRTUAL_EXEC, another ? 1 : 0, 0);
    t_inside--;
}

/* ---- clocks */

/* The machine has been up for an hour when the world begins. */
#define UP_NS (3600 * VT_SECOND_NS)

bool vt_clock(clockid_t clock, int64_t *ns)
{
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
        *ns = s_utc_ns + s_now_ns;
        return true;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
        *ns = UP_NS + s_now_ns;
        return true;
    default:
        return false;
    }
}

int64_t vt_after(int64_t ns)
{
    return ns > MF_VIRTUAL_NEVER - 1 - s_now_ns ? MF_VIRTUAL_NEVER : s_now_ns + (ns > 0 ? ns : 0);
}

int64_t vt_from_span(const struct timespec *t)
{
    if (t == NULL || t->tv_sec > MF_VIRTUAL_NEVER / VT_SECOND_NS - 2) {
        return MF_VIRTUAL_NEVER;
    }
    return vt_after(t->tv_sec * VT_SECOND_NS + t->tv_nsec);
}

int64_t vt_from_clock(clockid_t clock, const struct timespec *t)
{
    int64_t shown_ns = 0;
    if (t == NULL || t->tv_sec > MF_VIRTUAL_NEVER / VT_SECOND_NS - 2 ||
        !vt_clock(clock, &shown_ns)) {
        return MF_VIRTUAL_NEVER;
    }
    return t->tv_sec * VT_SECOND_NS + t->tv_nsec - (shown_ns - s_now_ns);
}

struct timespec vt_timespec(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / VT_SECOND_NS, .tv_nsec = ns % VT_SECOND_NS};
}

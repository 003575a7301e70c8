/* SPDX-License-Identifier: Apache-2.0 */
/* Makes calls that are rare in programs; waits.c makes the others. Each waits,
 * or returns at once, as on the clock of the wall. After each it prints its
 * result and the time since the beginning [ms];
 * tests/process/test_virtual_time.py compares them with calls.txt. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static long long s_begin_ms;

static long long now_ms(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* @param result  what the call has returned, or whether it was right */
static void lap(const char *what, long long result)
{
    printf("%s %lld %lld\n", what, result, now_ms(CLOCK_MONOTONIC) - s_begin_ms);
    fflush(stdout);
}

static struct timespec in_half_a_second(clockid_t clock)
{
    const long long at_ms = now_ms(clock) + 500;
    return (struct timespec){.tv_sec = at_ms / 1000, .tv_nsec = at_ms % 1000 * 1000000};
}

/* Run a function a second later, in a thread of its own. */
struct later {
    void (*run)(void *ctx);
    void *ctx;
};

static void *run_later(void *given)
{
    const struct later *l = given;
    sleep(1);
    l->run(l->ctx);
    return NULL;
}

static pthread_t begin(struct later *l)
{
    pthread_t t;
    pthread_create(&t, NULL, run_later, l);
    return t;
}

/* ---- waits with a mask of signals, which is back after them */

static int is_blocked(int number)
{
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, number);
}

static void masks(void)
{
    const struct timespec quarter = {.tv_nsec = 250000000};
    struct pollfd p = {.fd = -1};
    struct epoll_event got;
    const int e = epoll_create1(0);
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    ppoll(&p, 1, &quarter, &mask);
    lap("ppoll", is_blocked(SIGUSR1));
    pselect(0, NULL, NULL, NULL, &quarter, &mask);
    lap("pselect", is_blocked(SIGUSR1));
    epoll_pwait(e, &got, 1, 250, &mask);
    lap("epoll_pwait", is_blocked(SIGUSR1));
    epoll_pwait2(e, &got, 1, &quarter, &mask);
    lap("epoll_pwait2", is_blocked(SIGUSR1));
    close(e);
}

/* ---- descriptors */

static void write_parts(void *fd)
{
    struct iovec parts[] = {{"on", 2}, {"e", 1}};
    writev(*(int *)fd, parts, 2);
}

static void send_two(void *fd)
{
    struct iovec parts[] = {{"a", 1}, {"bc", 2}};
    struct mmsghdr m[] = {{.msg_hdr = {.msg_iov = &parts[0], .msg_iovlen = 1}},
                          {.msg_hdr = {.msg_iov = &parts[1], .msg_iovlen = 1}}};
    sendmmsg(*(int *)fd, m, 2, 0);
}

static void messages(void)
{
    int pair[2];
    char text[8] = "";
    struct iovec parts[] = {{text, 2}, {text + 2, 2}};
    struct mmsghdr m[] = {{.msg_hdr = {.msg_iov = &parts[0], .msg_iovlen = 1}},
                          {.msg_hdr = {.msg_iov = &parts[1], .msg_iovlen = 1}}};
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pthread_t t = begin(&(struct later){write_parts, &pair[1]});
    const ssize_t n = readv(pair[0], parts, 2);
    lap("readv", n);
    pthread_join(t, NULL);
    lap("one", strcmp(text, "one"));
    socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
    t = begin(&(struct later){send_two, &pair[1]});
    const int count = recvmmsg(pair[0], m, 2, MSG_WAITFORONE, NULL);
    lap("recvmmsg", count > 0);
    pthread_join(t, NULL);
    struct sockaddr_storage from;
    socklen_t length = sizeof from;
    lap("recvfrom, nothing",
        recvfrom(pair[0], text, 2, MSG_DONTWAIT, NULL, NULL) == -1 || count == 1);
    lap("recvfrom, at once",
        recvfrom(pair[0], text, 2, MSG_DONTWAIT, (struct sockaddr *)&from, &length));
}

static void connect_to(void *address)
{
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    (void)connect(fd, address, sizeof(struct sockaddr_in));
    sleep(1);
    write(fd, "z", 1);
    close(fd);
}

static void connections(void)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof own;
    char byte = 0;
    const int server = socket(AF_INET, SOCK_STREAM, 0);
    (void)bind(server, (struct sockaddr *)&own, sizeof own);
    (void)listen(server, 1);
    getsockname(server, (struct sockaddr *)&own, &length);
    const pthread_t t = begin(&(struct later){connect_to, &own});
    const int fd = accept(server, NULL, NULL);
    lap("accept", fd > server);
    lap("read", read(fd, &byte, 1));
    lap("read, end", read(fd, &byte, 1));
    pthread_join(t, NULL);
    close(fd);
    close(server);
}

static void release(void *fd)
{
    flock(*(int *)fd, LOCK_UN);
}

/* Two descriptions of one file: the second waits until the first gives its lock
 * up. */
static void files(void)
{
    char path[] = "/tmp/calls.XXXXXX";
    int first = mkstemp(path);
    const int second = open(path, O_RDWR);
    flock(first, LOCK_EX);
    lap("flock, not now", flock(second, LOCK_EX | LOCK_NB));
    alarm(1);
    lap("flock, interrupted", flock(second, LOCK_EX) == -1 && errno == EINTR);
    const pthread_t t = begin(&(struct later){release, &first});
    lap("flock", flock(second, LOCK_EX));
    pthread_join(t, NULL);
    lap("dup2", dup2(second, 900));
    lap("dup2, itself", dup2(second, second) == second);
    lap("dup2, none", dup2(901, 901));
    lap("close_range", close_range(900, 900, 0));
    unlink(path);
    closefrom(3); /* all but the connection to the time */
    sleep(1);
    lap("closefrom", fcntl(second, F_GETFD));
}

/* ---- threads */

static mtx_t s_mtx;
static cnd_t s_cnd;
static pthread_mutex_t s_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t s_cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t s_rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t s_spin;
static _Atomic unsigned s_word, s_other;

static int hold_all(void *unused)
{
    (void)unused;
    mtx_lock(&s_mtx);
    pthread_mutex_lock(&s_mutex);
    pthread_rwlock_rdlock(&s_rwlock);
    pthread_spin_lock(&s_spin);
    sleep(2);
    mtx_unlock(&s_mtx);
    pthread_mutex_unlock(&s_mutex);
    pthread_rwlock_unlock(&s_rwlock);
    sleep(1);
    pthread_spin_unlock(&s_spin);
    sleep(1);
    mtx_lock(&s_mtx);
    cnd_signal(&s_cnd);
    mtx_unlock(&s_mtx);
    sleep(1);
    mtx_lock(&s_mtx);
    cnd_broadcast(&s_cnd);
    mtx_unlock(&s_mtx);
    sleep(1);
    pthread_mutex_lock(&s_mutex);
    pthread_cond_broadcast(&s_cond);
    pthread_mutex_unlock(&s_mutex);
    return 5;
}

static void locks(void)
{
    thrd_t t;
    int code = 0;
    mtx_init(&s_mtx, mtx_timed);
    cnd_init(&s_cnd);
    pthread_spin_init(&s_spin, PTHREAD_PROCESS_PRIVATE);
    thrd_create(&t, hold_all, NULL);
    usleep(1000);
    struct timespec at = in_half_a_second(CLOCK_REALTIME);
    lap("mtx_timedlock", mtx_timedlock(&s_mtx, &at) == thrd_timedout);
    at = in_half_a_second(CLOCK_REALTIME);
    lap("mutex_timedlock", pthread_mutex_timedlock(&s_mutex, &at) == ETIMEDOUT);
    at = in_half_a_second(CLOCK_REALTIME);
    lap("timedwrlock", pthread_rwlock_timedwrlock(&s_rwlock, &at) == ETIMEDOUT);
    at = in_half_a_second(CLOCK_MONOTONIC);
    lap("clocklock", pthread_mutex_clocklock(&s_mutex, CLOCK_MONOTONIC, &at));
    pthread_mutex_unlock(&s_mutex);
    lap("wrlock", pthread_rwlock_wrlock(&s_rwlock));
    pthread_rwlock_unlock(&s_rwlock);
    lap("mtx_lock", mtx_lock(&s_mtx) == thrd_success);
    lap("spin_lock", pthread_spin_lock(&s_spin));
    at = in_half_a_second(CLOCK_REALTIME);
    lap("cnd_timedwait", cnd_timedwait(&s_cnd, &s_mtx, &at) == thrd_timedout);
    lap("cnd_wait", cnd_wait(&s_cnd, &s_mtx) == thrd_success);
    lap("cnd_wait, all", cnd_wait(&s_cnd, &s_mtx) == thrd_success);
    mtx_unlock(&s_mtx);
    pthread_mutex_lock(&s_mutex);
    lap("cond_wait, all", pthread_cond_wait(&s_cond, &s_mutex));
    pthread_mutex_unlock(&s_mutex);
    thrd_join(t, &code);
    lap("thrd_join", code);
}

static void wake_bits(void *unused)
{
    (void)unused;
    syscall(SYS_futex, &s_word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 2);
    sleep(1);
    syscall(SYS_futex, &s_word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 1);
    sleep(1);
    /* wakes no thread, and moves one to the other word */
    syscall(SYS_futex, &s_word, FUTEX_CMP_REQUEUE, 0, 1L, &s_other, 0);
    sleep(1);
    syscall(SYS_futex, &s_other, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void words(void)
{
    const pthread_t t = begin(&(struct later){wake_bits, NULL});
    lap("futex, other value", syscall(SYS_futex, &s_word, FUTEX_WAIT, 7, NULL, NULL, 0));
    lap("futex, bits", syscall(SYS_futex, &s_word, FUTEX_WAIT_BITSET, 0, NULL, NULL, 1));
    lap("futex, moved", syscall(SYS_futex, &s_word, FUTEX_WAIT, 0, NULL, NULL, 0));
    pthread_join(t, NULL);
    lap("futex, not moved",
        syscall(SYS_futex, &s_word, FUTEX_CMP_REQUEUE, 0, 1L, &s_other, 9) == -1 &&
            errno == EAGAIN);
}

/* ---- numbers of system calls that not every processor has, and signals */

static void on_alarm(int number)
{
    (void)number;
}

static void numbers(void)
{
    struct epoll_event got;
    struct pollfd p = {.fd = -1};
    struct timeval quarter = {.tv_usec = 250000};
    const struct itimerval second = {.it_value.tv_sec = 1};
    const int e = epoll_create1(0);
    signal(SIGALRM, on_alarm);
#ifdef __x86_64__
    lap("time", syscall(SYS_time, NULL) == time(NULL));
    lap("SYS_poll", syscall(SYS_poll, &p, 1, 250));
    lap("SYS_select", syscall(SYS_select, 0, NULL, NULL, NULL, &quarter));
    lap("SYS_epoll_wait", syscall(SYS_epoll_wait, e, &got, 1, 250));
    syscall(SYS_alarm, 1);
    lap("SYS_pause", syscall(SYS_pause) == -1 && errno == EINTR);
#else
    lap("time", 1);
    lap("SYS_poll", poll(&p, 1, 250));
    lap("SYS_select", select(0, NULL, NULL, NULL, &quarter));
    lap("SYS_epoll_wait", epoll_wait(e, &got, 1, 250));
    alarm(1);
    lap("SYS_pause", pause() == -1 && errno == EINTR);
#endif
    syscall(SYS_setitimer, ITIMER_REAL, &second, NULL);
    lap("poll, at once", poll(&p, 1, 0));
    lap("poll, interrupted", poll(&p, 1, 5000) == -1 && errno == EINTR);
    alarm(1);
    lap("epoll_wait, interrupted", epoll_wait(e, &got, 1, 5000) == -1 && errno == EINTR);
    alarm(1);
    lap("select, interrupted", select(0, NULL, NULL, NULL, NULL) == -1 && errno == EINTR);
    lap("SYS_sched_yield", syscall(SYS_sched_yield));
    close(e);
}

/* ---- states of timers, and signals */

static void timers(void)
{
    const struct itimerspec two = {.it_value.tv_sec = 2}, soon = {.it_value.tv_nsec = 1},
                            none = {0};
    struct sigevent silent = {.sigev_notify = SIGEV_NONE};
    struct itimerspec left;
    struct itimerval other;
    timer_t timer, gone = (timer_t)0x7777;
    const int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    unsigned long long times = 0;
    timerfd_settime(fd, 0, &two, NULL);
    usleep(500000);
    timerfd_gettime(fd, &left);
    lap("timerfd_gettime", left.it_value.tv_sec * 1000 + left.it_value.tv_nsec / 1000000);
    lap("timerfd, not yet", read(fd, &times, sizeof times));
    timerfd_settime(fd, 0, &none, &left);
    timerfd_settime(fd, 0, &soon, NULL);
    usleep(1000);
    timerfd_settime(fd, 0, &none, NULL);
    lap("timerfd, forgotten", read(fd, &times, sizeof times));
    lap("timerfd_settime", left.it_value.tv_sec * 1000 + left.it_value.tv_nsec / 1000000);
    close(fd);
    lap("timerfd, closed", timerfd_gettime(fd, &left) + timerfd_settime(fd, 0, &two, NULL));
    timer_create(CLOCK_MONOTONIC, &silent, &timer);
    timer_settime(timer, 0, &two, NULL);
    usleep(500000);
    timer_gettime(timer, &left);
    lap("timer_gettime", left.it_value.tv_sec * 1000 + left.it_value.tv_nsec / 1000000);
    lap("timer_getoverrun", timer_getoverrun(timer));
    timer_settime(timer, 0, &none, &left);
    lap("timer_settime", left.it_value.tv_sec * 1000 + left.it_value.tv_nsec / 1000000);
    lap("timer_delete", timer_delete(timer));
    lap("no timer", timer_gettime(gone, &left) + timer_settime(gone, 0, &two, NULL) +
                        timer_getoverrun(gone) + timer_delete(gone));
    for (int i = 0; i < 10000 && timer_create(CLOCK_MONOTONIC, &silent, &timer) == 0; i++) {
    }
    lap("timer_create, too many", errno == EAGAIN);
    lap("timerfd_create, too many", timerfd_create(CLOCK_MONOTONIC, 0) == -1 && errno == ENFILE);
    lap("getitimer", getitimer(ITIMER_PROF, &other) + setitimer(ITIMER_PROF, &other, NULL));
    lap("ualarm", ualarm(250000, 0));
    pause();
    lap("ualarm, pause", ualarm(0, 0));
}

static volatile sig_atomic_t s_number;

static void on_info(int number, siginfo_t *info, void *context)
{
    (void)context;
    s_number = number == info->si_signo ? number : -1;
}

static void signals(void)
{
    const struct timespec half = {.tv_nsec = 500000000};
    const struct sigaction action = {.sa_sigaction = on_info,
                                     .sa_flags = SA_SIGINFO | (int)SA_RESETHAND};
    struct sigaction now;
    sigset_t set, none;
    int number = 0;
    sigemptyset(&none);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigaction(SIGUSR2, &action, NULL);
    raise(SIGUSR2);
    sigaction(SIGUSR2, NULL, &now);
    lap("raise", s_number == SIGUSR2 && now.sa_handler == SIG_DFL);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    lap("sigtimedwait", sigtimedwait(&set, NULL, &half) == -1 && errno == EAGAIN);
    raise(SIGUSR2);
    sigwait(&set, &number);
    lap("sigwait", number == SIGUSR2);
    alarm(1);
    lap("sigwaitinfo", sigwaitinfo(&set, NULL) == -1 && errno == EINTR);
    alarm(1);
    lap("sigsuspend", sigsuspend(&none) == -1 && errno == EINTR);
    lap("killpg", killpg(getpgrp(), 0));
    lap("killpg, none", killpg(-1, 0));
}

/* ---- clocks, and states of threads */

int old_time(struct timeb *t) __asm__("ftime"); /* the header calls it deprecated */

static void clocks(void)
{
    struct timespec ts;
    struct sysinfo about;
    time_t t;
    lap("time, kept", time(&t) == t);
    lap("timespec_get", timespec_get(&ts, TIME_UTC) == TIME_UTC && ts.tv_sec == t);
    sysinfo(&about);
    clock_gettime(CLOCK_BOOTTIME, &ts);
    lap("sysinfo", about.uptime == ts.tv_sec);
    ts = (struct timespec){.tv_nsec = 1};
    lap("clock_nanosleep", clock_nanosleep((clockid_t)77, 0, &ts, NULL));
    struct timeb old;
    lap("ftime", old_time(&old) == 0 && old.time == time(NULL));
    thrd_yield();
    lap("thrd_yield", 0);
}

static void nothing(void *unused)
{
    (void)unused;
}

static void joins(void)
{
    struct later l = {nothing, NULL};
    cpu_set_t set;
    struct timespec at = in_half_a_second(CLOCK_REALTIME);
    const pthread_t t = begin(&l);
    usleep(1000);
    lap("getaffinity", pthread_getaffinity_np(t, sizeof set, &set));
    lap("setaffinity", pthread_setaffinity_np(t, sizeof set, &set));
    lap("tryjoin", pthread_tryjoin_np(t, NULL) == EBUSY);
    lap("timedjoin", pthread_timedjoin_np(t, NULL, &at) == ETIMEDOUT);
    at = in_half_a_second(CLOCK_MONOTONIC);
    at.tv_sec++;
    lap("clockjoin", pthread_clockjoin_np(t, NULL, CLOCK_MONOTONIC, &at));
}

/* ---- what a compiler makes of calls with _FORTIFY_SOURCE */

ssize_t read_checked(int fd, void *bytes, size_t n, size_t size) __asm__("__read_chk");
ssize_t recv_checked(int fd, void *bytes, size_t n, size_t size, int flags) __asm__("__recv_chk");
ssize_t recvfrom_checked(int fd, void *bytes, size_t n, size_t size, int flags,
                         struct sockaddr *from, socklen_t *length) __asm__("__recvfrom_chk");
int poll_checked(struct pollfd *fds, nfds_t n, int timeout, size_t size) __asm__("__poll_chk");
int ppoll_checked(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
                  const sigset_t *mask, size_t size) __asm__("__ppoll_chk");

static void checked(void)
{
    const struct timespec quarter = {.tv_nsec = 250000000};
    int pair[2];
    char text[8] = "";
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    struct pollfd p = {.fd = pair[0], .events = POLLIN};
    lap("__poll_chk", poll_checked(&p, 1, 250, sizeof p));
    lap("__ppoll_chk", ppoll_checked(&p, 1, &quarter, NULL, sizeof p));
    write(pair[1], "abcdefghi", 9);
    lap("__read_chk", read_checked(pair[0], text, 3, sizeof text));
    lap("__recv_chk", recv_checked(pair[0], text, 3, sizeof text, 0));
    lap("__recvfrom_chk", recvfrom_checked(pair[0], text, 3, sizeof text, 0, NULL, NULL));
    close(pair[0]);
    close(pair[1]);
}

/* The connection to the time is the first descriptor from 700 on. A program cannot close it, and
 * it moves where the program puts a file there. */
static void take_connection(void)
{
    int fd = 700;
    while (fd < 65536 && fcntl(fd, F_GETFD) == -1) {
        fd++;
    }
    lap("close, the connection", close(fd));
    lap("dup2, the connection", dup2(STDOUT_FILENO, fd) == fd);
    sleep(1);
    lap("dup2, moved", close(fd));
}

/* ---- what is refused */

static void errors(const char *unable)
{
    const struct timespec never = {.tv_nsec = -1};
    char *words[] = {"program", NULL};
    struct epoll_event got;
    struct mmsghdr none = {0};
    pthread_mutexattr_t kind;
    pthread_mutex_t strict;
    pid_t child;
    const int e = epoll_create1(0);
    lap("sched_getaffinity", sched_getaffinity(0, 0, NULL) == -1 && errno == EINVAL);
    lap("epoll_wait, none", epoll_wait(e, &got, 0, 250) == -1 && errno == EINVAL);
    close(e);
    lap("select, none", select(-1, NULL, NULL, NULL, NULL) == -1 && errno == EINVAL);
    lap("sendmmsg, none", sendmmsg(-1, &none, 1, 0) == -1 && errno == EBADF);
    lap("recvmmsg, none", recvmmsg(-1, &none, 1, 0, NULL) == -1 && errno == EBADF);
    lap("pclose, none", pclose(stdout));
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&strict, &kind);
    pthread_mutex_lock(&strict);
    lap("mutex, twice", pthread_mutex_lock(&strict) == EDEADLK);
    lap("cond_timedwait", pthread_cond_timedwait(&s_cond, &strict, &never) == EINVAL);
    pthread_mutex_unlock(&strict);
    lap("cond_wait", pthread_cond_wait(&s_cond, &strict) == EPERM);
    lap("futex", syscall(SYS_futex, &s_word, 99, 0, NULL, NULL, 0) == -1 && errno == ENOSYS);
    lap("execv", execv(unable, words) == -1 && errno == EPERM);
    lap("execvp", execvp(unable, words) == -1 && errno == EPERM);
    lap("posix_spawn", posix_spawn(&child, unable, NULL, NULL, words, environ) == EPERM);
}

/* Sockets of IPv6 that carry IPv4. */
static void six(void)
{
    struct sockaddr_in6 own = {.sin6_family = AF_INET6}, from;
    socklen_t length = sizeof own;
    char text[4] = "";
    const int one = socket(AF_INET6, SOCK_DGRAM, 0), two = socket(AF_INET6, SOCK_DGRAM, 0);
    inet_pton(AF_INET6, "::ffff:127.0.0.1", &own.sin6_addr);
    (void)bind(one, (struct sockaddr *)&own, sizeof own);
    getsockname(one, (struct sockaddr *)&own, &length);
    lap("sendto, IPv6", sendto(two, "six", 3, 0, (struct sockaddr *)&own, sizeof own));
    length = sizeof from;
    lap("recvfrom, IPv6", recvfrom(one, text, 3, 0, (struct sockaddr *)&from, &length));
    lap("connect, IPv6", connect(one, (struct sockaddr *)&from, length));
    lap("send, IPv6", send(one, "6", 1, 0));
    lap("recv, IPv6", recv(two, text, 3, 0));
    close(one);
    close(two);
}

/* ---- processes */

static pid_t child_that_ends(unsigned seconds, int code)
{
    const pid_t child = fork();
    if (child == 0) {
        sleep(seconds);
        _exit(code);
    }
    return child;
}

/* Programs that are not there: the caller goes on, in virtual time. */
static void no_programs(void)
{
    static const char k_no[] = "/no/such/program";
    char *words[] = {"program", NULL};
    pid_t child;
    lap("execv", execv(k_no, words) == -1 && errno == ENOENT);
    lap("execve", execve(k_no, words, environ) == -1 && errno == ENOENT);
    lap("SYS_execve", syscall(SYS_execve, k_no, words, environ) == -1 && errno == ENOENT);
    lap("execl", execl(k_no, "program", "word", (char *)NULL) == -1 && errno == ENOENT);
    lap("execle", execle(k_no, "program", (char *)NULL, environ) == -1 && errno == ENOENT);
    lap("execvp", execvp("no-such-program", words) == -1 && errno == ENOENT);
    lap("execlp", execlp("no-such-program", "program", (char *)NULL) == -1 && errno == ENOENT);
    lap("fexecve", fexecve(999, words, environ));
    lap("spawnp", posix_spawnp(&child, "no-such-program", NULL, NULL, words, environ) == ENOENT);
}

static void processes(void)
{
    siginfo_t info = {0};
    struct rusage usage;
    int status = 0;
    pid_t child = child_that_ends(1, 3);
    lap("waitid, not yet", waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG));
    lap("waitid", waitid(P_PID, (id_t)child, &info, WEXITED));
    lap("its code", info.si_status);
    child = child_that_ends(1, 4);
    lap("SYS_wait4", syscall(SYS_wait4, child, &status, 0, &usage) == child);
    lap("its code", WEXITSTATUS(status));
    child = child_that_ends(1, 6);
    lap("wait3", wait3(&status, 0, &usage) == child);
    lap("its code", WEXITSTATUS(status));
    FILE *f = popen("read word; sleep 1; echo $word", "w");
    fprintf(f, "taken\n");
    lap("pclose", pclose(f));
    child = _Fork();
    if (child == 0) {
        _exit(8);
    }
    lap("_Fork", waitpid(child, &status, 0) == child);
    lap("its code", WEXITSTATUS(status));
    lap("system, is there a shell", system(NULL) != 0);
    lap("wait, none", wait(&status) == -1 && errno == ECHILD);
}

/* argv: a program that cannot run in virtual time */
int main(int argc, char **argv)
{
    s_begin_ms = now_ms(CLOCK_MONOTONIC);
    masks();
    messages();
    connections();
    locks();
    words();
    numbers();
    timers();
    signals();
    clocks();
    joins();
    checked();
    take_connection();
    if (argc > 1) {
        errors(argv[1]);
    }
    six();
    no_programs();
    processes();
    files();
    return 0;
}

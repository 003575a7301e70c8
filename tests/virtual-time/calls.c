/* SPDX-License-Identifier: Apache-2.0 */
/* Makes calls that are rare in programs; waits.c makes the others. Each waits, or returns at once,
 * as on the clock of the wall. After each it prints its result and the time since the beginning
 * [ms]; tests/process/test_virtual_time.py compares them with calls.txt. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
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
#include <sys/time.h>
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

/* Two descriptions of one file: the second waits until the first gives its lock up. */
static void files(void)
{
    char path[] = "/tmp/calls.XXXXXX";
    int first = mkstemp(path);
    const int second = open(path, O_RDWR);
    flock(first, LOCK_EX);
    lap("flock, not now", flock(second, LOCK_EX | LOCK_NB));
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
    lap("poll, interrupted", poll(&p, 1, 5000) == -1 && errno == EINTR);
    lap("SYS_sched_yield", syscall(SYS_sched_yield));
    close(e);
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
    lap("wait, none", wait(&status) == -1 && errno == ECHILD);
}

int main(void)
{
    s_begin_ms = now_ms(CLOCK_MONOTONIC);
    masks();
    messages();
    connections();
    locks();
    words();
    numbers();
    no_programs();
    processes();
    files();
    return 0;
}

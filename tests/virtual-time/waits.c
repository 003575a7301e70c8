/* SPDX-License-Identifier: Apache-2.0 */
/* Waits in all ways that C programs have. After each it says how much time has passed since its
 * beginning [ns]; tests/process/test_virtual_time.py knows how much it must be. */
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL

static long long s_begin_ns;

static long long now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

static void lap(const char *what)
{
    printf("%s %lld\n", what, now_ns(CLOCK_MONOTONIC) - s_begin_ns);
    fflush(stdout);
}

static struct timespec after(clockid_t clock, long long ns)
{
    const long long at_ns = now_ns(clock) + ns;
    return (struct timespec){.tv_sec = at_ns / SECOND, .tv_nsec = at_ns % SECOND};
}

static void sleeps(void)
{
    const struct timespec one = {.tv_sec = 1};
    nanosleep(&one, NULL);
    lap("nanosleep");
    struct timespec t = after(CLOCK_REALTIME, SECOND);
    clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, NULL);
    lap("clock_nanosleep");
    usleep(500000);
    lap("usleep");
    sleep(1);
    lap("sleep");
    thrd_sleep(&one, NULL);
    lap("thrd_sleep");
}

static void descriptors(void)
{
    int pair[2];
    char byte = 0;
    struct timeval tv = {.tv_usec = 250000};
    const struct timespec ts = {.tv_nsec = 250000000};
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    struct pollfd p = {.fd = pair[0], .events = POLLIN};
    fd_set set;
    poll(&p, 1, 250);
    lap("poll");
    ppoll(&p, 1, &ts, NULL);
    lap("ppoll");
    FD_ZERO(&set);
    FD_SET(pair[0], &set);
    select(pair[0] + 1, &set, NULL, NULL, &tv);
    lap("select");
    FD_SET(pair[0], &set);
    pselect(pair[0] + 1, &set, NULL, NULL, &ts, NULL);
    lap("pselect");
    const int e = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET}, got;
    epoll_ctl(e, EPOLL_CTL_ADD, pair[0], &event);
    printf("%d\n", epoll_wait(e, &got, 1, 250));
    lap("epoll_wait");
    tv.tv_usec = 250000;
    setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof tv);
    const ssize_t received = recv(pair[0], &byte, 1, 0);
    printf("%zd %d\n", received, errno == EAGAIN);
    lap("recv with a time-out");
    write(pair[1], "x", 1);
    printf("%d\n", epoll_wait(e, &got, 1, 250));
    printf("%d\n", epoll_wait(e, &got, 1, 250));
    lap("epoll_wait, edge");
    const int t = timerfd_create(CLOCK_MONOTONIC, 0);
    unsigned long long times = 0;
    timerfd_settime(
        t, 0, &(struct itimerspec){.it_value.tv_sec = 1, .it_interval.tv_nsec = 300000000}, NULL);
    read(t, &times, sizeof times);
    lap("timerfd");
    sleep(1);
    read(t, &times, sizeof times);
    printf("%llu\n", times);
    lap("timerfd, three times");
    close(t);
}

/* Functions of the C library that take the number of a system call. */
static void numbers(void)
{
    const struct timespec one = {.tv_sec = 1}, quarter = {.tv_nsec = 250000000};
    struct timespec t;
    struct pollfd p = {.fd = -1};
    const struct itimerspec soon = {.it_value.tv_sec = 1};
    unsigned long long times = 0;
    syscall(SYS_nanosleep, &one, NULL);
    lap("SYS_nanosleep");
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    t.tv_sec++;
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    lap("SYS_clock_nanosleep");
    const int error = (int)syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0,
                                   &(struct timespec){.tv_nsec = -1}, NULL);
    printf("%d %d\n", error, errno == EINVAL);
    t = quarter;
    syscall(SYS_ppoll, &p, 1, &t, NULL, 0);
    lap("SYS_ppoll");
    t = quarter;
    syscall(SYS_pselect6, 0, NULL, NULL, NULL, &t, NULL);
    lap("SYS_pselect6");
    const int e = epoll_create1(0);
    struct epoll_event got;
    syscall(SYS_epoll_pwait, e, &got, 1, 250, NULL, 8);
    lap("SYS_epoll_pwait");
    const int fd = (int)syscall(SYS_timerfd_create, CLOCK_MONOTONIC, 0);
    syscall(SYS_timerfd_settime, fd, 0, &soon, NULL);
    read(fd, &times, sizeof times);
    lap("SYS_timerfd");
    struct timeval now;
    syscall(SYS_gettimeofday, &now, NULL);
    printf("%d\n", now.tv_sec == time(NULL));
}

static pthread_mutex_t s_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t s_cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t s_rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t s_barrier;
static sem_t s_sem;
static _Atomic int s_word;

static void *hold(void *unused)
{
    pthread_mutex_lock(&s_mutex);
    pthread_rwlock_wrlock(&s_rwlock);
    sleep(1);
    pthread_mutex_unlock(&s_mutex);
    sleep(1);
    pthread_rwlock_unlock(&s_rwlock);
    sleep(1);
    sem_post(&s_sem);
    sleep(1);
    pthread_mutex_lock(&s_mutex);
    pthread_cond_signal(&s_cond);
    pthread_mutex_unlock(&s_mutex);
    sleep(1);
    atomic_store(&s_word, 1);
    syscall(SYS_futex, &s_word, FUTEX_WAKE, 1, NULL, NULL, 0);
    sleep(1);
    pthread_barrier_wait(&s_barrier);
    sleep(1);
    return unused;
}

static void threads(void)
{
    pthread_t t;
    const struct timespec half = {.tv_nsec = SECOND / 2};
    pthread_barrier_init(&s_barrier, NULL, 2);
    sem_init(&s_sem, 0, 0);
    pthread_create(&t, NULL, hold, NULL);
    usleep(1);
    pthread_mutex_lock(&s_mutex);
    lap("mutex");
    struct timespec at = after(CLOCK_REALTIME, SECOND / 2);
    printf("%d\n", pthread_rwlock_timedrdlock(&s_rwlock, &at) == ETIMEDOUT);
    lap("rwlock, too late");
    pthread_rwlock_rdlock(&s_rwlock);
    lap("rwlock");
    at = after(CLOCK_REALTIME, SECOND / 2);
    printf("%d\n", sem_timedwait(&s_sem, &at) == -1 && errno == ETIMEDOUT);
    lap("sem_timedwait");
    sem_wait(&s_sem);
    lap("sem_wait");
    at = after(CLOCK_REALTIME, SECOND / 2);
    printf("%d\n", pthread_cond_timedwait(&s_cond, &s_mutex, &at) == ETIMEDOUT);
    lap("cond_timedwait");
    pthread_cond_wait(&s_cond, &s_mutex);
    lap("cond_wait");
    pthread_mutex_unlock(&s_mutex);
    printf("%d\n",
           syscall(SYS_futex, &s_word, FUTEX_WAIT, 0, &half, NULL, 0) == -1 && errno == ETIMEDOUT);
    lap("futex, too late");
    syscall(SYS_futex, &s_word, FUTEX_WAIT, 0, NULL, NULL, 0);
    lap("futex");
    pthread_barrier_wait(&s_barrier);
    lap("barrier");
    pthread_join(t, NULL);
    lap("join");
}

static volatile sig_atomic_t s_alarms;

static void on_alarm(int number)
{
    (void)number;
    s_alarms++;
}

static void notify(union sigval value)
{
    sem_post(value.sival_ptr);
}

static void signals(void)
{
    const struct sigaction action = {.sa_handler = on_alarm};
    struct timespec left = {0};
    sigaction(SIGALRM, &action, NULL);
    alarm(2);
    const struct timespec ten = {.tv_sec = 10};
    const int slept = nanosleep(&ten, &left);
    printf("%d %d %ld\n", slept, errno == EINTR, (long)left.tv_sec);
    lap("alarm");
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value.tv_sec = 1, .it_interval.tv_usec = 500000},
              NULL);
    pause();
    pause();
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    printf("%d\n", (int)s_alarms);
    lap("setitimer, pause");
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_sec = 1}, NULL);
    printf("%d\n", sigwaitinfo(&set, NULL) == SIGUSR1);
    lap("timer_create, sigwaitinfo");
    event = (struct sigevent){.sigev_notify = SIGEV_THREAD,
                              .sigev_notify_function = notify,
                              .sigev_value.sival_ptr = &s_sem};
    timer_create(CLOCK_REALTIME, &event, &timer);
    timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_sec = 1}, NULL);
    sem_wait(&s_sem);
    lap("timer_create, thread");
}

static void processes(void)
{
    int pipes[2], status = 0;
    char byte = 0;
    pipe(pipes);
    const pid_t child = fork();
    if (child == 0) {
        sleep(3);
        write(pipes[1], "y", 1);
        sleep(2);
        _exit(9);
    }
    read(pipes[0], &byte, 1);
    lap("fork, pipe");
    waitpid(child, &status, 0);
    printf("%d\n", WEXITSTATUS(status));
    lap("waitpid");
    printf("%d\n", WEXITSTATUS(system("sleep 2; exit 4")));
    lap("system");
    char text[32] = "";
    FILE *f = popen("sleep 1; echo out", "r");
    printf("%s", fgets(text, sizeof text, f));
    pclose(f);
    lap("popen");
}

/* Both directions of a pipe that is full. */
static void *drain(void *fd)
{
    static char s_bytes[65536];
    sleep(2);
    for (size_t got = 0; got < 1000000;) {
        const ssize_t n = read(*(int *)fd, s_bytes, sizeof s_bytes);
        got += n > 0 ? (size_t)n : 0;
    }
    return NULL;
}

static void full(void)
{
    static char s_bytes[1000000];
    int pipes[2];
    pthread_t t;
    pipe(pipes);
    pthread_create(&t, NULL, drain, &pipes[0]);
    printf("%zd\n", write(pipes[1], s_bytes, sizeof s_bytes));
    pthread_join(t, NULL);
    lap("write");
}

static void *forever(void *unused)
{
    sleep(1000);
    return unused;
}

static void the_rest(void)
{
    pthread_t t;
    pthread_create(&t, NULL, forever, NULL);
    sleep(1);
    pthread_cancel(t);
    pthread_join(t, NULL);
    lap("cancel");
    const time_t until = time(NULL) + 3;
    while (time(NULL) < until) {
    }
    printf("%d\n", now_ns(CLOCK_REALTIME) / 1000000 % 1000 < 2);
}

int main(void)
{
    s_begin_ns = now_ns(CLOCK_MONOTONIC);
    printf("%lld\n", now_ns(CLOCK_REALTIME));
    sleeps();
    descriptors();
    threads();
    signals();
    processes();
    full();
    numbers();
    the_rest();
    return 0;
}

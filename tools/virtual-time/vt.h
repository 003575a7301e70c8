/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The library of virtual time: it stands before the C library in a process (LD_PRELOAD), and lets
 * exactly one of its threads run at a time.
 *
 * A thread that would wait says for what and until when (vt_wait()). The next thread that can run
 * gets the turn. If none can, the thread that noticed it tells the time server, which asks again
 * when something may have changed, at the same time or a later one (host/time/virtual_message.h).
 *
 * So whatever this library keeps needs no lock: who has the turn is alone.
 */
#ifndef MF_VIRTUAL_TIME_VT_H
#define MF_VIRTUAL_TIME_VT_H

#include "host/time/virtual_message.h"
#include "tools/virtual-time/raw.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/** A function of the C library that programs find here. */
#define VT_EXPORT __attribute__((visibility("default")))

#define VT_THREADS_MAX 2048u
#define VT_SECOND_NS   INT64_C(1000000000)

enum vt_state {
    VT_FREE,
    VT_READY, /**< it has not run yet, and can */
    VT_WAITS,
    VT_RUNS,
    VT_ENDED, /**< it can be joined */
};

/** Why a wait is over. */
enum vt_end { VT_CAME, VT_LATE, VT_INTERRUPTED, VT_CANCELLED };

/** Condition on which a thread waits. */
struct vt_wait {
    /** Only looks, with the turn of another thread; NULL: nothing comes. */
    bool (*ready)(const struct vt_wait *w);
    const void *object; /**< for ready() */
    int64_t value;      /**< for ready() */
    int64_t until_ns;   /**< MF_VIRTUAL_NEVER */
    bool looked;        /**< the caller has just looked: only what comes from now on counts */
    bool interruptible; /**< a signal that was handled ends it */
    bool masked;        /**<
                         * a signal also ends the wait if the call's own mask delivered it before: the
                         * caller has reset `interrupted` before that
                         */
};

struct vt_thread {
    _Atomic int state;     /**< enum vt_state */
    _Atomic uint32_t turn; /**< a futex: the message to the thread */
    _Atomic bool interrupted;
    bool cancelled;
    bool detached;
    bool woken; /**< by another one, for waits without an object of the system */
    int32_t
        processor; /**< processor that it must run on, from 1 on; 0: any of those at its start */
    pid_t tid;
    pthread_t handle;
    uint32_t spins;  /**< questions for the time since it waited last */
    uint64_t ticket; /**< its place among those that wait for one object */
    uint32_t bits;   /**< of a futex: mask that a wake must share */
    struct vt_wait *wait;
    enum vt_end end;
    void *(*run)(void *); /**< of a new thread */
    void *arg;
};

/**
 * @brief The calling thread, with the turn; NULL: the call is not for virtual time,
 * because the process is in no world, or this library made the call.
 */
struct vt_thread *vt_me(void);

/** @brief Threads in their order. @return NULL: no more */
struct vt_thread *vt_thread_at(unsigned index);

/** @brief A place for one more, which is VT_READY. @return NULL: there are too many */
struct vt_thread *vt_thread_new(void);

/** @brief The first call of a new thread: it waits for its turn. */
void vt_thread_begin(struct vt_thread *me);

/** @brief The last: others have the turn. */
void vt_thread_leave(struct vt_thread *me);

/** @brief Wait. Others run meanwhile, and time may go on. */
enum vt_end vt_wait(struct vt_thread *me, struct vt_wait *w);

/** @brief The thread asks for the time, or whether something has come, and goes on. One that does
 * nothing else must wait a little now and then, so that time goes on. */
void vt_spin(struct vt_thread *me);

/** @brief Others that can run do so first, at the same time. */
void vt_yield(struct vt_thread *me);

/** @brief A signal was handled on this thread. */
void vt_handled(void);

/** @brief Act on a pending cancellation, after a wait in a cancellation point. */
void vt_test_cancel(struct vt_thread *me);

/** @brief Handle SYS_futex. @param a  its arguments @return its result, or a negative errno */
long vt_futex(struct vt_thread *me, const long a[6]);

/** @brief The present time of the world, since its beginning. */
int64_t vt_now(void);

/** @brief Time of a clock in virtual time. @return false: the clock counts something else, such as
 * processor time */
bool vt_clock(clockid_t clock, int64_t *ns);

/** @brief The world's time of what a clock will show then; MF_VIRTUAL_NEVER. */
int64_t vt_from_clock(clockid_t clock, const struct timespec *t);

/** @brief The world's time after a span; NULL: MF_VIRTUAL_NEVER. */
int64_t vt_from_span(const struct timespec *t);
int64_t vt_after(int64_t ns);

struct timespec vt_timespec(int64_t ns);

/** @brief Wait until a new child of this process has its place in the world, or has ended. */
void vt_spawned(pid_t child);

/** @brief Announce that this process becomes another program, or that this has failed. A process
 *  whose time server is gone ends here. */
void vt_becomes(bool another);

/** @brief Variables of the environment with the library and with the world's name, as this process
 * has them: programs that it becomes or starts need both. "" outside a world. */
char *vt_preload(void);
char *vt_world(void);

/**
 * @brief Begin in a child after fork(): the child is a process of its own with one thread, and
 * waits for its first turn.
 */
void vt_forked(void);

/** @brief pthread_create(), also from within this library. */
int vt_thread_start(pthread_t *handle, const pthread_attr_t *attr, void *(*function)(void *),
                    void *arg);

/** Timers of the process, for the thread that has the turn. */
struct vt_timers {
    /** Let timers that are due do what they are for. @return whether there were any */
    bool (*run)(void);
    /** Deadline of the first timer; MF_VIRTUAL_NEVER. */
    int64_t (*next)(void);
    /** Forget all of them, in a new process. */
    void (*forget)(void);
};

/** @brief Let turns serve timers from now on. @param timers  static */
void vt_set_timers(const struct vt_timers *timers);

/** @brief A descriptor is not a timer's any more. */
void vt_timers_closed(int fd);

/** @brief Is it the connection to the time server, which programs do not know of? */
bool vt_is_server(int fd);

/**
 * @brief Move the connection to another number, since the program wants this one. Ends the
 * program if all numbers are in use.
 */
void vt_move_server(void);

/** @brief Announce a signal that stops a process. */
void vt_stops(void);

/** @brief Store the processors of the process at its start. */
void vt_processor_begin(void);

/**
 * @brief Move the calling thread to the processor of the world. @param processor  from 1 on; 0: any
 * of those at the process's start
 */
void vt_processor_follow(struct vt_thread *me, int32_t processor);

/** @brief Restore the calling thread's processors before it becomes, or starts, a program outside
 * the world. */
void vt_processor_leave(void);

/** @brief Copy the processors that the system gave to the process. @param set  out [n bytes] */
void vt_processor_show(void *set, size_t n);

/** @brief Let the program choose its processors from now on; other threads at their next turn. */
void vt_processor_release(void);

/** @brief A signal for the process, from this library: its handler has run when this returns. */
void vt_signal(int number, pid_t tid);

typedef void vt_function(void);

/** @brief End the process if a program or library of it is written in Go: exit code 2, and a line
 *  on stderr. */
void vt_refuse_go(const char *path);

/** @brief The next function of that name, to be cast to its type. */
vt_function *vt_next(const char *name);

/** @return what system calls return: -1 with errno set from a negative result */
static inline long vt_result(long result)
{
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

#endif

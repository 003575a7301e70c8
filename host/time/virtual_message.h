/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Messages between a process in virtual time and its time server (docs/virtual-time.md): one struct
 * per packet of a local SOCK_SEQPACKET socket, in the byte order of the machine.
 *
 * A process connects and sends HELLO, then runs only between a GO and its DONE. A process that ends
 * closes its connection; one that connects again under the same process id has become another
 * program. It announces that by EXEC, so that a program that never sends HELLO does not look like
 * an end.
 */
#ifndef MF_HOST_TIME_VIRTUAL_MESSAGE_H
#define MF_HOST_TIME_VIRTUAL_MESSAGE_H

#include <stdint.h>

#define MF_VIRTUAL_VERSION 3u
/** Deadline that is never reached. */
#define MF_VIRTUAL_NEVER INT64_MAX
/** Environment variable of a process: the server's socket. A name that begins with '/' is a file,
 * another one is in the abstract namespace. */
#define MF_VIRTUAL_ENV "MAYFLY_TIME_WORLD"
/** Longest name, with its NUL; a socket's address has one byte more. */
#define MF_VIRTUAL_NAME_MAX 107u
/** Environment variable of a process whose sockets are those of a member of a swarm: its local
 * address, 127.X.H.L, which represents 10.0.H.L of the world. The switch that carries its datagrams
 * is at 127.X.0.0. A datagram to the switch begins with its receiver's address and port of the
 * world, one from the switch with its sender's: 4 and 2 bytes, in network byte order. */
#define MF_VIRTUAL_NODE_ENV    "MAYFLY_WORLD_NODE"
#define MF_VIRTUAL_SWITCH_PORT 17001u
/** Environment variable with the process's address on the first of its networks, for the
 * program. */
#define MF_VIRTUAL_ADDRESS_ENV "SWARM_ADDRESS"
#define MF_VIRTUAL_SWITCH_HEAD 6u
/** Prefix of the abstract names of local streams, which carry the streams of such a process. After
 * it follow the switch's address (the switch listens there), "ADDRESS:PORT" of a process (a process
 * listens there), or "...>ADDRESS:PORT" of one end of a stream, whose other end has this address of
 * the world. */
#define MF_VIRTUAL_STREAMS "mayfly-world/"
/** First message of a process that connects, followed by so many bytes that its socket accepts no
 * more. The switch reads them all when the stream is open, which makes room. If it does not open,
 * the switch sends an int32_t, the errno, and closes. Addresses and ports are the world's, in the
 * byte order of the machine. */
struct mf_virtual_open {
    uint32_t from, to;
    uint16_t from_port, to_port;
    uint32_t behind; /**< number of bytes that follow */
};
/** Approximate room of a stream's socket [bytes] (SO_SNDBUF). */
#define MF_VIRTUAL_STREAM_BYTES 212992
/** File name of the preloaded library. */
#define MF_VIRTUAL_LIBRARY "libmayflytime.so"

/** Environment variable of a time server, "FD:SECONDS": the server writes a line "runs PID" there
 * for a process that runs this long without waiting, and "waits" when it waits. */
#define MF_VIRTUAL_TELLS_ENV "VIRTUAL_TIME_TELLS"
/** Signal that makes a running process name its running thread, with the stack. */
#define MF_VIRTUAL_SIGNAL 62

enum mf_virtual_kind {
    /* from a process */
    MF_VIRTUAL_HELLO = 1, /**< value: version */
    MF_VIRTUAL_DONE,      /**< all its threads wait; value: whether one has run, at_ns: the first
                             deadline */
    MF_VIRTUAL_WANT,      /**< the process waits, and an event from outside has reached it */
    MF_VIRTUAL_SPAWNED,   /**< value: process id of its new child; the answer is SPAWNED, after the
                             child's HELLO or end */
    MF_VIRTUAL_EXEC,      /**< value: 1 before it becomes another program, 0 if that has failed */
    /* from the server */
    MF_VIRTUAL_GO, /**< at_ns: the time, utc_ns: UTC of time 0, value: the processor that the whole
                      world shares, from 1 on, or 0; run until all threads wait */
    /* from a process */
    MF_VIRTUAL_STOPS, /**< the process sends a signal that stops another: time passes without that
                         one */
};

struct mf_virtual_message {
    uint32_t kind;
    int32_t value;
    int64_t at_ns;
    int64_t utc_ns;
};

#endif

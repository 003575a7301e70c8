/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a process in virtual time and its time server say to each other (docs/virtual-time.md): one
 * struct per packet of a local SOCK_SEQPACKET socket, in the byte order of the machine.
 *
 * A process connects and says HELLO, then runs only between a GO and its DONE. One that ends closes
 * its connection; one that connects again under the same process id has become another program. It
 * announces that by EXEC, so that a program that never says HELLO does not look like an end.
 */
#ifndef MF_HOST_TIME_VIRTUAL_MESSAGE_H
#define MF_HOST_TIME_VIRTUAL_MESSAGE_H

#include <stdint.h>

#define MF_VIRTUAL_VERSION 3u
/** A deadline that never comes. */
#define MF_VIRTUAL_NEVER INT64_MAX
/** Environment of a process: the server's socket. A name that begins with '/' is a file, another
 * one is of the abstract namespace. */
#define MF_VIRTUAL_ENV "MAYFLY_TIME_WORLD"
/** Longest name, with its NUL; a socket's address has one byte more. */
#define MF_VIRTUAL_NAME_MAX 107u
/** Environment of a process whose sockets are those of a member of a swarm: its address here,
 * 127.X.H.L, which stands for 10.0.H.L of the world. The switch that carries its datagrams is at
 * 127.X.0.0. A datagram to the switch begins with its receiver's address and port of the world, one
 * from there with its sender's: 4 and 2 bytes, in the order of the network. */
#define MF_VIRTUAL_NODE_ENV    "MAYFLY_WORLD_NODE"
#define MF_VIRTUAL_SWITCH_PORT 17001u
/** ... and its address on the first of its networks, for the program. */
#define MF_VIRTUAL_ADDRESS_ENV "SWARM_ADDRESS"
#define MF_VIRTUAL_SWITCH_HEAD 6u
/** Streams of such a process are local ones here. Abstract names begin with this: behind it stand
 * the switch's address (the switch listens there), "ADDRESS:PORT" of a process (one listens there),
 * and "...>ADDRESS:PORT" of one end of a stream, whose other end has the latter of the world. */
#define MF_VIRTUAL_STREAMS "mayfly-world/"
/** A process that connects sends this first, and so many bytes behind it that its socket takes no
 * more. The switch takes them all when the stream is open: then it takes more. If it does not open,
 * the switch sends an int32_t, the errno, and closes. Addresses are the world's, ports, too, in the
 * order of the machine. */
struct mf_virtual_open {
    uint32_t from, to;
    uint16_t from_port, to_port;
    uint32_t behind; /**< bytes */
};
/** A socket of a stream has room for about so many bytes (SO_SNDBUF). */
#define MF_VIRTUAL_STREAM_BYTES 212992
/** The preloaded library. */
#define MF_VIRTUAL_LIBRARY "libmayflytime.so"

/** Environment of a time server, "FD:SECONDS": a process that runs for so long without waiting is
 * told there by a line "runs PID", and "waits" follows when it does. */
#define MF_VIRTUAL_TELLS_ENV "VIRTUAL_TIME_TELLS"
/** A process that runs and gets this signal names the thread that runs, with its stack. */
#define MF_VIRTUAL_SIGNAL 62

enum mf_virtual_kind {
    /* of a process */
    MF_VIRTUAL_HELLO = 1, /**< value: version */
    MF_VIRTUAL_DONE,      /**< all its threads wait; value: whether one has run, at_ns: the first
                             deadline */
    MF_VIRTUAL_WANT,      /**< it waits, and something from outside has happened to it */
    MF_VIRTUAL_SPAWNED,   /**< value: process id of its new child; the answer is SPAWNED, when that
                             one has said HELLO or has ended */
    MF_VIRTUAL_EXEC,      /**< value: 1 before it becomes another program, 0 if that has failed */
    /* of the server */
    MF_VIRTUAL_GO, /**< at_ns: the time, utc_ns: UTC of time 0, value: the processor that all of
                      the world share, from 1 on, or 0; run until all threads wait */
    /* of a process */
    MF_VIRTUAL_STOPS, /**< it sends a signal that stops a process: time goes on without that one */
};

struct mf_virtual_message {
    uint32_t kind;
    int32_t value;
    int64_t at_ns;
    int64_t utc_ns;
};

#endif

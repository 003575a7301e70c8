/* SPDX-License-Identifier: Apache-2.0 */
/**
 * What a process in virtual time and its time server say to each other (docs/virtual-time.md): one
 * struct per packet of a local SOCK_SEQPACKET socket, in the byte order of the machine.
 *
 * A process connects and says HELLO, then runs only between a GO and its DONE. One that ends closes
 * its connection; one that connects again under the same process id has become another program.
 */
#ifndef MF_HOST_TIME_VIRTUAL_MESSAGE_H
#define MF_HOST_TIME_VIRTUAL_MESSAGE_H

#include <stdint.h>

#define MF_VIRTUAL_VERSION 1u
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
#define MF_VIRTUAL_SWITCH_HEAD 6u
/** The preloaded library. */
#define MF_VIRTUAL_LIBRARY "libmayflytime.so"

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
    /* of the server */
    MF_VIRTUAL_GO, /**< at_ns: the time, utc_ns: UTC of time 0, value: the processor that all of
                      the world share, from 1 on, or 0; run until all threads wait */
};

struct mf_virtual_message {
    uint32_t kind;
    int32_t value;
    int64_t at_ns;
    int64_t utc_ns;
};

#endif

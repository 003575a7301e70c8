/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Server of the live page: reads one stream of frames of the bus (docs/bus.md), and serves browsers
 * over HTTP. It depends on nothing else of the swarm, so it can be a thread of the run or a process
 * far away. It keeps the newest frame of each kind, and sends a browser those that are new to it.
 * Orders and clock commands of browsers are sent as frames.
 */
#ifndef MF_BOARDS_SWARM_PAGE_SERVER_H
#define MF_BOARDS_SWARM_PAGE_SERVER_H

#include <stdbool.h>
#include <stddef.h>

struct mf_bus_frame;

struct swarm_page_server;

/** @brief Listen for browsers.
 *  @param listen  "[HOST:]PORT" of this machine
 *  @param in  stream of frames, non-blocking; may be the same as @p out; -1: none
 *  @param out  descriptor for frames of browsers, non-blocking; -1: browsers may only watch
 *  @param url  out [url_size]
 *  @param error  out [error_size]
 *  @return NULL with an error */
struct swarm_page_server *swarm_page_server_open(const char *listen, int in, int out, char *url,
                                                 size_t url_size, char *error, size_t error_size);

/** @brief Keep a frame that did not arrive by the stream. Its payload must follow its header in
 *  memory. */
void swarm_page_server_keep(struct swarm_page_server *s, const struct mf_bus_frame *f);

/** @brief Let browsers request another time: seek() then keeps the frames of that time. */
void swarm_page_server_seek(struct swarm_page_server *s, void (*seek)(void *ctx, double at_s),
                            void *ctx);

/** @brief Serve until the stream has ended and the browsers have its last frames, or @p stop is
 *  set. */
void swarm_page_server_run(struct swarm_page_server *s, const volatile int *stop);

/** @brief Get the error with which the swarm has disconnected the page.
 *  @param why  out [size]
 *  @return false: no such error */
bool swarm_page_server_error(const struct swarm_page_server *s, char *why, size_t size);

/** @brief Close the server; the caller keeps the descriptors. */
void swarm_page_server_close(struct swarm_page_server *s);

#endif

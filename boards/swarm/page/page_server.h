/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The live page of a swarm: one stream of frames of the bus in (docs/bus.md), HTTP for browsers
 * out. It knows nothing else of the swarm, so it may be a thread beside the run or a process far
 * away. It keeps the newest frame of each kind, and hands a browser those that are new to it. What
 * browsers want, orders and the clock, leaves as frames.
 */
#ifndef MF_BOARDS_SWARM_PAGE_SERVER_H
#define MF_BOARDS_SWARM_PAGE_SERVER_H

#include <stdbool.h>
#include <stddef.h>

struct mf_bus_frame;

struct swarm_page_server;

/** @brief Listen. @param listen  "[HOST:]PORT", only of this machine
 *  @param in  stream of frames, non-blocking; may be the same as @p out; -1: there is none
 *  @param out  where frames of browsers go, non-blocking; -1: nowhere, they may only watch
 *  @param url  out [url_size]  @param error  out [error_size]
 *  @return NULL with an error */
struct swarm_page_server *swarm_page_server_open(const char *listen, int in, int out, char *url,
                                                 size_t url_size, char *error, size_t error_size);

/** @brief A frame that did not come by the stream. Its payload lies behind its header. */
void swarm_page_server_keep(struct swarm_page_server *s, const struct mf_bus_frame *f);

/** @brief A browser may ask for another time: seek() then keeps the frames of that time. */
void swarm_page_server_seek(struct swarm_page_server *s, void (*seek)(void *ctx, double at_s),
                            void *ctx);

/** @brief Serve until the stream ends and browsers that watch have seen its end, or @p stop is
 * set. */
void swarm_page_server_run(struct swarm_page_server *s, const volatile int *stop);

/** @brief Why the swarm has let it go, if it has. @param why  out [size]  @return whether it has */
bool swarm_page_server_error(const struct swarm_page_server *s, char *why, size_t size);

/** @brief The descriptors stay open. */
void swarm_page_server_close(struct swarm_page_server *s);

#endif

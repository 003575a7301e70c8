/* SPDX-License-Identifier: Apache-2.0 */
/** Links that misbehave (docs/links.md, Quality): what stands between configuration and
 * network. */
#ifndef MF_BOARDS_POSIX_QUALITY_H
#define MF_BOARDS_POSIX_QUALITY_H

#include "boards/posix/board.h"

/** @brief No link has a quality yet. @param uid  of the vehicle  @param now_us  monotonic */
void board_quality_init(struct board *b, uint64_t uid, mf_us_t now_us);

/** @brief A peer appears. @param serial  in and out: with a wrapper around it, if its link has a quality
 *  @return false: its link is disconnected now, so it is turned away */
bool board_quality_open(struct mf_quality *s, const struct mf_config *config, uint16_t index,
                        uint16_t port, struct mf_serial *serial);

/** @brief A link is like this from now on, for peers that come; its times begin to count. */
void board_quality_set(struct mf_quality *s, struct mf_config *config, uint16_t port,
                       const struct mf_link_quality *quality);

/** @brief And for a peer that is there. @param serial  in and out: its device or wrap, as the vehicle
 *  sees it */
void board_quality_change(struct mf_quality *s, const struct mf_config *config, uint16_t index,
                          uint16_t port, struct mf_serial *serial);

/** @brief A peer is gone: what became of its frames is told, if it had a wrapper. */
void board_quality_close(struct mf_quality *s, uint16_t index, const char *name,
                         void (*note)(void *ctx, enum mf_severity severity, const char *text),
                         void *ctx);

/** @brief After the vehicle's passes: connections end. @return when to come back at the latest */
mf_us_t board_quality_run(struct mf_quality *s, struct mf_net *net);

#endif

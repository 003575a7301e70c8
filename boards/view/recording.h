/* SPDX-License-Identifier: Apache-2.0 */
/** A recording of a swarm's pictures (outputs.pictures), which a page shows at any of its times. */
#ifndef MF_BOARDS_VIEW_RECORDING_H
#define MF_BOARDS_VIEW_RECORDING_H

#include "boards/swarm/page/page_server.h"

#include <stdbool.h>

struct view_recording;

/** @brief Find its pictures. @param why  out: a static text  @return NULL with @p why */
struct view_recording *view_recording_open(const char *file, const char **why);

/** @brief Does its last frame lack its end? What is before it can be shown. */
bool view_recording_is_cut(const struct view_recording *r);

/** @brief The server shows it, from its beginning on, at the time that a browser asks for. */
void view_recording_serve(struct view_recording *r, struct swarm_page_server *s);

void view_recording_close(struct view_recording *r);

#endif

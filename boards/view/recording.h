/* SPDX-License-Identifier: Apache-2.0 */
/** Recording of a swarm's pictures (outputs.pictures), of which a page shows any time. */
#ifndef MF_BOARDS_VIEW_RECORDING_H
#define MF_BOARDS_VIEW_RECORDING_H

#include "boards/swarm/page/page_server.h"

#include <stdbool.h>

struct view_recording;

/** @brief Open a recording, and index its pictures. @param why  out: static text of the failure
 * @return to be closed with view_recording_close(); NULL: failed */
struct view_recording *view_recording_open(const char *file, const char **why);

/** @brief True if the file ends within a frame. The frames before it can be shown. */
bool view_recording_is_cut(const struct view_recording *r);

/** @brief Show a recording on a page: first its beginning, then the times that browsers request.
 * The server and the recording must live until the server is closed. */
void view_recording_serve(struct view_recording *r, struct swarm_page_server *s);

void view_recording_close(struct view_recording *r);

#endif

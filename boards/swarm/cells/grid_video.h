/* SPDX-License-Identifier: Apache-2.0 */
/** Video of a world of cells, seen from above: its cells, the ways of its drones, and the drones.
 */
#ifndef MF_BOARDS_SWARM_GRID_VIDEO_H
#define MF_BOARDS_SWARM_GRID_VIDEO_H

#include "boards/swarm/cells/grid.h"
#include "boards/swarm/processes/video.h"

/** A video. Begin with zeros. */
struct swarm_grid_video {
    struct swarm_video film; /**< its still has the ways so far on white */
    double (*last)[2];       /**< [drones]: latest place [px]; x NAN: none yet; on the heap */
    double px;               /**< side of a cell */
    mf_us_t due_us;          /**< time of the next frame */
    bool on;                 /**< the scenario has a video */
};

/** @brief Begin the video, if the scenario has one. @return SWARM_OK, or SWARM_INPUT with an error
 * set */
int swarm_grid_video_open(struct swarm *w, struct swarm_grid_video *v, const struct swarm_grid *g);

/** @brief Continue the ways, and write a frame if one is due. */
void swarm_grid_video_note(const struct swarm *w, struct swarm_grid_video *v,
                           const struct swarm_grid *g, const struct mf_grid *q);

/** @brief End the video, which may be off. @return false: it is incomplete */
bool swarm_grid_video_close(const struct swarm *w, struct swarm_grid_video *v);

#endif

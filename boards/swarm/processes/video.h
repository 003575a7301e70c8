/* SPDX-License-Identifier: Apache-2.0 */
/** Video of a run (outputs.video): pictures of pixels that ffmpeg makes into a file, or a PPM file
 * for each of them where ffmpeg is not installed. Searches and worlds of cells draw the pictures.
 */
#ifndef MF_BOARDS_SWARM_VIDEO_H
#define MF_BOARDS_SWARM_VIDEO_H

#include "boards/swarm/core/swarm.h"
#include "fleet/canvas.h"

#include <sys/types.h>

/** A video. Begin with zeros. */
struct swarm_video {
    struct mf_canvas still;  /**< for the owner: parts that stay from picture to picture */
    struct mf_canvas canvas; /**< the next picture, of the same size */
    FILE *pipe;              /**< input of ffmpeg; NULL: pictures go to files */
    pid_t ffmpeg;            /**< 0: pictures go to files */
    uint32_t frames;
    bool failed; /**< a picture was not written */
};

/** @brief True if the scenario has a video, and plots are not switched off. */
bool swarm_video_is_wanted(const struct swarm *w);

/** @brief Allocate both canvases, and start ffmpeg unless the file ends in ".ppm".
 * @param width_px, height_px  least size; a video has an even number of pixels in each direction
 * @return SWARM_OK, or SWARM_INPUT with an error set */
int swarm_video_open(struct swarm *w, struct swarm_video *v, double width_px, double height_px);

/** @brief Copy what stays into the next picture. */
void swarm_video_begin_frame(struct swarm_video *v);

/** @brief Write the picture, which is complete. */
void swarm_video_write_frame(const struct swarm *w, struct swarm_video *v);

/** @brief End the video, wait for ffmpeg, and free the canvases. @return false: it is incomplete */
bool swarm_video_close(const struct swarm *w, struct swarm_video *v);

#endif

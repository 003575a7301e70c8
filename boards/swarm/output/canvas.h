/* SPDX-License-Identifier: Apache-2.0 */
/** A picture of pixels: lines and discs, written as PPM. Points outside of it are not drawn. */
#ifndef MF_BOARDS_SWARM_CANVAS_H
#define MF_BOARDS_SWARM_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct swarm_canvas {
    uint32_t width, height;
    uint8_t *rgb; /**< [height][width][3], from the upper left; the caller's */
};

/** @brief Bytes of its pixels. */
size_t swarm_canvas_bytes(const struct swarm_canvas *c);

/** @brief All of one colour. @param colour  0xRRGGBB */
void swarm_canvas_fill(struct swarm_canvas *c, uint32_t colour);

/** @brief A line, a pixel wide. Ends in pixels from the upper left; they may lie outside. */
void swarm_canvas_line(struct swarm_canvas *c, double x0, double y0, double x1, double y1,
                       uint32_t colour);

void swarm_canvas_disc(struct swarm_canvas *c, double x, double y, double radius, uint32_t colour);

/** @brief Write it as PPM (P6). @return false: it was not taken */
bool swarm_canvas_write(const struct swarm_canvas *c, FILE *to);

#endif

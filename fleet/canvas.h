/* SPDX-License-Identifier: Apache-2.0 */
/** A picture of pixels, with lines, boxes and discs, written as PPM. Points outside are not drawn.
 */
#ifndef MF_FLEET_CANVAS_H
#define MF_FLEET_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Coordinates are in pixels, x to the right and y down from the upper left corner; pixel (0, 0)
 *  covers 0 to 1. Colours are 0xRRGGBB. */
struct mf_canvas {
    uint32_t width, height;
    uint8_t *rgb; /**< [height][width][3]; the caller's */
};

/** @brief Size of the pixels [bytes]. */
size_t mf_canvas_bytes(const struct mf_canvas *c);

/** @brief Give all pixels one colour. */
void mf_canvas_fill(struct mf_canvas *c, uint32_t colour);

/** @brief Draw a line of one pixel's width. Its ends may lie outside. */
void mf_canvas_line(struct mf_canvas *c, double x0, double y0, double x1, double y1,
                    uint32_t colour);

/** @brief Fill the pixels whose centres are between two corners. @param x0, y0  the smaller ones */
void mf_canvas_box(struct mf_canvas *c, double x0, double y0, double x1, double y1,
                   uint32_t colour);

/** @brief Draw the pixels whose centres are within @p radius of (@p x, @p y). */
void mf_canvas_disc(struct mf_canvas *c, double x, double y, double radius, uint32_t colour);

/** @brief Write the picture as PPM (P6). @return false: the file did not take all of it */
bool mf_canvas_write(const struct mf_canvas *c, FILE *to);

#endif

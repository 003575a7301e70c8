/* SPDX-License-Identifier: Apache-2.0 */
/* Draws into memory; boards/swarm/processes/video.c writes its pictures as a video. */
#include "fleet/canvas.h"

#include <math.h>

size_t mf_canvas_bytes(const struct mf_canvas *c)
{
    return (size_t)c->width * c->height * 3u;
}

static void put_pixel(struct mf_canvas *c, double x, double y, uint32_t colour)
{
    if (!(x >= 0.0 && y >= 0.0 && x < (double)c->width && y < (double)c->height)) {
        return;
    }
    uint8_t *pixel = c->rgb + ((size_t)y * c->width + (size_t)x) * 3u;
    pixel[0] = (uint8_t)(colour >> 16);
    pixel[1] = (uint8_t)(colour >> 8);
    pixel[2] = (uint8_t)colour;
}

void mf_canvas_fill(struct mf_canvas *c, uint32_t colour)
{
    for (uint32_t y = 0; y < c->height; y++) {
        for (uint32_t x = 0; x < c->width; x++) {
            put_pixel(c, (double)x, (double)y, colour);
        }
    }
}

/* Shrink the interval low .. high to the t for which from + slope * t is within 0 .. most. */
static void clip(double from, double slope, double most, double *low, double *high)
{
    if (slope == 0.0) {
        *high = from >= 0.0 && from <= most ? *high : *low - 1.0;
        return;
    }
    const double a = -from / slope, b = (most - from) / slope;
    *low = fmax(*low, fmin(a, b));
    *high = fmin(*high, fmax(a, b));
}

void mf_canvas_line(struct mf_canvas *c, double x0, double y0, double x1, double y1,
                    uint32_t colour)
{
    const double length = fmax(fabs(x1 - x0), fabs(y1 - y0));
    double low = 0.0, high = 1.0;
    clip(x0, x1 - x0, (double)c->width, &low, &high);
    clip(y0, y1 - y0, (double)c->height, &low, &high);
    const int steps = low <= high ? (int)ceil(length * (high - low)) : -1;
    for (int i = 0; i <= steps; i++) {
        const double t = steps > 0 ? low + (high - low) * (double)i / (double)steps : low;
        put_pixel(c, floor(x0 + t * (x1 - x0) + 0.5), floor(y0 + t * (y1 - y0) + 0.5), colour);
    }
}

/* First pixel whose middle is at or behind a place, 0 to @p size. */
static uint32_t first_pixel(double at, uint32_t size)
{
    return (uint32_t)fmin(fmax(ceil(at - 0.5), 0.0), (double)size);
}

void mf_canvas_box(struct mf_canvas *c, double x0, double y0, double x1, double y1, uint32_t colour)
{
    const uint32_t left = first_pixel(x0, c->width), right = first_pixel(x1, c->width);
    const uint32_t bottom = first_pixel(y1, c->height);
    for (uint32_t y = first_pixel(y0, c->height); y < bottom; y++) {
        for (uint32_t x = left; x < right; x++) {
            put_pixel(c, (double)x, (double)y, colour);
        }
    }
}

void mf_canvas_disc(struct mf_canvas *c, double x, double y, double radius, uint32_t colour)
{
    const int reach = (int)ceil(radius);
    for (int i = -reach; i <= reach; i++) {
        for (int k = -reach; k <= reach; k++) {
            const double u = floor(x) + (double)k, v = floor(y) + (double)i;
            if (hypot(u + 0.5 - x, v + 0.5 - y) <= radius) {
                put_pixel(c, u, v, colour);
            }
        }
    }
}

bool mf_canvas_write(const struct mf_canvas *c, FILE *to)
{
    (void)fprintf(to, "P6\n%u %u\n255\n", c->width, c->height);
    return fwrite(c->rgb, 1, mf_canvas_bytes(c), to) == mf_canvas_bytes(c);
}

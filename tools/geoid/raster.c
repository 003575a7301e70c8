/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mavlink/sha256.h"
#include "world/pack_format.h"

bool mf_raster_alloc(struct mf_raster *raster)
{
    const size_t count = (size_t)raster->rows * raster->columns;
    if (count == 0 || count > SIZE_MAX / sizeof *raster->node_m) {
        return false;
    }
    raster->node_m = malloc(count * sizeof *raster->node_m);
    for (size_t i = 0; raster->node_m != NULL && i < count; i++) {
        raster->node_m[i] = NAN;
    }
    return raster->node_m != NULL;
}

void mf_raster_free(struct mf_raster *raster)
{
    free(raster->node_m);
    raster->node_m = NULL;
}

/* Convergents of the continued fraction. */
bool mf_raster_fraction(double step_deg, uint32_t *num, uint32_t *den)
{
    if (!(step_deg > 1e-6 && step_deg <= 180.0)) {
        return false;
    }
    double rest = step_deg;
    double p0 = 0.0;
    double q0 = 1.0;
    double p = 1.0;
    double q = 0.0;
    for (int i = 0; i < 32; i++) {
        const double whole = floor(rest);
        const double p1 = whole * p + p0;
        const double q1 = whole * q + q0;
        if (q1 > MF_PACK_DEN_MAX) {
            return false;
        }
        p0 = p;
        q0 = q;
        p = p1;
        q = q1;
        if (fabs(p / q - step_deg) <= 1e-8 * step_deg) {
            *num = (uint32_t)p;
            *den = (uint32_t)q;
            return true;
        }
        rest = 1.0 / (rest - whole);
    }
    return false;
}

void mf_raster_close(struct mf_raster *raster)
{
    const uint64_t circle = UINT64_C(360) * raster->lon_den;
    if ((uint64_t)(raster->columns - 1) * raster->lon_num == circle) {
        const uint32_t columns = raster->columns - 1;
        for (uint32_t row = 1; row < raster->rows; row++) {
            memmove(raster->node_m + (size_t)row * columns,
                    raster->node_m + (size_t)row * raster->columns,
                    columns * sizeof *raster->node_m);
        }
        raster->columns = columns;
    }
    raster->wraps = (uint64_t)raster->columns * raster->lon_num == circle;
}

bool mf_raster_file_has(FILE *file, uint64_t bytes)
{
    const long at = ftell(file);
    const bool ends = at >= 0 && fseek(file, 0, SEEK_END) == 0;
    const long end = ends ? ftell(file) : -1;
    return end >= at && fseek(file, at, SEEK_SET) == 0 && (uint64_t)(end - at) == bytes;
}

bool mf_raster_hash_file(const char *path, uint8_t digest[32])
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    struct mf_sha256 hash;
    mf_sha256_init(&hash);
    static const size_t most = 65536;
    uint8_t *bytes = malloc(most);
    size_t n = 0;
    while (bytes != NULL && (n = fread(bytes, 1, most, file)) > 0) {
        mf_sha256_add(&hash, bytes, n);
    }
    const bool whole = bytes != NULL && ferror(file) == 0;
    free(bytes);
    fclose(file);
    mf_sha256_end(&hash, digest);
    return whole;
}

/* SPDX-License-Identifier: Apache-2.0 */
/** Small files of grids, written number by number. */
#ifndef MF_TESTS_GRID_FILE_H
#define MF_TESTS_GRID_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct grid_file {
    uint8_t bytes[65536];
    size_t n;
    bool big; /* byte order */
};

static inline void put_uint(struct grid_file *f, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        f->bytes[f->n++] = (uint8_t)(v >> 8 * (f->big ? n - 1 - i : i));
    }
}

static inline void put_f32(struct grid_file *f, float v)
{
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    put_uint(f, bits, 4);
}

static inline void put_f64(struct grid_file *f, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    put_uint(f, bits, 8);
}

/* In the folder that the test runs in; the test removes it. */
static inline bool write_file(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    const bool ok = file != NULL && fwrite(bytes, 1, n, file) == n;
    return file != NULL && fclose(file) == 0 && ok;
}

#endif

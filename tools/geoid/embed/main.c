/* SPDX-License-Identifier: Apache-2.0 */
/*
 * embed GRID.gtx OUT.c: makes constant data of EGM96's grid, millimetres and cubic, while mayfly is
 * built. It runs where the compiler runs, whatever it compiles for.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/geoid/gtx.h"
#include "tools/geoid/pack_write.h"

void mf_assert_failed(const char *expr, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, expr);
    abort();
}

static bool write_source(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *out = fopen(path, "w");
    if (out == NULL) {
        return false;
    }
    fprintf(out,
            "/* made by tools/geoid/embed */\n#include \"world/egm96.h\"\n\n"
            "#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n"
            "const size_t mf_egm96_pack_size = %zu;\nconst uint8_t mf_egm96_pack[%zu] =",
            size, size);
    for (size_t i = 0; i < size;
         i++) { /* a string: compilers read it ten times as fast as a list */
        fprintf(out, "%s\\%03o", i % 32 != 0 ? "" : i == 0 ? "\n\"" : "\"\n\"", bytes[i]);
    }
    fprintf(out, "\";\n");
    const bool written = ferror(out) == 0;
    return fclose(out) == 0 && written;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: embed GRID.gtx OUT.c\n");
        return 2;
    }
    char error[200];
    struct mf_raster raster;
    if (!mf_gtx_read(argv[1], &raster, error, sizeof error)) {
        fprintf(stderr, "embed: %s (Debian's package proj-data has it)\n", error);
        return 1;
    }
    snprintf(raster.model, sizeof raster.model, "egm96");
    const struct mf_pack_plan plan = {MF_PACK_GEOID, MF_PACK_CUBIC, 1000};
    uint8_t *bytes;
    size_t size;
    const bool made = mf_pack_make(&raster, &plan, &bytes, &size, error, sizeof error);
    mf_raster_free(&raster);
    if (!made || !write_source(argv[2], bytes, size)) {
        fprintf(stderr, "embed: %s\n", made ? "the output cannot be written" : error);
        return 1;
    }
    free(bytes);
    return 0;
}

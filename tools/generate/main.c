/* SPDX-License-Identifier: Apache-2.0 */
/* mayfly-generate: mines and offices as obstacle files for swarms (docs/swarm-manual.md#obstacles).
 */
#include "host/base/output.h"
#include "tools/generate/rock.h"
#include "tools/generate/write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_WRONG_USE 2

static const char k_usage[] = "usage: mayfly-generate mine|office FILE.stl [--KEY VALUE ...]\n"
                              "\n"
                              "A mine of drifts, or an office of rooms, on levels that shafts "
                              "join: closed, and every place is\n"
                              "reached from every other one. FILE.stl is an obstacle of a "
                              "scenario: space: {obstacles: [FILE.stl]}\n"
                              "\n"
                              "  --seed N        seed of chance; 1\n"
                              "  --columns N     cells to the east, 5 to 512; 41; of an office 81\n"
                              "  --rows N        cells to the north; 31; of an office 61\n"
                              "  --levels N      1 to 16; 1\n"
                              "  --cell METRES   side of a cell; 4; of an office 0.5\n"
                              "  --height METRES of a level; 3\n"
                              "  --slab METRES   between two levels; 2; of an office 0.4\n"
                              "  --shafts N      between two levels; 2\n"
                              "  --room N        cells of a side of a room at least, 5 to 100; 8\n"
                              "  --svg FILE      levels seen from above\n";

struct options {
    bool office;
    double seed, columns, rows, levels, cell, height, slab, shafts, room;
    const char *file, *svg;
};

static int fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "mayfly-generate: %s: %s\n", what, why);
    return EXIT_WRONG_USE;
}

/* @return false: unknown key, or a value that is not allowed; reported */
static bool set(struct options *o, const char *key, const char *value)
{
    const struct {
        const char *name;
        double *number, low, high;
        bool whole;
    } all[] = {{"--seed", &o->seed, 0, 9e15, true},
               {"--columns", &o->columns, 5, ROCK_SIDE_MAX, true},
               {"--rows", &o->rows, 5, ROCK_SIDE_MAX, true},
               {"--levels", &o->levels, 1, ROCK_LEVELS_MAX, true},
               {"--cell", &o->cell, 0.01, 1000, false},
               {"--height", &o->height, 0.01, 1000, false},
               {"--slab", &o->slab, 0.01, 1000, false},
               {"--shafts", &o->shafts, 1, 100, true},
               {"--room", &o->room, 5, 100, true}};
    if (strcmp(key, "--svg") == 0) {
        o->svg = value;
        return true;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char *end = NULL;
        if (strcmp(key, all[i].name) != 0) {
            continue;
        }
        const double x = strtod(value, &end);
        char why[96];
        if (end != value && *end == '\0' && x >= all[i].low && x <= all[i].high &&
            (!all[i].whole || x == (double)(uint64_t)x)) {
            *all[i].number = x;
            return true;
        }
        (void)snprintf(why, sizeof why, "must be a %s of %g to %g",
                       all[i].whole ? "whole number" : "number", all[i].low, all[i].high);
        (void)fail(key, why);
        return false;
    }
    (void)fail(key, "is not an option; --help lists them");
    return false;
}

/* @return 0; another exit code, less 1 */
static int read_options(struct options *o, int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        (void)fputs(k_usage, stdout);
        return 1;
    }
    const bool mine = argc >= 3 && strcmp(argv[1], "mine") == 0;
    if (argc < 3 || (!mine && strcmp(argv[1], "office") != 0)) {
        (void)fputs(k_usage, stderr);
        return EXIT_WRONG_USE + 1;
    }
    *o = mine ? (struct options){false, 1, 41, 31, 1, 4, 3, 2, 2, 8, argv[2], NULL}
              : (struct options){true, 1, 81, 61, 1, 0.5, 3, 0.4, 2, 8, argv[2], NULL};
    for (int i = 3; i < argc; i += 2) {
        if (i + 1 == argc) {
            return fail(argv[i], "needs a value") + 1;
        }
        if (!set(o, argv[i], argv[i + 1])) {
            return EXIT_WRONG_USE + 1;
        }
    }
    return 0;
}

static int save(const struct rock *r, const char *path, uint32_t *triangles)
{
    FILE *to = fopen(path, "wb");
    if (to == NULL) {
        return fail(path, strerror(errno));
    }
    if (triangles != NULL) {
        *triangles = write_stl(r, to);
    } else {
        write_svg(r, to);
    }
    return fclose(to) == 0 ? 0 : fail(path, strerror(errno));
}

static void print_summary(const struct options *o, const struct rock *r, uint32_t triangles)
{
    uint32_t at[3];
    size_t n = 0;
    for (size_t i = 0; i < rock_cells(r); i++) {
        n += r->free[i];
    }
    rock_entrance(r, at);
    (void)printf("%s: %u x %u cells of %g m, %u levels; %zu cells are free, %u triangles; "
                 "[%g, %g, %g] is inside\n",
                 o->file, (unsigned)r->columns, (unsigned)r->rows, r->side_m, (unsigned)r->levels,
                 n, (unsigned)triangles, (at[1] + 0.5) * r->side_m, (at[0] + 0.5) * r->side_m,
                 rock_up_m(r, at[2]) + 0.5 * r->height_m);
}

int main(int argc, char **argv)
{
    struct options o;
    uint32_t triangles = 0;
    mf_output_judge_stdout("mayfly-generate");
    const int wrong = read_options(&o, argc, argv);
    if (wrong != 0) {
        return wrong - 1;
    }
    struct rock r = {.columns = (uint32_t)o.columns,
                     .rows = (uint32_t)o.rows,
                     .levels = (uint32_t)o.levels,
                     .side_m = o.cell,
                     .height_m = o.height,
                     .slab_m = o.slab,
                     .seed = (uint64_t)o.seed,
                     .shafts = (uint32_t)o.shafts,
                     .wide = o.office ? 4u : 1u};
    r.free = calloc(rock_cells(&r), 1);
    if (r.free == NULL) {
        return fail(o.file, "no memory");
    }
    if (o.office) {
        rock_build_office(&r, (uint32_t)o.room);
    } else {
        rock_dig_mine(&r);
    }
    int result = save(&r, o.file, &triangles);
    if (result == 0 && o.svg != NULL) {
        result = save(&r, o.svg, NULL);
    }
    if (result == 0) {
        print_summary(&o, &r, triangles);
    }
    free(r.free);
    return result;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* geoid: makes, shows, asks and checks packs of geoids and terrain. Usage text below. */
#include "host/base/output.h"
#include "tools/geoid/commands.h"
#include "tools/geoid/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char k_usage[] =
    "usage: geoid COMMAND [options] ...\n"
    "\n"
    "  pack --out FILE GRID...      make a pack of a model's files: GTX, GeoTIFF, NOAA .bin, "
    "EGM2008\n"
    "                               of GEOTRANS, GeographicLib's .pgm; terrain: .hgt, GeoTIFF\n"
    "    --model NAME               its model (the one that the files name)\n"
    "    --frame none|itrf2014      itrf2014: add the difference from NAD83 to the grid, so that "
    "heights\n"
    "                               of receivers become true ones; default for grids on NAD83\n"
    "    --epoch YEAR               of itrf2014 (2026.0)\n"
    "    --datum NAME               datum of the grid: wgs84, nad83_2011, nad83_pa11, "
    "nad83_ma11\n"
    "    --interp bilinear|cubic    interpolation it is made for (cubic for egm*, else bilinear)\n"
    "    --quantum METRES           value of the integer 1 (0.001; egm2008 0.01; terrain 0.1)\n"
    "    --heights-on LIST          terrain: models that the file's heights are above (egm96)\n"
    "    --geoid LIST               terrain: models that the pack's heights are above (egm96)\n"
    "  info PACK|egm96...           the header of a pack, and whether it is whole\n"
    "  at [LAT,LON ...]             undulation [m] of each place, a line each; without places of "
    "each\n"
    "                               line of standard input. A place without a value: nan, a "
    "message\n"
    "                               with its number, and exit code 1 in the end\n"
    "    --model LIST               egm96 (built in, default), FILE or NAME:FILE, comma-separated\n"
    "    --interp bilinear|cubic    (the one of each pack)\n"
    "  check PACK --against GRID[,GRID...]  compare with PROJ's vgridshift, bilinear\n"
    "    --points N                 how many places (20000)\n"
    "    --datum NAME               of the grid, for packs in itrf2014 (nad83_2011)\n"
    "  check PACK --nodes PACK      compare with another pack of the same grid, node by node\n"
    "  check PACK --csv POINTS.csv  compare with a table\n"
    "    --columns LAT,LON,N        names or numbers of columns (lat,lon,undulation_m)\n"
    "    --where COLUMN=VALUE       only rows with this value\n"
    "    --interp bilinear|cubic    (the one of the pack)\n"
    "    --tolerance METRES         beyond it the exit code is 1 (0.01)\n"
    "  fetch URL                    a pack from an elevation service (docs/elevation.md)\n"
    "    --model NAME, --kind geoid|terrain  which: by name, or the first of a kind (geoid)\n"
    "    --bbox S,W,N,E             only the part that serves this box; it has another "
    "fingerprint\n"
    "    --fingerprint HEX          accept only this one\n"
    "    --out FILE                 (MODEL.pack)\n"
    "    --cache DIR|none           packs by fingerprint ($XDG_CACHE_HOME/mayfly, "
    "~/.cache/mayfly)\n"
    "    --timeout S, --retries N, --retry-delay S  (30, 4, 0.5)\n"
    "    --header 'NAME: VALUE'     sent with each request\n"
    "    --models-path T, --model-path T, --raster-path T  another service's paths\n"
    "\n"
    "exit codes: 0 all well; 1 places without a value, or beyond the tolerance, or damaged "
    "tiles;\n"
    "2 wrong usage or file\n";

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} k_commands[] = {
    {"pack", geoid_pack},   {"info", geoid_info},   {"at", geoid_at},
    {"check", geoid_check}, {"fetch", geoid_fetch},
};

int main(int argc, char **argv)
{
    mf_output_judge_stdout("geoid");
    if (argc < 2 || strcmp(argv[1], "--help") == 0) {
        (void)fputs(k_usage, argc < 2 ? stderr : stdout);
        return argc < 2 ? GEOID_EXIT_USAGE : EXIT_SUCCESS;
    }
    for (size_t i = 0; i < sizeof k_commands / sizeof k_commands[0]; i++) {
        if (strcmp(argv[1], k_commands[i].name) == 0) {
            if (argc > 2 && strcmp(argv[2], "--help") == 0) {
                (void)fputs(k_usage, stdout);
                return EXIT_SUCCESS;
            }
            return k_commands[i].run(argc - 2, argv + 2);
        }
    }
    (void)fprintf(stderr, "geoid: unknown command '%s'; geoid --help lists them\n", argv[1]);
    return GEOID_EXIT_USAGE;
}

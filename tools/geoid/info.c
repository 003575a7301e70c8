/* SPDX-License-Identifier: Apache-2.0 */
/* geoid info: prints a pack's header, and whether the pack is whole. */
#include "tools/geoid/commands.h"
#include "tools/geoid/models.h"
#include "tools/geoid/options.h"
#include "tools/geoid/pack_write.h"
#include "world/egm96.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show_hash(const char *name, const uint8_t *hash)
{
    (void)printf("%-22s", name);
    for (size_t i = 0; i < MF_PACK_HASH; i++) {
        (void)printf("%02x", hash[i]);
    }
    (void)printf("\n");
}

void geoid_show(const struct mf_pack *p, const char *path)
{
    (void)printf("%-22s%s\n", "file", path);
    (void)printf("%-22s%s\n", "kind", p->kind == MF_PACK_TERRAIN ? "terrain" : "geoid");
    (void)printf("%-22s%s\n", "model", mf_pack_model(p));
    (void)printf("%-22s%s\n", "frame", mf_pack_frame(p));
    (void)printf("%-22s%s\n", "epoch", mf_pack_epoch(p));
    (void)printf("%-22s%s\n", "interpolation",
                 geoid_interpolation_name((enum mf_pack_interpolation)p->interpolation));
    (void)printf("%-22s%u x %u\n", "rows x columns", p->rows, p->columns);
    (void)printf("%-22s%.9f .. %.9f\n", "latitude [deg]", p->south_deg, p->north_deg);
    (void)printf("%-22s%.9f .. %.9f%s\n", "longitude [deg]", p->west_deg, p->east_deg,
                 p->wraps ? " (all round)" : "");
    (void)printf("%-22s%u/%u x %u/%u\n", "spacing [deg]", p->lat_num, p->lat_den, p->lon_num,
                 p->lon_den);
    (void)printf("%-22s%g\n", "quantum [m]", p->quantum_um * 1e-6);
    (void)printf("%-22s%zu\n", "bytes", p->size);
    show_hash("source sha256", mf_pack_source(p));
    show_hash("grid sha256", mf_pack_grid(p));
    show_hash("fingerprint bilinear", mf_pack_fingerprint(p, MF_PACK_BILINEAR));
    show_hash("fingerprint cubic", mf_pack_fingerprint(p, MF_PACK_CUBIC));
}

/* Decode all tiles: a node of each is enough to check its CRC. */
static bool check_tiles(const struct mf_pack *p, const char *path)
{
    static struct mf_pack_cache s_cache;
    uint32_t bad = 0, tiles = p->tile_rows * p->tile_columns;
    memset(&s_cache, 0, sizeof s_cache);
    for (uint32_t i = 0; i < tiles; i++) {
        int32_t value;
        const uint32_t row = i / p->tile_columns * MF_PACK_CELLS;
        const uint32_t column = i % p->tile_columns * MF_PACK_CELLS;
        if (mf_pack_node(p, &s_cache, row, column, &value) != MF_E_OK) {
            (void)fprintf(stderr,
                          "geoid: %s: tile %u (row %u, column %u) is damaged; pack it again\n",
                          path, i, row, column);
            bad++;
        }
    }
    (void)printf("%-22s%u, %u damaged\n", "tiles", tiles, bad);
    return bad == 0;
}

/* True if the header's hashes are those of the nodes. */
static bool check_hashes(const struct mf_pack *p, const char *path)
{
    uint8_t grid[MF_PACK_HASH], bilinear[MF_PACK_HASH], cubic[MF_PACK_HASH];
    if (!mf_pack_hash_grid(p, grid)) {
        return false;
    }
    mf_pack_hash_fingerprint(grid, MF_PACK_BILINEAR, mf_pack_frame(p), mf_pack_epoch(p), bilinear);
    mf_pack_hash_fingerprint(grid, MF_PACK_CUBIC, mf_pack_frame(p), mf_pack_epoch(p), cubic);
    if (memcmp(grid, mf_pack_grid(p), sizeof grid) != 0 ||
        memcmp(bilinear, mf_pack_fingerprint(p, MF_PACK_BILINEAR), sizeof bilinear) != 0 ||
        memcmp(cubic, mf_pack_fingerprint(p, MF_PACK_CUBIC), sizeof cubic) != 0) {
        (void)fprintf(stderr, "geoid: %s: its hashes are not those of its nodes; pack it again\n",
                      path);
        return false;
    }
    (void)printf("%-22s%s\n", "hashes", "verified");
    return true;
}

static int info(const char *path)
{
    struct mf_pack pack;
    uint8_t *bytes = NULL;
    const bool embedded = strcmp(path, "egm96") == 0 && access(path, F_OK) != 0;
    if (embedded ? mf_pack_open(&pack, mf_egm96_pack, mf_egm96_pack_size) != MF_E_OK
                 : !geoid_pack_read(path, &pack, &bytes)) {
        return GEOID_EXIT_USAGE;
    }
    geoid_show(&pack, embedded ? "(built in)" : path);
    const bool ok = check_tiles(&pack, path) && check_hashes(&pack, path);
    free(bytes);
    return ok ? EXIT_SUCCESS : GEOID_EXIT_FAILED;
}

int geoid_info(int argc, char **argv)
{
    const int n = geoid_options(argc, argv, NULL, 0);
    int result = EXIT_SUCCESS;
    if (n == 0) {
        (void)fprintf(stderr, "geoid: info needs one or more packs\n");
    }
    for (int i = 0; i < n; i++) {
        const int one = info(argv[i]);
        result = one > result ? one : result;
    }
    return n > 0 ? result : GEOID_EXIT_USAGE;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* geoid check --nodes: two packs of one grid, node by node. */
#include "tools/geoid/commands.h"
#include "tools/geoid/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NODES_SHOWN 10u /* one by one; all are counted */

struct tally {
    unsigned long n, differ, one_sided; /* one_sided: void in one of both */
    int64_t max_um;
    double lat_deg, lon_deg; /* of the largest difference */
};

static bool same_geometry(const struct mf_pack *a, const struct mf_pack *b)
{
    return a->rows == b->rows && a->columns == b->columns && a->north_e9 == b->north_e9 &&
           a->west_e9 == b->west_e9 && a->lat_num == b->lat_num && a->lat_den == b->lat_den &&
           a->lon_num == b->lon_num && a->lon_den == b->lon_den;
}

static void compare(const struct mf_pack *a, const struct mf_pack *b, uint32_t row, uint32_t column,
                    const int32_t value[2], struct tally *t)
{
    const int64_t a_um = (int64_t)value[0] * a->quantum_um;
    const int64_t b_um = (int64_t)value[1] * b->quantum_um;
    const int64_t off_um = a_um > b_um ? a_um - b_um : b_um - a_um;
    const double lat_deg = a->north_deg - (double)row * a->lat_num / a->lat_den;
    const double lon_deg = a->west_deg + (double)column * a->lon_num / a->lon_den;
    t->n++;
    if ((value[0] == MF_PACK_VOID) != (value[1] == MF_PACK_VOID)) {
        t->one_sided++;
    } else if (value[0] != MF_PACK_VOID && off_um != 0) {
        if (t->differ++ < NODES_SHOWN) {
            (void)printf("node at %.6f,%.6f: %.4f m, there %.4f m\n", lat_deg, lon_deg,
                         (double)a_um * 1e-6, (double)b_um * 1e-6);
        }
        if (off_um > t->max_um) {
            t->max_um = off_um;
            t->lat_deg = lat_deg;
            t->lon_deg = lon_deg;
        }
    }
}

/* The nodes of a tile, so that each tile is decoded once. @return false: one is damaged */
static bool compare_tile(const struct mf_pack *a, const struct mf_pack *b, uint32_t top,
                         uint32_t left, struct tally *t)
{
    static struct mf_pack_cache s_cache[2];
    for (uint32_t row = top; row < top + MF_PACK_CELLS && row < a->rows; row++) {
        for (uint32_t column = left; column < left + MF_PACK_CELLS && column < a->columns;
             column++) {
            int32_t value[2];
            if (mf_pack_node(a, &s_cache[0], row, column, &value[0]) != MF_E_OK ||
                mf_pack_node(b, &s_cache[1], row, column, &value[1]) != MF_E_OK) {
                (void)fprintf(stderr, "geoid: a tile is damaged; geoid info says which\n");
                return false;
            }
            compare(a, b, row, column, value, t);
        }
    }
    return true;
}

static bool same_fingerprint(const struct mf_pack *a, const struct mf_pack *b)
{
    return memcmp(mf_pack_fingerprint(a, MF_PACK_CUBIC), mf_pack_fingerprint(b, MF_PACK_CUBIC),
                  MF_PACK_HASH) == 0;
}

static int judge_nodes(const struct mf_pack *a, const struct mf_pack *b, const struct tally *t,
                       double tolerance_m)
{
    (void)printf("%lu of %lu nodes differ, max %.4f m", t->differ, t->n, (double)t->max_um * 1e-6);
    if (t->differ != 0) {
        (void)printf(" at %.6f,%.6f", t->lat_deg, t->lon_deg);
    }
    (void)printf(", %lu void on one side; fingerprints %s\n", t->one_sided,
                 same_fingerprint(a, b) ? "are equal" : "differ");
    if (t->one_sided != 0) {
        (void)fprintf(stderr, "geoid: %lu nodes have a value on one side only\n", t->one_sided);
    } else if ((double)t->max_um > tolerance_m * 1e6) {
        (void)fprintf(stderr, "geoid: %.4f m is beyond the tolerance of %.4f m\n",
                      (double)t->max_um * 1e-6, tolerance_m);
    } else {
        return EXIT_SUCCESS;
    }
    return GEOID_EXIT_FAILED;
}

int geoid_check_nodes(const struct mf_pack *pack, const char *path, double tolerance_m)
{
    struct mf_pack other;
    struct tally t = {0};
    uint8_t *bytes;
    int result = GEOID_EXIT_USAGE;
    if (!geoid_pack_read(path, &other, &bytes)) {
        return result;
    }
    if (!same_geometry(pack, &other)) {
        (void)fprintf(stderr, "geoid: %s: its nodes are not the same places\n", path);
    } else {
        bool whole = true;
        for (uint32_t top = 0; whole && top < pack->rows; top += MF_PACK_CELLS) {
            for (uint32_t left = 0; whole && left < pack->columns; left += MF_PACK_CELLS) {
                whole = compare_tile(pack, &other, top, left, &t);
            }
        }
        result = whole ? judge_nodes(pack, &other, &t, tolerance_m) : GEOID_EXIT_FAILED;
    }
    free(bytes);
    return result;
}

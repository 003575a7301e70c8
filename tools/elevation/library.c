/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/elevation/library.h"

#include "mavlink/sha256.h"
#include "tools/elevation/raster.h"
#include "tools/geoid/pack_write.h"
#include "world/egm96.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ITEM_MAX   4096u
#define HASH_BLOCK 65536u

void elevation_library_init(struct elevation_library *library)
{
    memset(library, 0, sizeof *library);
    (void)pthread_mutex_init(&library->lock, NULL);
}

/* ---- packs */

static bool fail(char *error, size_t size, const char *item, const char *what)
{
    (void)snprintf(error, size, "%.200s: %s", item, what);
    return false;
}

/* A file's bytes, as long as this program runs. @return NULL with errno */
static const void *map(const char *path, size_t *size)
{
    struct stat state;
    void *bytes = NULL;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    if (fstat(fd, &state) == 0) {
        errno = EINVAL;
        *size = (size_t)state.st_size;
        bytes = S_ISREG(state.st_mode) && state.st_size > 0
                    ? mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0)
                    : NULL;
    }
    (void)close(fd);
    return bytes == MAP_FAILED ? NULL : bytes;
}

/* "FILE", "NAME:FILE", "egm96": its bytes, and NAME (empty: not given). */
static const void *find_bytes(const char *item, char *name, size_t *size)
{
    const char *colon = strchr(item, ':');
    const char *slash = strchr(item, '/');
    *name = '\0';
    if (strcmp(item, "egm96") == 0) {
        *size = mf_egm96_pack_size;
        return mf_egm96_pack;
    }
    if (colon == NULL || (slash != NULL && slash < colon)) {
        return map(item, size);
    }
    (void)snprintf(name, ITEM_MAX, "%.*s", (int)(colon - item), item);
    return map(colon + 1, size);
}

/* The pack of terrain bears the name of the geoid below its heights, so the service names it: NAME,
 * or the name of the file up to its extension. @return false: it does not fit */
static bool name_terrain(struct geoid_offer *offer, const char *item, const char *name)
{
    static const char k_allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789._+-";
    const char *slash = strrchr(item, '/');
    const char *base = slash != NULL ? slash + 1 : item;
    const char *dot = strrchr(base, '.');
    const bool given = *name != '\0';
    const char *from = given ? name : base;
    const size_t n = given || dot == NULL || dot == base ? strlen(from) : (size_t)(dot - base);
    if (n < 1 || n >= sizeof offer->model) {
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        const char c = given || from[i] < 'A' || from[i] > 'Z' ? from[i] : (char)(from[i] | 0x20);
        offer->model[i] = strchr(k_allowed, c) != NULL ? c : '_';
        if (given && offer->model[i] != c) {
            return false;
        }
    }
    offer->model[n] = '\0';
    if (!given && strchr(".-", offer->model[0]) != NULL) {
        offer->model[0] = '_';
    }
    return strchr(".-", offer->model[0]) == NULL;
}

static bool add_item(struct elevation_library *l, enum mf_pack_kind kind, const char *item,
                     char *error, size_t error_size)
{
    char name[ITEM_MAX];
    size_t size = 0;
    const void *bytes = find_bytes(item, name, &size);
    if (l->count >= ELEVATION_MODELS_MAX) {
        return fail(error, error_size, item, "too many models");
    }
    if (bytes == NULL) {
        return fail(error, error_size, item, strerror(errno));
    }
    struct mf_pack *pack = &l->pack[l->count];
    const int result = mf_pack_open(pack, bytes, size);
    if (result != MF_E_OK) {
        return fail(error, error_size, item,
                    result == MF_E_NOSUPP ? "a pack of another version; pack it again"
                                          : "no pack, or damaged");
    }
    if (pack->kind != kind) {
        return fail(error, error_size, item,
                    kind == MF_PACK_GEOID ? "not a geoid but terrain: --terrain"
                                          : "not terrain but a geoid: --geoid");
    }
    struct geoid_offer *offer = &l->offer[l->count];
    geoid_offer_of_pack(pack, offer);
    if (kind == MF_PACK_TERRAIN && !name_terrain(offer, item, name)) {
        (void)snprintf(error, error_size,
                       "%.200s: the name must be a-z 0-9 . _ + -, %zu letters at most: NAME:FILE",
                       item, sizeof offer->model - 1);
        return false;
    }
    if (*name != '\0' && strcmp(name, offer->model) != 0) {
        (void)snprintf(error, error_size, "%.200s: its model is %s", item, mf_pack_model(pack));
        return false;
    }
    if (elevation_library_find(l, offer->model) >= 0) {
        return fail(error, error_size, item,
                    kind == MF_PACK_TERRAIN
                        ? "there is a model of this name already; name the terrain: NAME:FILE"
                        : "there is a model of this name already");
    }
    l->count++;
    return true;
}

bool elevation_library_add(struct elevation_library *library, enum mf_pack_kind kind,
                           const char *list, char *error, size_t error_size)
{
    char item[ITEM_MAX];
    for (const char *at = list;; at++) {
        const size_t n = strcspn(at, ",");
        if (n < 1 || n >= sizeof item) {
            (void)snprintf(error, error_size,
                           "--%s: must be a list of files with commas between them, not '%.200s'",
                           kind == MF_PACK_GEOID ? "geoid" : "terrain", list);
            return false;
        }
        memcpy(item, at, n);
        item[n] = '\0';
        if (!add_item(library, kind, item, error, error_size)) {
            return false;
        }
        at += n;
        if (*at == '\0') {
            return true;
        }
    }
}

int elevation_library_find(const struct elevation_library *library, const char *model)
{
    for (size_t i = 0; i < library->count; i++) {
        if (strcmp(library->offer[i].model, model) == 0) {
            return (int)i;
        }
    }
    return -1;
}

/* ---- parts */

/* Geometry with which a grid hash begins, as that of a pack. */
static struct mf_pack geometry_of(const struct geoid_offer *o)
{
    const struct geoid_grid *g = &o->grid;
    return (struct mf_pack){
        .rows = g->rows,
        .columns = g->columns,
        .north_e9 = g->north_e9,
        .west_e9 = g->west_e9,
        .lat_num = g->lat_num,
        .lat_den = g->lat_den,
        .lon_num = g->lon_num,
        .lon_den = g->lon_den,
        .wraps = g->wraps,
        .quantum_um = o->quantum_um,
    };
}

/* Read all nodes. @return false: the pack is damaged, or memory is short */
static bool hash_nodes(struct elevation_part *part)
{
    struct mf_sha256 hash;
    struct elevation_raster *raster = malloc(sizeof *raster);
    uint8_t *block = malloc(HASH_BLOCK);
    const struct mf_pack geometry = geometry_of(&part->offer);
    int64_t n = raster != NULL && block != NULL && elevation_raster_open(raster, part) ? 1 : -1;
    if (n > 0) {
        mf_pack_hash_geometry(&hash, &geometry);
        for (int64_t at = 0; n > 0; at += n) {
            n = elevation_raster_read(raster, at, block, HASH_BLOCK);
            mf_sha256_add(&hash, block, n > 0 ? (size_t)n : 0);
        }
        mf_sha256_end(&hash, part->offer.hash);
        elevation_raster_close(raster);
    }
    free(block);
    free(raster);
    return n == 0;
}

static bool hash_part(struct elevation_part *part)
{
    struct geoid_offer *o = &part->offer;
    if (!hash_nodes(part)) {
        return false;
    }
    mf_pack_hash_fingerprint(o->hash, MF_PACK_BILINEAR, o->frame, o->epoch, o->bilinear);
    mf_pack_hash_fingerprint(o->hash, MF_PACK_CUBIC, o->frame, o->epoch, o->cubic);
    return true;
}

static bool is_same_part(const struct elevation_part *a, const struct elevation_part *b)
{
    return a->pack == b->pack && a->crop.row == b->crop.row && a->crop.column == b->crop.column &&
           a->crop.grid.rows == b->crop.grid.rows && a->crop.grid.columns == b->crop.grid.columns;
}

/* Find the hashes of a part in the cache. @return false: not requested lately */
static bool recall(struct elevation_library *l, struct elevation_part *part)
{
    bool found = false;
    (void)pthread_mutex_lock(&l->lock);
    const size_t n = l->parts < ELEVATION_BOXES_MAX ? l->parts : ELEVATION_BOXES_MAX;
    for (size_t i = 0; i < n && !found; i++) {
        found = is_same_part(&l->part[i], part);
        if (found) {
            *part = l->part[i];
        }
    }
    (void)pthread_mutex_unlock(&l->lock);
    return found;
}

static void remember(struct elevation_library *l, const struct elevation_part *part)
{
    (void)pthread_mutex_lock(&l->lock);
    l->part[l->parts++ % ELEVATION_BOXES_MAX] = *part;
    (void)pthread_mutex_unlock(&l->lock);
}

enum elevation_found elevation_library_part(struct elevation_library *library, size_t model,
                                            const struct geoid_box *box,
                                            struct elevation_part *part)
{
    const struct geoid_offer *whole = &library->offer[model];
    *part = (struct elevation_part){
        .pack = &library->pack[model], .crop = geoid_box_whole(&whole->grid), .offer = *whole};
    if (box != NULL && !geoid_box_crop(&whole->grid, box, &part->crop)) {
        return ELEVATION_OUTSIDE;
    }
    part->offer.grid = part->crop.grid;
    const bool is_whole =
        part->crop.grid.rows == whole->grid.rows && part->crop.grid.columns == whole->grid.columns;
    if (is_whole || recall(library, part)) {
        return ELEVATION_FOUND;
    }
    if (geoid_offer_is_large(&part->offer)) {
        return ELEVATION_LARGE;
    }
    if (!hash_part(part)) {
        return ELEVATION_DAMAGED;
    }
    remember(library, part);
    return ELEVATION_FOUND;
}

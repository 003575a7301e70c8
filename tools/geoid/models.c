/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/geoid/models.h"

#include "tools/geoid/bytes.h"
#include "world/egm96.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* GCC 12 reports a leak of memory that a structure keeps and another function closes or frees. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wanalyzer-malloc-leak"
#endif

#define LIST_MAX 8192u

static const char *const k_interpolation[] = {"pack", "bilinear", "cubic"};

bool geoid_interpolation_named(const char *name, enum mf_pack_interpolation *how)
{
    *how = MF_PACK_AS_MADE;
    for (size_t i = MF_PACK_BILINEAR; name != NULL && i <= MF_PACK_CUBIC; i++) {
        if (strcmp(name, k_interpolation[i]) == 0) {
            *how = (enum mf_pack_interpolation)i;
        }
    }
    if (name != NULL && *how == MF_PACK_AS_MADE) {
        (void)fprintf(stderr, "geoid: --interp: '%s' is neither bilinear nor cubic\n", name);
        return false;
    }
    return true;
}

const char *geoid_interpolation_name(enum mf_pack_interpolation how)
{
    return k_interpolation[how];
}

/* ---- files */

/* @return all bytes of a file, from malloc, or NULL with errno */
static uint8_t *slurp(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = NULL;
    if (file == NULL) {
        return NULL;
    }
    /* a folder can be opened, but not read */
    const bool readable = getc(file) != EOF || ferror(file) == 0;
    const long end = readable && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (end >= 0) {
        rewind(file);
        *size = (size_t)end;
        bytes = malloc(*size + 1);
        if (bytes != NULL && fread(bytes, 1, *size, file) != *size) {
            free(bytes);
            bytes = NULL;
            errno = EIO;
        }
    }
    (void)fclose(file);
    return bytes;
}

bool geoid_pack_read(const char *path, struct mf_pack *pack, uint8_t **bytes)
{
    size_t size = 0;
    uint8_t *const read = slurp(path, &size);
    *bytes = NULL;
    if (read == NULL) {
        (void)fprintf(stderr, "geoid: %s: %s; make it with geoid pack\n", path, strerror(errno));
        return false;
    }
    const int result = mf_pack_open(pack, read, size);
    if (result == MF_E_OK) {
        *bytes = read;
        return true;
    }
    if (size < 4 || geoid_u32(read, false) != MF_PACK_MAGIC) {
        (void)fprintf(stderr, "geoid: %s: not a pack; make one of it with geoid pack\n", path);
    } else if (result == MF_E_NOSUPP) {
        (void)fprintf(stderr, "geoid: %s: a pack of another version; pack it again\n", path);
    } else {
        (void)fprintf(stderr, "geoid: %s: a damaged or cut off pack; pack it again\n", path);
    }
    free(read);
    return false;
}

/* ---- lists */

static bool open_file(struct geoid_models *m, const char *path, const char *name,
                      enum mf_pack_interpolation how)
{
    struct mf_pack pack;
    uint8_t **bytes = &m->bytes[m->geoid.count];
    if (!geoid_pack_read(path, &pack, bytes)) {
        return false;
    }
    if (name != NULL && strcmp(mf_pack_model(&pack), name) != 0) {
        (void)fprintf(stderr, "geoid: %s: a pack of '%s', not of '%s'\n", path,
                      mf_pack_model(&pack), name);
        return false;
    }
    if (mf_geoid_add(&m->geoid, &pack, how) != MF_E_OK) {
        (void)fprintf(stderr, "geoid: %s: a pack of terrain, not of a geoid\n", path);
        return false;
    }
    return true;
}

static bool open_item(struct geoid_models *m, char *item, enum mf_pack_interpolation how)
{
    struct mf_pack pack;
    char *colon = strchr(item, ':');
    if (m->geoid.count == MF_GEOID_LAYERS) {
        (void)fprintf(stderr, "geoid: more than %u models\n", MF_GEOID_LAYERS);
        return false;
    }
    if (strcmp(item, "egm96") == 0) {
        return mf_pack_open(&pack, mf_egm96_pack, mf_egm96_pack_size) == MF_E_OK &&
               mf_geoid_add(&m->geoid, &pack, how) == MF_E_OK;
    }
    if (access(item, F_OK) == 0) {
        return open_file(m, item, NULL, how);
    }
    if (colon != NULL) {
        *colon = '\0';
        return open_file(m, colon + 1, item, how);
    }
    (void)fprintf(
        stderr,
        "geoid: '%s' is neither a model that is built in (egm96) nor a file; MODEL:FILE is "
        "a pack of that model\n",
        item);
    return false;
}

bool geoid_models_open(struct geoid_models *models, const char *list,
                       enum mf_pack_interpolation how)
{
    char text[LIST_MAX];
    if ((size_t)snprintf(text, sizeof text, "%s", list) >= sizeof text) {
        (void)fprintf(stderr, "geoid: the list of models is too long\n");
        return false;
    }
    for (char *item = text, *rest; item != NULL; item = rest) {
        rest = strchr(item, ',');
        if (rest != NULL) {
            *rest++ = '\0';
        }
        if (!open_item(models, item, how)) {
            return false;
        }
    }
    return true;
}

void geoid_models_close(struct geoid_models *models)
{
    for (size_t i = 0; i < MF_GEOID_LAYERS; i++) {
        free(models->bytes[i]);
    }
    memset(models, 0, sizeof *models);
}

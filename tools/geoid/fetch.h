/* SPDX-License-Identifier: Apache-2.0 */
/** `geoid fetch`: a pack from an elevation service (docs/elevation.md). */
#ifndef MF_GEOID_FETCH_H
#define MF_GEOID_FETCH_H

#include "tools/geoid/box.h"
#include "tools/geoid/http.h"
#include "world/pack.h"

#include <stdio.h>

#define GEOID_FETCH_ERROR_MAX 512u

/** Paths of the contract. */
#define GEOID_FETCH_MODELS_PATH "/v1/models"
#define GEOID_FETCH_MODEL_PATH  "/v1/models/{model}{?bbox}"
#define GEOID_FETCH_RASTER_PATH "/v1/models/{model}/raster{?bbox}"

/** Arguments of a fetch: model, service, destination. */
struct geoid_fetch {
    const char *service;                                /**< its address, before the templates */
    const char *models_path, *model_path, *raster_path; /**< templates (url.h) */
    const char *model;       /**< name; NULL: the first one of the kind */
    enum mf_pack_kind kind;  /**< wanted kind if the name is NULL */
    const char *box_text;    /**< as the service is to read it; NULL: all of the model */
    struct geoid_box box;    /**< box_text, parsed */
    const char *fingerprint; /**< that it must have; NULL: any */
    const char *out;         /**< file; NULL: MODEL.pack in the present folder */
    const char *cache;       /**< folder of packs by fingerprint, made if need be; NULL: none */
    struct geoid_http http;
};

/**
 * @brief Fetch a pack. Until everything has been checked, the file that is to hold it stays as it
 *        was.
 * @param report  a line about what was done goes here
 * @return false, and why in @p error [GEOID_FETCH_ERROR_MAX]
 */
bool geoid_fetch_pack(const struct geoid_fetch *fetch, FILE *report, char *error);

#endif

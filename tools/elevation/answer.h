/* SPDX-License-Identifier: Apache-2.0 */
/** Answers of the service to requests (docs/elevation.md). */
#ifndef MF_ELEVATION_ANSWER_H
#define MF_ELEVATION_ANSWER_H

#include "tools/elevation/library.h"
#include "tools/elevation/query.h"

/** An answer: a status, and JSON or a raster. */
struct elevation_answer {
    unsigned status;
    char *text;                 /**< JSON, from malloc(); the caller frees it. NULL: a raster, or,
                                 * without a part, no memory */
    char tag[GEOID_HASH_TEXT];  /**< entity tag: a fingerprint; empty: none */
    struct elevation_part part; /**< whose raster it is, unless there is a text */
};

/** @brief Answer a request that elevation_query_end() let pass. */
void elevation_answer(struct elevation_library *library, const struct elevation_query *query,
                      struct elevation_answer *answer);

/** @brief Answer with an error. */
void elevation_answer_error(const struct web_error *error, struct elevation_answer *answer);

#endif

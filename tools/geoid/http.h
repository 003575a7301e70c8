/* SPDX-License-Identifier: Apache-2.0 */
/** Downloads over HTTP: bounded in size and time, tried again, resumed. */
#ifndef MF_GEOID_HTTP_H
#define MF_GEOID_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Settings for requests to a service. */
struct geoid_http {
    const char *header;   /**< "Name: value", sent with each request; NULL: none */
    double timeout_s;     /**< for a connection, and without progress */
    double retry_delay_s; /**< before the second attempt; twice as long before each one after it */
    int retries;          /**< attempts after the first */
    FILE *notes;          /**< where a line about each retry goes; NULL: nowhere */
};

/** Arguments and result of a download. */
struct geoid_http_request {
    const char *url;
    const char *type; /**< what the content type must be, without parameters */
    FILE *file;       /**<
                       * open for reading and writing: takes the body. With a tag, its contents are the
                       * beginning of the body; without one, they are discarded
                       */
    const char *tag;  /**<
                       * entity tag of the wanted body, without quotes: a broken download
                       * goes on only if the service still has that body. NULL: it restarts
                       */
    int64_t size_max; /**< [bytes] */
    int64_t size;     /**< [bytes] exactly; -1: not known */
};

/**
 * @brief GET. Refused connections, silence, bodies that break off, and the states 408, 429 and 5xx
 *        are tried again; redirections are followed, five at most, to http and https only.
 * @return false, and one line in @p error that says what the service did. The file then holds what
 *         came last.
 */
bool geoid_http_get(const struct geoid_http *http, const struct geoid_http_request *request,
                    char *error, size_t error_size);

#endif

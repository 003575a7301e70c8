/* SPDX-License-Identifier: Apache-2.0 */
/** Requests of the onboard software: to the weather service, and to the cloud service with its
 * certificate. */
#ifndef MF_STANDIN_REQUEST_H
#define MF_STANDIN_REQUEST_H

#include "tools/fly/client.h"

#include <jansson.h>

#define STANDIN_URL_MAX   512u
#define STANDIN_ERROR_MAX 512u

/** A service, and the connection to it, which stays open. */
struct standin_service {
    void *curl; /**< of the library */
    char url[STANDIN_URL_MAX];
    char certificate[STANDIN_URL_MAX], key[STANDIN_URL_MAX], authority[STANDIN_URL_MAX];
    char error[STANDIN_ERROR_MAX]; /**< of the last request that failed */
};

/** @brief Begin. @param folder  of tls.crt, tls.key and ca.crt; NULL: without TLS of our own
 *  @return false: no memory, or a path that is too long */
bool standin_service_open(struct standin_service *s, const char *url, const char *folder);

/** @brief Ask once. @param body  POST; NULL: GET
 *  @return a new document of an answer with status 200; NULL: s->error says why not */
json_t *standin_service_ask(struct standin_service *s, const char *path, const json_t *body);

void standin_service_close(struct standin_service *s);

/** Reports on their way: gathered, so that a fast clock does not wait for each. */
struct standin_reporter {
    struct standin_service *service;
    json_t *list;
    uint64_t sent;
    bool failed; /**< one could not be sent; then no more are */
};

/** @brief Note the position in a message of the vehicle; ignores messages without one. */
void standin_reporter_note(struct standin_reporter *r, const struct fly_message *message);

/** @brief Send what is gathered, or nothing at all: a handshake. @return false: service->error says
 *  why not */
bool standin_reporter_flush(struct standin_reporter *r);

#endif

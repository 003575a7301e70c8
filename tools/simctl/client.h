/* SPDX-License-Identifier: Apache-2.0 */
/** A client of the controller's API. */
#ifndef MF_SIMCTL_CLIENT_H
#define MF_SIMCTL_CLIENT_H

#include "tools/web/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/** Default URL of the controller; MAYFLY_CONTROLLER and --controller override it. */
#define SIMCTL_URL "http://127.0.0.1:5790"

struct simctl_client {
    const char *url;
    const char *token; /**< bearer token, or with a '/' a file that holds it; NULL: none */
    const char *ca;    /**< file of PEM; NULL: the CAs that the system trusts */
};

/** Code of an error: the controller had no place for a request as long as it was repeated. */
#define SIMCTL_TIMEOUT "timeout"

/** @brief Append a text to a path or query; bytes that mean something there become %XX. */
void simctl_append(char *path, size_t size, const char *text);

/**
 * @brief Send a request, and repeat it for at most 60 s while all places of the controller are in
 * use. The first refusal prints its reason on stderr.
 * @param path  with its query  @param body  NULL: no body; the call consumes its reference
 * @return the answer's body, a new reference; NULL: @p error has the controller's words
 */
json_t *simctl_request(const struct simctl_client *client, const char *method, const char *path,
                       json_t *body, struct web_error *error);

/** @brief A request whose answer is a text: it goes to a file. */
bool simctl_request_text(const struct simctl_client *client, const char *path, FILE *to,
                         struct web_error *error);

/** Connections that hold instances (docs/controller.md). */
struct simctl_hold;

/**
 * @brief Hold all instances that have a label, from now until simctl_hold_end(). A thread makes
 *        a broken connection again; the first break prints a line on stderr.
 * @param client  must outlive the hold  @param label  NAME=TEXT, letters, digits, '-', '_', '.'
 * @return the controller holds them; NULL: @p error says why
 */
struct simctl_hold *simctl_hold_begin(const struct simctl_client *client, const char *label,
                                      struct web_error *error);

/** @brief Let go: the controller ends what is left of them. */
void simctl_hold_end(struct simctl_hold *hold);

#endif

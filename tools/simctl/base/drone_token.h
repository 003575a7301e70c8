/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Tokens for the control APIs of instances. They are derived from the controller's key, so each
 * replica of the controller can compute them, and none stores them.
 */
#ifndef MF_SIMCTL_DRONE_TOKEN_H
#define MF_SIMCTL_DRONE_TOKEN_H

#include "tools/web/error.h"

#include <stddef.h>
#include <stdint.h>

/** Bytes of a token with its NUL: hexadecimal. */
#define SIMCTL_TOKEN_MAX 65u
/** Bytes of a key. */
#define SIMCTL_KEY_BYTES 32u

/** The controller's secret. */
struct simctl_key {
    uint8_t bytes[SIMCTL_KEY_BYTES];
};

/** @brief The key of a file; one that is not there is made, for its owner alone. Whatever the file
 *  holds is hashed, 16 bytes at least. @return false: @p error says why */
bool simctl_key_load(struct simctl_key *key, const char *path, struct web_error *error);

/** @brief A key of this process alone. */
void simctl_key_random(struct simctl_key *key);

/** @brief HMAC-SHA256 (RFC 2104) of an id, in hexadecimal. @param token  out [SIMCTL_TOKEN_MAX] */
void simctl_drone_token(const struct simctl_key *key, const char *id, char *token);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/** File of --signing-key: a key as 64 hexadecimal digits, or a passphrase, whose SHA-256 is the
 * key, as in MAVProxy and QGroundControl. One line; spaces and newlines at its end are ignored. */
#ifndef MF_HOST_SPEC_KEYFILE_H
#define MF_HOST_SPEC_KEYFILE_H

#include "hal/types.h"

#define MF_KEYFILE_KEY_BYTES 32u
#define MF_KEYFILE_TEXT_MAX  1024u

/** @brief Convert a text [n] into a key. @param key  out [MF_KEYFILE_KEY_BYTES]
 * @return MF_E_OK; MF_E_RANGE: empty, longer than MF_KEYFILE_TEXT_MAX, or all zero */
int mf_keyfile_parse(const char *text, size_t n, uint8_t *key);

/** @brief Read a file. @param reason  out [size] on error: without the file's content
 * @return MF_E_OK, MF_E_RANGE, MF_E_IO */
int mf_keyfile_read(const char *path, uint8_t *key, char *reason, size_t size);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Certificates of instances (SIM-005): the controller's CA signs one for each, valid for its
 * lifetime. Keys are elliptic (P-256); no log has them, and their memory is wiped.
 */
#ifndef MF_SIMCTL_CERTIFICATE_H
#define MF_SIMCTL_CERTIFICATE_H

#include "tools/web/error.h"

#include <jansson.h>
#include <stdint.h>

/** Names of the files that an instance finds in its Secret's volume, or in its folder. */
#define SIMCTL_CERTIFICATE_FILE "tls.crt"
#define SIMCTL_PRIVATE_KEY_FILE "tls.key"
#define SIMCTL_AUTHORITY_FILE   "ca.crt"
/** Environment variable with the folder of these files. */
#define SIMCTL_CERTIFICATES_VARIABLE "MAYFLY_CERTIFICATES"

struct simctl_ca;

/** @brief Read a CA: certificate and key in PEM. @return NULL: @p error says which is not one, or
 *  that they do not belong together */
struct simctl_ca *simctl_ca_load(const char *certificate, const char *key, struct web_error *error);

void simctl_ca_free(struct simctl_ca *ca);

/** PEM texts, owned. */
struct simctl_minted {
    char *certificate, *key, *authority;
};

/**
 * @brief Mint one, for clients and servers.
 * @param id       common name, and first of the alternative names
 * @param names    array of further DNS names, in which "{id}" stands for the id; may be NULL
 * @param until_us UTC; it is valid from a minute ago on
 * @param out      to be released by simctl_minted_free()
 */
bool simctl_certificate_mint(const struct simctl_ca *ca, const char *id, const json_t *names,
                             int64_t until_us, struct simctl_minted *out, struct web_error *error);

/** @brief Wipe and release. */
void simctl_minted_free(struct simctl_minted *m);

#endif

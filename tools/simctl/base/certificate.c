/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/certificate.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX   2048u
#define SERIAL_BITS 127
#define EARLIER_S   60 /* clocks differ */

struct simctl_ca {
    X509 *certificate;
    EVP_PKEY *key;
    char *pem; /* of the certificate */
};

/* ---- the CA */

/* Copy the contents of a memory BIO. @return a new text; NULL: out of memory */
static char *text_of(BIO *bio)
{
    char *bytes = NULL;
    const long n = bio != NULL ? BIO_get_mem_data(bio, &bytes) : 0;
    char *text = n > 0 ? malloc((size_t)n + 1) : NULL;
    if (text != NULL) {
        memcpy(text, bytes, (size_t)n);
        text[n] = '\0';
    }
    return text;
}

static char *certificate_pem(X509 *certificate)
{
    BIO *bio = BIO_new(BIO_s_mem());
    char *text = bio != NULL && PEM_write_bio_X509(bio, certificate) == 1 ? text_of(bio) : NULL;
    (void)BIO_free(bio);
    return text;
}

static char *key_pem(const EVP_PKEY *key)
{
    BIO *bio = BIO_new(BIO_s_secmem());
    char *text = bio != NULL && PEM_write_bio_PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) == 1
                     ? text_of(bio)
                     : NULL;
    (void)BIO_free(bio);
    return text;
}

static X509 *read_certificate(const char *path)
{
    FILE *file = fopen(path, "re");
    X509 *certificate = file != NULL ? PEM_read_X509(file, NULL, NULL, NULL) : NULL;
    if (file != NULL) {
        (void)fclose(file);
    }
    return certificate;
}

static EVP_PKEY *read_key(const char *path)
{
    FILE *file = fopen(path, "re");
    EVP_PKEY *key = file != NULL ? PEM_read_PrivateKey(file, NULL, NULL, NULL) : NULL;
    if (file != NULL) {
        (void)fclose(file);
    }
    return key;
}

struct simctl_ca *simctl_ca_load(const char *certificate, const char *key, struct web_error *error)
{
    struct simctl_ca *ca = calloc(1, sizeof *ca);
    if (ca == NULL) {
        (void)web_refuse(error, 500, "memory", "no memory");
        return NULL;
    }
    ca->certificate = read_certificate(certificate);
    ca->key = read_key(key);
    if (ca->certificate == NULL || ca->key == NULL) {
        (void)web_refuse(error, 422, "ca", "%.180s cannot be read, or is not PEM",
                         ca->certificate == NULL ? certificate : key);
    } else if (X509_check_private_key(ca->certificate, ca->key) != 1) {
        (void)web_refuse(error, 422, "ca", "%.110s is not the key of %.110s", key, certificate);
    } else if (X509_check_ca(ca->certificate) < 1) {
        (void)web_refuse(error, 422, "ca", "%.180s is not the certificate of a CA", certificate);
    } else {
        ca->pem = certificate_pem(ca->certificate);
    }
    if (ca->pem == NULL) {
        simctl_ca_free(ca);
        return NULL;
    }
    return ca;
}

void simctl_ca_free(struct simctl_ca *ca)
{
    if (ca != NULL) {
        X509_free(ca->certificate);
        EVP_PKEY_free(ca->key);
        free(ca->pem);
        free(ca);
    }
}

/* ---- one certificate */

/* "DNS:" and a name in which {id} has been replaced. */
static bool add_name(char *list, size_t *n, const char *name, const char *id)
{
    const char *variable = strstr(name, "{id}");
    const int before = variable != NULL ? (int)(variable - name) : (int)strlen(name);
    if (strpbrk(name, ",:\n") != NULL) {
        return false; /* would be more than a name */
    }
    *n += (size_t)snprintf(list + *n, NAMES_MAX - *n, "%sDNS:%.*s%s%s", *n > 0 ? "," : "", before,
                           name, variable != NULL ? id : "", variable != NULL ? variable + 4 : "");
    return *n < NAMES_MAX;
}

static bool add_extension(X509 *certificate, X509V3_CTX *ctx, int what, const char *value)
{
    X509_EXTENSION *extension = X509V3_EXT_nconf_nid(NULL, ctx, what, value);
    const bool good = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return good;
}

static bool set_extensions(const struct simctl_ca *ca, X509 *certificate, const char *names)
{
    X509V3_CTX ctx;
    X509V3_set_ctx_nodb(&ctx);
    X509V3_set_ctx(&ctx, ca->certificate, certificate, NULL, NULL, 0);
    return add_extension(certificate, &ctx, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(certificate, &ctx, NID_key_usage, "critical,digitalSignature") &&
           add_extension(certificate, &ctx, NID_ext_key_usage, "serverAuth,clientAuth") &&
           add_extension(certificate, &ctx, NID_subject_key_identifier, "hash") &&
           (X509_get0_subject_key_id(ca->certificate) == NULL ||
            add_extension(certificate, &ctx, NID_authority_key_identifier, "keyid")) &&
           add_extension(certificate, &ctx, NID_subject_alt_name, names);
}

static bool set_serial(X509 *certificate)
{
    BIGNUM *number = BN_new();
    const bool good = number != NULL &&
                      BN_rand(number, SERIAL_BITS, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1 &&
                      BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
    BN_free(number);
    return good;
}

static bool set_subject(X509 *certificate, const char *id)
{
    X509_NAME *name = X509_get_subject_name(certificate);
    return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, (const unsigned char *)id, -1, -1,
                                      0) == 1;
}

static X509 *sign(const struct simctl_ca *ca, EVP_PKEY *key, const char *id, const char *names,
                  int64_t until_us)
{
    const time_t until_s = (time_t)(until_us / 1000000);
    X509 *certificate = X509_new();
    const bool good =
        certificate != NULL && X509_set_version(certificate, X509_VERSION_3) == 1 &&
        set_serial(certificate) && set_subject(certificate, id) &&
        X509_set_issuer_name(certificate, X509_get_subject_name(ca->certificate)) == 1 &&
        X509_gmtime_adj(X509_getm_notBefore(certificate), -EARLIER_S) != NULL &&
        ASN1_TIME_set(X509_getm_notAfter(certificate), until_s) != NULL &&
        X509_set_pubkey(certificate, key) == 1 && set_extensions(ca, certificate, names) &&
        X509_sign(certificate, ca->key, EVP_sha256()) > 0;
    if (!good) {
        X509_free(certificate);
        return NULL;
    }
    return certificate;
}

bool simctl_certificate_mint(const struct simctl_ca *ca, const char *id, const json_t *names,
                             int64_t until_us, struct simctl_minted *out, struct web_error *error)
{
    char list[NAMES_MAX] = "";
    size_t n = 0, i;
    const json_t *name;
    bool good = add_name(list, &n, id, id);
    json_array_foreach(names, i, name)
    {
        good = good && json_is_string(name) && add_name(list, &n, json_string_value(name), id);
    }
    *out = (struct simctl_minted){0};
    if (!good) {
        return web_refuse(error, 422, "certificates",
                          "certificates.names: DNS names, %u characters in all", NAMES_MAX);
    }
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = key != NULL ? sign(ca, key, id, list, until_us) : NULL;
    if (certificate != NULL) {
        *out = (struct simctl_minted){certificate_pem(certificate), key_pem(key), strdup(ca->pem)};
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
    if (out->certificate == NULL || out->key == NULL || out->authority == NULL) {
        simctl_minted_free(out);
        return web_refuse(error, 500, "certificates", "no certificate could be made for %.60s", id);
    }
    return true;
}

void simctl_minted_free(struct simctl_minted *m)
{
    if (m->key != NULL) {
        OPENSSL_cleanse(m->key, strlen(m->key));
    }
    free(m->certificate);
    free(m->key);
    free(m->authority);
    *m = (struct simctl_minted){0};
}

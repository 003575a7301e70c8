/* SPDX-License-Identifier: Apache-2.0 */
#include "tools/simctl/base/drone_token.h"

#include "mavlink/sha256.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define BLOCK     64u
#define KEY_LEAST 16
#define FILE_MAX  4096u

void simctl_key_random(struct simctl_key *key)
{
    for (size_t n = 0; n < sizeof key->bytes;) {
        const ssize_t got = getrandom(key->bytes + n, sizeof key->bytes - n, 0);
        n += got > 0 ? (size_t)got : 0;
    }
}

static bool make_file(const char *path, struct web_error *error)
{
    struct simctl_key key;
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    simctl_key_random(&key);
    const bool good =
        fd >= 0 && write(fd, key.bytes, sizeof key.bytes) == (ssize_t)sizeof key.bytes;
    if (fd >= 0) {
        (void)close(fd);
    }
    return good || web_refuse(error, 422, "key", "%.180s: the drones' key cannot be kept", path);
}

bool simctl_key_load(struct simctl_key *key, const char *path, struct web_error *error)
{
    uint8_t bytes[FILE_MAX];
    struct mf_sha256 sha;
    if (access(path, F_OK) != 0 && !make_file(path, error)) {
        return false;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes) : -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    if (n < KEY_LEAST) {
        return web_refuse(error, 422, "key", "%.160s: a drones' key has %d bytes at least", path,
                          KEY_LEAST);
    }
    mf_sha256_init(&sha);
    mf_sha256_add(&sha, bytes, (size_t)n);
    mf_sha256_end(&sha, key->bytes);
    return true;
}

/* The hash of a block of the key, crossed with @p mask, and of a text. */
static void hash(const struct simctl_key *key, uint8_t mask, const uint8_t *text, size_t n,
                 uint8_t *digest)
{
    uint8_t block[BLOCK] = {0};
    struct mf_sha256 sha;
    memcpy(block, key->bytes, sizeof key->bytes);
    for (size_t i = 0; i < BLOCK; i++) {
        block[i] ^= mask;
    }
    mf_sha256_init(&sha);
    mf_sha256_add(&sha, block, BLOCK);
    mf_sha256_add(&sha, text, n);
    mf_sha256_end(&sha, digest);
}

void simctl_drone_token(const struct simctl_key *key, const char *id, char *token)
{
    uint8_t inner[MF_SHA256_BYTES], outer[MF_SHA256_BYTES];
    hash(key, 0x36, (const uint8_t *)id, strlen(id), inner);
    hash(key, 0x5c, inner, sizeof inner, outer);
    for (size_t i = 0; i < sizeof outer; i++) {
        (void)snprintf(token + 2 * i, 3, "%02x", outer[i]);
    }
}

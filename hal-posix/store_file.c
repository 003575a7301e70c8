/* SPDX-License-Identifier: Apache-2.0 */
/* Areas of the store as files of a folder, for boards/posix/drone.c. A file is replaced as a whole,
 * so that a power loss leaves the old or the new one. */
#include "hal-posix/store_file.h"

#include "hal-posix/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMAT_VERSION 1u

/* Header of a file: offsets of its fields [bytes]. The CRC covers everything before it, then the
 * records. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 4,
    AT_AREA = 6,
    AT_RECORD_SIZE = 8,
    AT_COUNT = 10,
    AT_TAG = 12,
    AT_CRC = 16,
    HEADER_BYTES = 20
};

static const uint8_t k_magic[4] = {'M', 'F', 'S', 'T'};

static const struct {
    const char *file, *temporary;
} k_area[MF_STORE_AREA_COUNT] = {
#define X(name, size) [MF_STORE_##name] = {#name ".mfst", #name ".mfst.new"},
    MF_STORE_AREA_LIST(X)
#undef X
};

/* Continue a CRC-32 (IEEE 802.3), which begins with 0. */
static uint32_t crc32_add(uint32_t crc, const uint8_t *bytes, size_t n)
{
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
        }
    }
    return ~crc;
}

static void put_le(uint8_t *at, uint32_t value, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static uint32_t get_le(const uint8_t *at, size_t n)
{
    uint32_t value = 0;
    for (size_t i = 0; i < n; i++) {
        value |= (uint32_t)at[i] << 8 * i;
    }
    return value;
}

static uint32_t file_crc(const uint8_t *header, const uint8_t *records, size_t n)
{
    return crc32_add(crc32_add(0, header, AT_CRC), records, n);
}

/* ---- writing */

static bool write_temporary(struct mf_store_file *store, enum mf_store_area area,
                            const uint8_t *header, const uint8_t *records, size_t n)
{
    const int fd =
        openat(store->dir_fd, k_area[area].temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
               /* signing keys are secret from other users */
               area == MF_STORE_SIGNING ? 0600 : 0666);
    if (fd < 0) {
        return false;
    }
    const bool written =
        mf_write_all(fd, header, HEADER_BYTES) && mf_write_all(fd, records, n) && fsync(fd) == 0;
    return close(fd) == 0 && written;
}

static bool save_area(struct mf_store_file *store, enum mf_store_area area, uint16_t count,
                      uint32_t tag)
{
    const uint8_t *records = store->memory.area[area].staged;
    const size_t n = count * mf_store_record_bytes(area);
    uint8_t header[HEADER_BYTES];
    memcpy(header + AT_MAGIC, k_magic, sizeof k_magic);
    put_le(header + AT_VERSION, FORMAT_VERSION, 2);
    put_le(header + AT_AREA, (uint32_t)area, 2);
    put_le(header + AT_RECORD_SIZE, (uint32_t)mf_store_record_bytes(area), 2);
    put_le(header + AT_COUNT, count, 2);
    put_le(header + AT_TAG, tag, 4);
    put_le(header + AT_CRC, file_crc(header, records, n), 4);
    if (!write_temporary(store, area, header, records, n) ||
        renameat(store->dir_fd, k_area[area].temporary, store->dir_fd, k_area[area].file) != 0) {
        (void)unlinkat(store->dir_fd, k_area[area].temporary, 0);
        return false;
    }
    /* The folder is written, so that the new name survives a power loss. If this fails, a power
     * loss brings the complete old file back. */
    (void)fsync(store->dir_fd);
    return true;
}

/* ---- reading */

__attribute__((format(printf, 3, 4))) static int refuse(char *reason, size_t size,
                                                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)vsnprintf(reason, size, format, args);
    va_end(args);
    return MF_E_IO;
}

/* Read up to @p n bytes, despite signals. @return number of bytes; -1 with errno */
static ssize_t read_all(int fd, uint8_t *bytes, size_t n)
{
    size_t total = 0;
    while (total < n) {
        const ssize_t got = read(fd, bytes + total, n - total);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return -1;
        }
        if (got == 0) {
            break;
        }
        total += (size_t)got;
    }
    return (ssize_t)total;
}

/* Check the header of a file. @return NULL, or the fault of the header */
static const char *check_header(const uint8_t *header, enum mf_store_area area, uint16_t capacity)
{
    if (memcmp(header + AT_MAGIC, k_magic, sizeof k_magic) != 0) {
        return "is not a file of Mayfly's";
    }
    if (get_le(header + AT_VERSION, 2) != FORMAT_VERSION) {
        return "is of another version of Mayfly";
    }
    if (get_le(header + AT_AREA, 2) != (uint32_t)area ||
        get_le(header + AT_RECORD_SIZE, 2) != mf_store_record_bytes(area)) {
        return "has other contents than its name says";
    }
    if (get_le(header + AT_COUNT, 2) > capacity) {
        return "holds more records than fit";
    }
    return NULL;
}

/* Load a file into the active bank. @return NULL, or the fault of the file */
static const char *load_file(struct mf_store_file *store, enum mf_store_area area, int fd)
{
    struct mf_store_area_memory *memory = &store->memory.area[area];
    uint8_t header[HEADER_BYTES];
    const ssize_t got = read_all(fd, header, sizeof header);
    if (got != (ssize_t)sizeof header) {
        return got < 0 ? strerror(errno) : "is cut short";
    }
    const char *wrong = check_header(header, area, memory->info.capacity);
    if (wrong != NULL) {
        return wrong;
    }
    const uint16_t count = (uint16_t)get_le(header + AT_COUNT, 2);
    const size_t n = count * mf_store_record_bytes(area);
    uint8_t *records = memory->active;
    uint8_t more;
    if (read_all(fd, records, n) != (ssize_t)n) {
        return "is cut short";
    }
    if (read_all(fd, &more, 1) != 0 || get_le(header + AT_CRC, 4) != file_crc(header, records, n)) {
        return "is damaged";
    }
    memory->info.count = count;
    memory->info.tag = get_le(header + AT_TAG, 4);
    return NULL;
}

static int load_area(struct mf_store_file *store, enum mf_store_area area, const char *dir,
                     char *reason, size_t size)
{
    /* left by a commit that was interrupted */
    (void)unlinkat(store->dir_fd, k_area[area].temporary, 0);
    const int fd = openat(store->dir_fd, k_area[area].file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        return MF_E_OK;
    }
    const char *wrong = fd < 0 ? strerror(errno) : load_file(store, area, fd);
    if (fd >= 0) {
        (void)close(fd);
    }
    if (wrong != NULL) {
        return refuse(reason, size, "%s/%s: %s; move it away to start without it", dir,
                      k_area[area].file, wrong);
    }
    return MF_E_OK;
}

static int open_dir(struct mf_store_file *store, const char *dir, char *reason, size_t size)
{
    store->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (store->dir_fd < 0) {
        return refuse(reason, size, "state directory %s: %s", dir, strerror(errno));
    }
    if (flock(store->dir_fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        return refuse(reason, size, "state directory %s: in use by another vehicle", dir);
    }
    if (faccessat(store->dir_fd, ".", W_OK, 0) != 0) {
        return refuse(reason, size, "state directory %s: %s", dir, strerror(errno));
    }
    return MF_E_OK;
}

int mf_store_file_init(struct mf_store_file *store, const struct mf_store_banks *banks,
                       const char *dir, char *reason, size_t reason_size)
{
    mf_store_memory_init(&store->memory, banks);
    store->dir_fd = -1;
    if (dir == NULL || dir[0] == '\0') {
        return MF_E_OK;
    }
    int result = open_dir(store, dir, reason, reason_size);
    for (size_t i = 0; i < MF_STORE_AREA_COUNT && result == MF_E_OK; i++) {
        result = load_area(store, (enum mf_store_area)i, dir, reason, reason_size);
    }
    if (result != MF_E_OK) {
        mf_store_file_close(store);
    }
    return result;
}

void mf_store_file_close(struct mf_store_file *store)
{
    if (store->dir_fd >= 0) {
        (void)close(store->dir_fd);
        store->dir_fd = -1;
    }
}

/* ---- operations: the memory's, with a commit that first writes the file */

static int store_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    return mf_store_memory_ops.info(&((struct mf_store_file *)ctx)->memory, area, info);
}

static int store_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    return mf_store_memory_ops.get(&((struct mf_store_file *)ctx)->memory, area, index, record);
}

static int store_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    return mf_store_memory_ops.put(&((struct mf_store_file *)ctx)->memory, area, index, record);
}

static int store_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    struct mf_store_file *store = ctx;
    MF_ASSERT(area < MF_STORE_AREA_COUNT && count <= store->memory.area[area].info.capacity);
    if (store->dir_fd >= 0 && !save_area(store, area, count, tag)) {
        return MF_E_IO;
    }
    return mf_store_memory_ops.commit(&store->memory, area, count, tag);
}

const struct mf_store_ops mf_store_file_ops = {store_info, store_get, store_put, store_commit};

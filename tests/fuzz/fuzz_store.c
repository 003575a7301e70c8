/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Fuzzes what a vehicle keeps, by the first byte: 'A' names of flight logs, a line each; 'F' two
 * sectors of flash memory, whose heads and checksums are put right for odd second bytes; otherwise
 * a file of an area of the store, whose checksum is put right for odd first bytes. What was loaded
 * is within its limits, and what is then committed is there after the next start.
 */
#include "hal-posix/archive_file.h"
#include "hal-posix/store_file.h"
#include "hal-stm32/store_flash.h"
#include "math/crc32.h"
#include "tests/fuzz/fuzz_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORDS        8u
#define RECORD_BYTES   32u
#define SECTOR_BYTES   512u
#define STORE_HEADER   20u
#define STORE_CRC      16u
#define LOGS           4u
#define NAME_BYTES_MAX 64u
#define NAMES_MAX      16

static char s_dir[FUZZ_PATH_BYTES];
static uint8_t s_bank[MF_STORE_AREA_COUNT][2][RECORDS * RECORD_BYTES];

static const char *file_in(const char *name)
{
    static char s_path[sizeof s_dir + 2 * NAME_BYTES_MAX];
    (void)snprintf(s_path, sizeof s_path, "%s/%s", s_dir, name);
    return s_path;
}

static void clean_up(void)
{
    (void)unlink(file_in("PARAM.mfst"));
    (void)rmdir(file_in("log"));
    (void)rmdir(s_dir);
}

static void make_dir(void)
{
    if (s_dir[0] == '\0') {
        fuzz_folder(s_dir);
        check(atexit(clean_up) == 0);
    }
}

static void make_banks(struct mf_store_banks *banks)
{
    for (unsigned i = 0; i < MF_STORE_AREA_COUNT; i++) {
        banks[i] = (struct mf_store_banks){{s_bank[i][0], s_bank[i][1]}, RECORDS};
    }
}

static void check_store(const struct mf_store_ops *ops, void *ctx)
{
    for (unsigned i = 0; i < MF_STORE_AREA_COUNT; i++) {
        struct mf_store_info info;
        uint8_t record[RECORD_BYTES];
        check(ops->info(ctx, (enum mf_store_area)i, &info) == MF_E_OK && info.count <= RECORDS);
        for (uint16_t k = 0; k < info.count; k++) {
            check(ops->get(ctx, (enum mf_store_area)i, k, record) == MF_E_OK);
        }
    }
}

/* ---- files */

static void fuzz_file(const uint8_t *data, size_t size, bool right)
{
    static struct mf_store_file s_store;
    struct mf_store_banks banks[MF_STORE_AREA_COUNT];
    uint8_t bytes[STORE_HEADER + 16u * RECORD_BYTES];
    char reason[400] = "";
    const size_t n = size < sizeof bytes ? size : sizeof bytes;
    memcpy(bytes, data, n);
    if (right && n >= STORE_HEADER) {
        static const uint8_t k_head[] = {'M', 'F', 'S', 'T', 1, 0, 0, 0, 24, 0};
        memcpy(bytes, k_head, sizeof k_head);
        uint32_t crc = mf_crc32(0, bytes, STORE_CRC);
        crc = mf_crc32(crc, bytes + STORE_HEADER, n - STORE_HEADER);
        memcpy(bytes + STORE_CRC, &crc, sizeof crc);
    }
    fuzz_write(file_in("PARAM.mfst"), bytes, n);
    make_banks(banks);
    if (mf_store_file_init(&s_store, banks, s_dir, reason, sizeof reason) != MF_E_OK) {
        check(strstr(reason, "PARAM.mfst") != NULL);
        return;
    }
    check_store(&mf_store_file_ops, &s_store);
    mf_store_file_close(&s_store);
}

/* Make an empty file of a name of a day and a log. @return false: no file can have it */
static bool make_log(char *name)
{
    char path[2 * NAME_BYTES_MAX];
    char *slash = strchr(name, '/');
    if (slash == NULL || slash == name || slash[1] == '\0' || strchr(slash + 1, '/') != NULL ||
        name[0] == '.' || strlen(name) > NAME_BYTES_MAX) {
        return false;
    }
    *slash = '\0';
    (void)snprintf(path, sizeof path, "log/%s", name);
    const bool day = mkdir(file_in(path), 0700) == 0 || errno == EEXIST;
    *slash = '/';
    (void)snprintf(path, sizeof path, "log/%s", name);
    const int fd = day ? open(file_in(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    return fd >= 0 && close(fd) == 0;
}

static void remove_log(char *name)
{
    char path[2 * NAME_BYTES_MAX];
    (void)snprintf(path, sizeof path, "log/%s", name);
    (void)unlink(file_in(path));
    *strchr(path + 4, '/') = '\0';
    (void)rmdir(file_in(path));
}

static void fuzz_archive(char *text)
{
    static struct mf_archive_file s_archive;
    struct mf_archive_info logs[LOGS], info, last = {.utc_s = -1};
    char reason[400] = "", *name[NAMES_MAX];
    size_t names = 0;
    uint8_t byte;
    check(mkdir(file_in("log"), 0700) == 0 || errno == EEXIST);
    for (size_t i = 0; i < NAMES_MAX && text != NULL; i++) {
        char *one = strsep(&text, "\n");
        if (make_log(one)) {
            name[names++] = one;
        }
    }
    check(mf_archive_file_init(&s_archive, logs, LOGS, s_dir, reason, sizeof reason) == MF_E_OK);
    const int count = mf_archive_file_ops.count(&s_archive);
    check(count >= 0 && count <= (int)LOGS);
    for (uint16_t i = 0; i < count; i++) {
        check(mf_archive_file_ops.info(&s_archive, i, &info) == MF_E_OK);
        check(info.utc_s > last.utc_s && info.size == 0);
        check(mf_archive_file_ops.read(&s_archive, i, 0, &byte, 1) == 0);
        last = info;
    }
    mf_archive_file_close(&s_archive);
    while (names > 0) {
        remove_log(name[--names]);
    }
}

/* ---- flash memory */

static uint32_t s_sector[MF_STORE_FLASH_SECTORS][SECTOR_BYTES / 4u];

static int flash_erase(void *ctx, unsigned sector)
{
    (void)ctx;
    check(sector < MF_STORE_FLASH_SECTORS);
    memset(s_sector[sector], 0xFF, SECTOR_BYTES);
    return MF_E_OK;
}

static int flash_program(void *ctx, unsigned sector, uint32_t offset, uint32_t word)
{
    (void)ctx;
    check(sector < MF_STORE_FLASH_SECTORS && offset % 4u == 0 && offset < SECTOR_BYTES);
    s_sector[sector][offset / 4u] &= word;
    return MF_E_OK;
}

static uint32_t flash_read(void *ctx, unsigned sector, uint32_t offset)
{
    (void)ctx;
    check(sector < MF_STORE_FLASH_SECTORS && offset % 4u == 0 && offset < SECTOR_BYTES);
    return s_sector[sector][offset / 4u];
}

/* Give a sector a valid head, and its entries the first word and the checksum. */
static void put_right(uint32_t *word, uint32_t sequence)
{
    const uint32_t words = SECTOR_BYTES / 4u;
    word[0] = sequence;
    word[1] = ~sequence;
    word[3] = 0x5446534Du;
    for (uint32_t at = 4; at + 4u < words;) {
        const uint32_t area = word[at] % MF_STORE_AREA_COUNT;
        const uint32_t bytes = (uint32_t)mf_store_record_bytes((enum mf_store_area)area);
        word[at] = 0x4D460000u | area << 8 | bytes;
        word[at + 1u] %= 3u + RECORDS;
        const uint32_t n = word[at + 1u] * bytes / 4u;
        if (n > words - at - 4u) {
            return;
        }
        uint32_t crc = mf_crc32(0, &word[at], 12);
        word[at + 3u] = mf_crc32(crc, &word[at + 4u], n * 4u);
        at += 4u + n;
    }
}

static void fuzz_flash(const uint8_t *data, size_t size, bool right)
{
    static const struct mf_flash_ops k_flash = {flash_erase, flash_program, flash_read};
    static struct mf_store_flash s_store;
    struct mf_store_banks banks[MF_STORE_AREA_COUNT];
    struct mf_store_info info;
    memset(s_sector, 0xFF, sizeof s_sector);
    memcpy(s_sector, data, size < sizeof s_sector ? size : sizeof s_sector);
    if (right) {
        put_right(s_sector[0], (uint32_t)size);
    }
    make_banks(banks);
    for (unsigned again = 0; again < 2u; again++) {
        check(mf_store_flash_init(&s_store, &k_flash, NULL, SECTOR_BYTES, banks) == MF_E_OK);
        check_store(&mf_store_flash_ops, &s_store);
        if (again > 0) {
            check(mf_store_flash_ops.info(&s_store, MF_STORE_RALLY, &info) == MF_E_OK);
            check(info.count == 0 && info.tag == 77);
        } else if (mf_store_flash_ops.commit(&s_store, MF_STORE_RALLY, 0, 77) != MF_E_OK) {
            return; /* the records of all areas leave no room for another entry */
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char s_text[NAMES_MAX * NAME_BYTES_MAX];
    if (size < 3 || size > sizeof s_text) {
        return 0;
    }
    make_dir();
    if (data[0] == 'A') {
        memcpy(s_text, data + 1, size - 1);
        s_text[size - 1] = '\0';
        fuzz_archive(s_text);
    } else if (data[0] == 'F') {
        fuzz_flash(data + 2, size - 2, data[1] % 2u == 1);
    } else {
        fuzz_file(data + 1, size - 1, data[0] % 2u == 1);
    }
    return 0;
}

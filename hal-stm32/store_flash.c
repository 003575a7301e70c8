/* SPDX-License-Identifier: Apache-2.0 */
#include "hal-stm32/store_flash.h"

#include "math/crc32.h"

#include <string.h>

#define WORD_BYTES   4u
#define MAGIC_SECTOR 0x5446534Du /* "MFST" */
#define MAGIC_ENTRY  0x4D460000u /* "MF", then the area and the bytes of a record */

/* Words of the header of a sector. */
enum { SECTOR_SEQUENCE, SECTOR_INVERSE, SECTOR_RESERVED, SECTOR_MAGIC, SECTOR_WORDS };
/* Words of the header of an entry. */
enum { ENTRY_WHAT, ENTRY_COUNT, ENTRY_TAG, ENTRY_CRC, ENTRY_WORDS };

#define HEADER_BYTES (SECTOR_WORDS * WORD_BYTES)
#define ENTRY_BYTES  (ENTRY_WORDS * WORD_BYTES)

/** Records that are to be written: of one area. */
struct entry {
    enum mf_store_area area;
    uint16_t count;
    uint32_t tag;
    const uint8_t *records;
};

/* ---- words */

static uint32_t word_at(const struct mf_store_flash *s, unsigned sector, uint32_t offset)
{
    return s->flash->read(s->flash_ctx, sector, offset);
}

/* Programmed, and read back. A word that is blank anyway is not programmed: it could not
 * be again. */
static int put_word(const struct mf_store_flash *s, unsigned sector, uint32_t offset, uint32_t word)
{
    if (word != MF_FLASH_BLANK &&
        s->flash->program(s->flash_ctx, sector, offset, word) != MF_E_OK) {
        return MF_E_IO;
    }
    return word_at(s, sector, offset) == word ? MF_E_OK : MF_E_IO;
}

static bool is_blank(const struct mf_store_flash *s, unsigned sector, uint32_t from)
{
    for (uint32_t at = from; at < s->sector_bytes; at += WORD_BYTES) {
        if (word_at(s, sector, at) != MF_FLASH_BLANK) {
            return false;
        }
    }
    return true;
}

static int make_blank(const struct mf_store_flash *s, unsigned sector)
{
    if (is_blank(s, sector, 0)) {
        return MF_E_OK;
    }
    const int result = s->flash->erase(s->flash_ctx, sector);
    if (result != MF_E_OK) {
        return result;
    }
    return is_blank(s, sector, 0) ? MF_E_OK : MF_E_IO;
}

/* The byte order of the chip: an image of the flash means the same everywhere. */
static void to_bytes(uint32_t word, uint8_t *bytes)
{
    for (unsigned i = 0; i < WORD_BYTES; i++) {
        bytes[i] = (uint8_t)(word >> 8u * i);
    }
}

/* Make a word of up to four bytes; missing ones are 0. */
static uint32_t to_word(const uint8_t *bytes, uint32_t n)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < n && i < WORD_BYTES; i++) {
        word |= (uint32_t)bytes[i] << 8u * i;
    }
    return word;
}

static uint32_t add_word(uint32_t crc, uint32_t word)
{
    uint8_t bytes[WORD_BYTES];
    to_bytes(word, bytes);
    return mf_crc32(crc, bytes, sizeof bytes);
}

static uint32_t padded(uint32_t bytes)
{
    return (bytes + WORD_BYTES - 1u) / WORD_BYTES * WORD_BYTES;
}

/* ---- entries */

static uint32_t records_bytes(enum mf_store_area area, uint32_t count)
{
    return count * (uint32_t)mf_store_record_bytes(area);
}

/* The first word of an entry of this area. */
static uint32_t what_of(enum mf_store_area area)
{
    return MAGIC_ENTRY | (uint32_t)area << 8 | (uint32_t)mf_store_record_bytes(area);
}

static uint32_t entry_bytes(const struct entry *e)
{
    return ENTRY_BYTES + padded(records_bytes(e->area, e->count));
}

/* @return MF_E_OK, MF_E_FULL, MF_E_IO */
static int write_entry(const struct mf_store_flash *s, unsigned sector, uint32_t at,
                       const struct entry *e)
{
    const uint32_t n = records_bytes(e->area, e->count);
    const uint32_t header[] = {what_of(e->area), e->count, e->tag};
    uint32_t crc = 0;
    MF_ASSERT(at % WORD_BYTES == 0 && at >= HEADER_BYTES);
    if (at > s->sector_bytes || entry_bytes(e) > s->sector_bytes - at) {
        return MF_E_FULL;
    }
    for (uint32_t i = 0; i < ENTRY_CRC; i++) {
        crc = add_word(crc, header[i]);
        if (put_word(s, sector, at + i * WORD_BYTES, header[i]) != MF_E_OK) {
            return MF_E_IO;
        }
    }
    for (uint32_t i = 0; i < n; i += WORD_BYTES) {
        const uint32_t word = to_word(e->records + i, n - i);
        crc = add_word(crc, word);
        if (put_word(s, sector, at + ENTRY_BYTES + i, word) != MF_E_OK) {
            return MF_E_IO;
        }
    }
    return put_word(s, sector, at + ENTRY_CRC * WORD_BYTES, crc);
}

/* Check the entry at @p at. @return its bytes, or 0: it is not complete */
static uint32_t check_entry(const struct mf_store_flash *s, unsigned sector, uint32_t at)
{
    const uint32_t what = word_at(s, sector, at);
    const uint32_t count = word_at(s, sector, at + ENTRY_COUNT * WORD_BYTES);
    if ((what & 0xFFFF0000u) != MAGIC_ENTRY || count > UINT16_MAX) {
        return 0;
    }
    const uint32_t bytes = padded(count * (what & 0xFFu));
    if (bytes > s->sector_bytes - at - ENTRY_BYTES) {
        return 0;
    }
    uint32_t crc = 0;
    for (uint32_t i = 0; i < ENTRY_CRC; i++) {
        crc = add_word(crc, word_at(s, sector, at + i * WORD_BYTES));
    }
    for (uint32_t i = 0; i < bytes; i += WORD_BYTES) {
        crc = add_word(crc, word_at(s, sector, at + ENTRY_BYTES + i));
    }
    return word_at(s, sector, at + ENTRY_CRC * WORD_BYTES) == crc ? ENTRY_BYTES + bytes : 0;
}

/* Take over a whole entry. One of an area or a record that this build does not know, or of more
 * records than fit, is passed over. */
static void load_entry(struct mf_store_flash *s, uint32_t at)
{
    const uint32_t what = word_at(s, s->sector, at);
    const uint32_t number = what >> 8 & 0xFFu;
    const uint32_t count = word_at(s, s->sector, at + ENTRY_COUNT * WORD_BYTES);
    if (number >= MF_STORE_AREA_COUNT || what != what_of((enum mf_store_area)number) ||
        count > s->memory.area[number].info.capacity) {
        return;
    }
    struct mf_store_area_memory *area = &s->memory.area[number];
    const uint32_t n = records_bytes((enum mf_store_area)number, count);
    for (uint32_t i = 0; i < n; i += WORD_BYTES) {
        uint8_t bytes[WORD_BYTES];
        to_bytes(word_at(s, s->sector, at + ENTRY_BYTES + i), bytes);
        memcpy(area->active + i, bytes, n - i < WORD_BYTES ? n - i : WORD_BYTES);
    }
    area->info.count = (uint16_t)count;
    area->info.tag = word_at(s, s->sector, at + ENTRY_TAG * WORD_BYTES);
}

/* ---- sectors */

static bool is_valid(const struct mf_store_flash *s, unsigned sector)
{
    return word_at(s, sector, SECTOR_MAGIC * WORD_BYTES) == MAGIC_SECTOR &&
           word_at(s, sector, SECTOR_SEQUENCE * WORD_BYTES) ==
               ~word_at(s, sector, SECTOR_INVERSE * WORD_BYTES);
}

static int validate(struct mf_store_flash *s, unsigned sector, uint32_t sequence)
{
    const uint32_t header[SECTOR_WORDS] = {sequence, ~sequence, 0, MAGIC_SECTOR};
    for (uint32_t i = 0; i < SECTOR_WORDS; i++) {
        if (put_word(s, sector, i * WORD_BYTES, header[i]) != MF_E_OK) {
            return MF_E_IO;
        }
    }
    s->sector = sector;
    s->sequence = sequence;
    return MF_E_OK;
}

/* The newer one of two; they are never more than one apart. @return whether one is valid */
static bool choose(struct mf_store_flash *s)
{
    const bool valid[] = {is_valid(s, 0), is_valid(s, 1)};
    const uint32_t sequence[] = {word_at(s, 0, 0), word_at(s, 1, 0)};
    const bool second = valid[1] && (!valid[0] || (int32_t)(sequence[1] - sequence[0]) > 0);
    s->sector = second ? 1u : 0u;
    s->sequence = sequence[s->sector];
    return valid[0] || valid[1];
}

/* Load the store. Nothing is appended after an incomplete entry: words there may have been
 * programmed. */
static void load(struct mf_store_flash *s)
{
    s->end = HEADER_BYTES;
    while (s->end + ENTRY_BYTES <= s->sector_bytes) {
        const uint32_t bytes = check_entry(s, s->sector, s->end);
        if (bytes == 0) {
            break;
        }
        load_entry(s, s->end);
        s->end += bytes;
    }
    if (!is_blank(s, s->sector, s->end)) {
        s->end = s->sector_bytes;
    }
}

/* Copy the active areas, with @p e instead of its area, into the other sector. */
static int move(struct mf_store_flash *s, const struct entry *e)
{
    const unsigned sector = s->sector ^ 1u;
    uint32_t at = HEADER_BYTES;
    int result = make_blank(s, sector);
    for (unsigned i = 0; i < MF_STORE_AREA_COUNT && result == MF_E_OK; i++) {
        const struct mf_store_area_memory *area = &s->memory.area[i];
        const struct entry kept = {(enum mf_store_area)i, area->info.count, area->info.tag,
                                   area->active};
        const struct entry *next = i == (unsigned)e->area ? e : &kept;
        result = write_entry(s, sector, at, next);
        at += entry_bytes(next);
    }
    if (result != MF_E_OK || validate(s, sector, s->sequence + 1u) != MF_E_OK) {
        return MF_E_IO;
    }
    s->end = at;
    return MF_E_OK;
}

static int save(struct mf_store_flash *s, const struct entry *e)
{
    const uint32_t at = s->end;
    s->end = s->sector_bytes; /* unless all of it succeeds */
    if (write_entry(s, s->sector, at, e) == MF_E_OK) {
        s->end = at + entry_bytes(e);
        return MF_E_OK;
    }
    return move(s, e);
}

int mf_store_flash_init(struct mf_store_flash *store, const struct mf_flash_ops *flash,
                        void *flash_ctx, uint32_t sector_bytes, const struct mf_store_banks *banks)
{
    MF_ASSERT(sector_bytes % WORD_BYTES == 0 && sector_bytes > HEADER_BYTES + ENTRY_BYTES);
    *store = (struct mf_store_flash){
        .flash = flash, .flash_ctx = flash_ctx, .sector_bytes = sector_bytes};
    mf_store_memory_init(&store->memory, banks);
    if (choose(store)) {
        store->persistent = true;
        load(store);
        (void)make_blank(store, store->sector ^ 1u); /* if it fails, a later commit finds it */
        return MF_E_OK;
    }
    store->end = HEADER_BYTES;
    store->persistent = make_blank(store, 0) == MF_E_OK && validate(store, 0, 1u) == MF_E_OK &&
                        make_blank(store, 1) == MF_E_OK;
    return store->persistent ? MF_E_OK : MF_E_IO;
}

/* ---- the contract: that of the memory, but for a commit */

static int store_info(void *ctx, enum mf_store_area area, struct mf_store_info *info)
{
    return mf_store_memory_ops.info(&((struct mf_store_flash *)ctx)->memory, area, info);
}

static int store_get(void *ctx, enum mf_store_area area, uint16_t index, void *record)
{
    return mf_store_memory_ops.get(&((struct mf_store_flash *)ctx)->memory, area, index, record);
}

static int store_put(void *ctx, enum mf_store_area area, uint16_t index, const void *record)
{
    return mf_store_memory_ops.put(&((struct mf_store_flash *)ctx)->memory, area, index, record);
}

static int store_commit(void *ctx, enum mf_store_area area, uint16_t count, uint32_t tag)
{
    struct mf_store_flash *store = ctx;
    MF_ASSERT(area < MF_STORE_AREA_COUNT);
    const struct mf_store_area_memory *memory = &store->memory.area[area];
    const struct entry e = {area, count, tag, memory->staged};
    if (count > memory->info.capacity || (store->persistent && save(store, &e) != MF_E_OK)) {
        return MF_E_IO;
    }
    return mf_store_memory_ops.commit(&store->memory, area, count, tag);
}

const struct mf_store_ops mf_store_flash_ops = {store_info, store_get, store_put, store_commit};

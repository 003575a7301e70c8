/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Image: parts of a process's memory as bytes, from which another process of the same program
 * continues. The parts have the same addresses in both processes, so pointers between them, and to
 * constants and functions of the program, stay valid; the board must not keep other pointers in
 * them.
 *
 * An image is a head followed by the parts. The head identifies the program and what it ran, and
 * has the places of the parts. Head and parts have sums, which detect accidents, not attacks: a
 * user trusts an image as much as the program.
 *
 * The board reads and writes the bytes, in a file or in memory.
 */
#ifndef MF_HAL_SIM_IMAGE_H
#define MF_HAL_SIM_IMAGE_H

#include "hal/types.h"

/** Version of this layout. */
#define MF_IMAGE_VERSION 2u
/** Maximum number of parts of an image: all have a place in its first bytes. */
#define MF_IMAGE_PARTS_MAX 64u

/** Part of a process's memory. */
struct mf_image_part {
    void *at; /**< address; NULL: any address and any length */
    uint64_t bytes;
};

/** Identity of an image. */
struct mf_image_key {
    uint64_t program; /**< mf_image_sum() of the program's code and constants */
    uint64_t subject; /**< mf_image_sum() of the scenario that the program ran */
};

/** The first bytes of an image, in the byte order of the machine. */
struct mf_image_head {
    uint8_t magic[8];
    uint32_t version;
    uint32_t parts;
    struct mf_image_key key;
    struct {
        uint64_t at, bytes;
    } part[MF_IMAGE_PARTS_MAX];
    uint64_t sum;      /**< sum of all parts */
    uint64_t head_sum; /**< sum of the fields above */
};

/** Write @p n bytes, or read exactly @p n bytes. @return false: failed */
typedef bool mf_image_take(void *ctx, const void *bytes, size_t n);
typedef bool mf_image_give(void *ctx, void *bytes, size_t n);

/** Reasons for refusing an image. */
#define MF_IMAGE_WHY_LIST(X)                                       \
    X(OK, "")                                                      \
    X(FOREIGN, "is not a checkpoint, or its beginning is altered") \
    X(OTHER, "is a checkpoint of another version")                 \
    X(PROGRAM, "was written by another build of this program")     \
    X(SUBJECT, "is of another scenario, seed or variation")        \
    X(LENGTH, "is cut short, or something follows its end")        \
    X(ALTERED, "is altered: its bytes have another sum")           \
    X(BROKEN, "cannot be read")

enum mf_image_why {
#define X(name, text) MF_IMAGE_##name,
    MF_IMAGE_WHY_LIST(X)
#undef X
};

/** @brief Sum of @p n bytes, continued from @p sum; 0 to begin. Inputs that differ in one word of
 * eight bytes have different sums. */
uint64_t mf_image_sum(uint64_t sum, const void *bytes, size_t n);

/**
 * @brief Write the parts of an image.
 * @param head  out: head; the caller writes it before the parts, into room that @p take has left
 * for it
 * @param part  [count]
 * @return false: @p take failed
 */
bool mf_image_write(struct mf_image_head *head, const struct mf_image_key *key,
                    const struct mf_image_part *part, uint32_t count, mf_image_take *take,
                    void *ctx);

/**
 * @brief Check if an image can be read into these parts.
 * @param size  bytes of the whole image
 * @param part  [count] parts with their addresses; out: length of those without an address
 */
enum mf_image_why mf_image_check(const struct mf_image_head *head, uint64_t size,
                                 const struct mf_image_key *key, struct mf_image_part *part,
                                 uint32_t count);

/** @brief Read the parts, after mf_image_check(). After an error their contents are undefined.
 * @param part  [count] all have an address */
enum mf_image_why mf_image_read(const struct mf_image_head *head, const struct mf_image_part *part,
                                uint32_t count, mf_image_give *give, void *ctx);

/** @brief Text of a reason. @return static */
const char *mf_image_why_text(enum mf_image_why why);

#endif

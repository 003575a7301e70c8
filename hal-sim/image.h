/* SPDX-License-Identifier: Apache-2.0 */
/**
 * An image: parts of a process's memory as bytes, from which another process of the same program
 * goes on. The parts lie at the same addresses in both, so pointers between them, and to constants
 * and functions of the program, stay good; the board sees to it that there are no others.
 *
 * An image is a head and then the parts, one behind the other. The head says which program made it,
 * of what, and where the parts lie. It and the parts have sums, which find accidents. They are no
 * signatures: an image is trusted as the program is.
 *
 * Where the bytes go to and come from is the board's: a file, or memory.
 */
#ifndef MF_HAL_SIM_IMAGE_H
#define MF_HAL_SIM_IMAGE_H

#include "hal/types.h"

/** Version of this layout. */
#define MF_IMAGE_VERSION 1u
/** Parts of one image. */
#define MF_IMAGE_PARTS_MAX 4u

/** Bytes of a process. */
struct mf_image_part {
    void *at; /**< the address; NULL: anywhere, and it may have any length */
    uint64_t bytes;
};

/** What an image is of. */
struct mf_image_key {
    uint64_t program; /**< mf_image_sum() of its code and constants */
    uint64_t subject; /**< ... of what it runs */
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
    uint64_t sum;      /**< of all parts */
    uint64_t head_sum; /**< of what is above */
};

/** Take bytes, or give as many as are asked for. @return false: it cannot */
typedef bool mf_image_take(void *ctx, const void *bytes, size_t n);
typedef bool mf_image_give(void *ctx, void *bytes, size_t n);

/** Why an image is not read. */
#define MF_IMAGE_WHY_LIST(X)                                    \
    X(OK, "")                                                   \
    X(FOREIGN, "is no checkpoint, or its beginning is altered") \
    X(OTHER, "is a checkpoint of another version")              \
    X(PROGRAM, "was written by another build of this program")  \
    X(SUBJECT, "is of another scenario, seed or variation")     \
    X(LENGTH, "is cut short, or something follows its end")     \
    X(ALTERED, "is altered: its bytes have another sum")        \
    X(BROKEN, "cannot be read")

enum mf_image_why {
#define X(name, text) MF_IMAGE_##name,
    MF_IMAGE_WHY_LIST(X)
#undef X
};

/** @brief A number of @p n bytes, continued from @p sum; 0 to begin. Bytes that differ in one word
 * of eight bytes have another one. */
uint64_t mf_image_sum(uint64_t sum, const void *bytes, size_t n);

/**
 * @brief Write an image.
 * @param head  out: the head, which is to be written before the parts, in the room that @p take has
 *              left for it
 * @param part  [count]
 * @return false: @p take took not all
 */
bool mf_image_write(struct mf_image_head *head, const struct mf_image_key *key,
                    const struct mf_image_part *part, uint32_t count, mf_image_take *take,
                    void *ctx);

/**
 * @brief May this image be read into these parts?
 * @param size  of the whole image
 * @param part  [count] where they lie; the length of those that may lie anywhere is filled in
 */
enum mf_image_why mf_image_check(const struct mf_image_head *head, uint64_t size,
                                 const struct mf_image_key *key, struct mf_image_part *part,
                                 uint32_t count);

/** @brief Read the parts, after mf_image_check(). On an error they hold anything.
 *  @param part  [count] all have an address */
enum mf_image_why mf_image_read(const struct mf_image_head *head, const struct mf_image_part *part,
                                uint32_t count, mf_image_give *give, void *ctx);

/** @brief A reason as text. @return static */
const char *mf_image_why_text(enum mf_image_why why);

#endif

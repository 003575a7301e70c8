/* SPDX-License-Identifier: Apache-2.0 */
/**
 * All readers of text from outside behind one call, and texts that cost a careless reader much: for
 * a test that each is refused or read, and for the figure of how long that takes.
 */
#ifndef MF_TESTS_READERS_H
#define MF_TESTS_READERS_H

#include <stdbool.h>
#include <stddef.h>

/** Bytes of a hostile text, without its NUL. */
#define MF_HOSTILE_BYTES    65536u
#define MF_READER_ERROR_MAX 800u

struct mf_reader {
    const char *name;
    /** A text nests in it: 33 lists are refused. */
    bool nests;
    /** @param text  [n] and a NUL  @param error  out [MF_READER_ERROR_MAX], one line
     *  @return false: the text is refused with @p error */
    bool (*read)(const char *text, size_t n, char *error);
};

extern const struct mf_reader mf_readers[];
extern const size_t mf_reader_count;

/** @brief Number of hostile texts. */
size_t mf_hostile_count(void);

/** @brief Make one. @param text  out [MF_HOSTILE_BYTES + 1]  @return its name, for messages */
const char *mf_hostile_text(size_t i, char *text);

#endif

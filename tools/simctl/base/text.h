/* SPDX-License-Identifier: Apache-2.0 */
/** A text that grows as it comes: a sink (backend.h) of logs and recordings. */
#ifndef MF_SIMCTL_TEXT_H
#define MF_SIMCTL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/** Longest one [bytes]: a kubelet keeps 10 MiB of a log. */
#define SIMCTL_TEXT_MAX (32u << 20)

struct simctl_text {
    char *bytes; /**< the owner's to free(); NULL: nothing came */
    size_t len, cap;
};

/**
 * @brief Append. @param ctx  struct simctl_text
 * @return false: longer than SIMCTL_TEXT_MAX, or out of memory; the text stays as it was
 */
bool simctl_text_add(void *ctx, const char *bytes, size_t n);

#endif

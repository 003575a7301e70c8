/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MF_WEB_UNESCAPE_H
#define MF_WEB_UNESCAPE_H

#include <stddef.h>

/** @brief Percent-decoding in place. %00 stays as it is written: a text that it ended would be
 *  another one. @return the length of the result */
size_t web_unescape(char *text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the connection to the time server open when a program closes or replaces descriptors in
 * bulk; close() is in descriptors.c. */
#include "tools/virtual-time/vt.h"

#include <fcntl.h>
#include <unistd.h>

/* The program gets the number that it wants, and the connection another one. */
VT_EXPORT int dup3(int from, int to, int flags)
{
    if (vt_is_server(to) && from != to) {
        vt_move_server();
    }
    return (int)vt_result(vt_raw(SYS_dup3, from, to, flags));
}

VT_EXPORT int dup2(int from, int to)
{
    return from == to ? (int)vt_result(vt_raw(SYS_fcntl, from, F_GETFD)) < 0 ? -1 : to
                      : dup3(from, to, 0);
}

VT_EXPORT void closefrom(int first)
{
    (void)close_range(first > 0 ? (unsigned)first : 0u, ~0u, 0);
}

VT_EXPORT int close_range(unsigned first, unsigned last, int flags)
{
    unsigned kept = first;
    while (kept <= last && kept < 4096 && !vt_is_server((int)kept)) {
        kept++;
    }
    if (kept > last || kept == 4096) {
        return (int)vt_result(vt_raw(SYS_close_range, first, last, flags));
    }
    if (kept > first) {
        (void)vt_raw(SYS_close_range, first, kept - 1, flags);
    }
    return kept < last ? (int)vt_result(vt_raw(SYS_close_range, kept + 1, last, flags)) : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/** Versions: Mayfly's own, and that of PX4 whose behaviour it has. */
#ifndef MF_FIRMWARE_VERSION_H
#define MF_FIRMWARE_VERSION_H

#define MF_VERSION_MAJOR 0
#define MF_VERSION_MINOR 2
#define MF_VERSION_PATCH 0

/* A number as text. */
#define MF_VERSION_QUOTE(n) #n
#define MF_VERSION_DIGIT(n) MF_VERSION_QUOTE(n)
#define MF_VERSION_DOTTED(major, minor, patch) \
    MF_VERSION_DIGIT(major) "." MF_VERSION_DIGIT(minor) "." MF_VERSION_DIGIT(patch)
#define MF_VERSION MF_VERSION_DOTTED(MF_VERSION_MAJOR, MF_VERSION_MINOR, MF_VERSION_PATCH)

/** PX4 1.17.0, official, as MAVLink and ULog write versions. */
#define MF_PX4_RELEASE      0x011100FFu
#define MF_PX4_RELEASE_TEXT "1.17.0"

#endif

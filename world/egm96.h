/* SPDX-License-Identifier: Apache-2.0 */
/** EGM96 on its grid of 15', as a pack in the program, which the build makes from PROJ's grid. */
#ifndef MF_WORLD_EGM96_H
#define MF_WORLD_EGM96_H

#include <stddef.h>
#include <stdint.h>

extern const uint8_t mf_egm96_pack[];
extern const size_t mf_egm96_pack_size;

#endif

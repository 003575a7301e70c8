/* SPDX-License-Identifier: Apache-2.0 */
/** Writers of the generated world's files. */
#ifndef MF_GENERATE_WRITE_H
#define MF_GENERATE_WRITE_H

#include "tools/generate/rock.h"

#include <stdio.h>

/** @brief Faces between what is free and what is not, as binary STL: closed; x north, y east, z up
 *  from the lowest slab's foot. @return triangles */
uint32_t write_stl(const struct rock *r, FILE *to);

/** @brief Levels seen from above, the lowest one first; shafts up and down are marked. */
void write_svg(const struct rock *r, FILE *to);

#endif

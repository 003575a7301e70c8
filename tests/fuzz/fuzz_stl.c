/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as an STL file: refused, or a closed mesh of finite triangles that rays may meet. */
#include "tests/fuzz/fuzz.h"
#include "world/space.h"
#include "world/space_mesh.h"

#define MOST 64u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct mf_triangle s_triangle[MOST];
    static double s_memory[MOST * 32u];
    uint32_t count = 0;
    const enum mf_mesh_error error = mf_mesh_read_stl(data, size, s_triangle, MOST, &count);
    check(error < MF_MESH_ERRORS && mf_mesh_text(error) != NULL);
    check(error != MF_MESH_FULL || mf_mesh_stl_most(size) > MOST);
    if (error != MF_MESH_OK) {
        return 0;
    }
    check(count > 0 && count <= MOST && count <= mf_mesh_stl_most(size));
    struct mf_space space;
    struct mf_ray_hit hit;
    struct mf_contact contact;
    const double from[3] = {-7.0, 0.3, 0.2}, toward[3] = {1.0, 0.0, 0.0};
    const struct mf_ball ball = {{-7.0, 0.3, 0.2}, {100.0, 3.0, 1.0}, 0.25};
    check(mf_space_bytes(MOST) <= sizeof s_memory);
    mf_space_init(&space, MOST, s_memory);
    check(mf_space_add_triangles(&space, 1, s_triangle, count) == MF_E_OK);
    mf_space_build(&space);
    check(!mf_space_ray(&space, from, toward, 1e3, &hit) ||
          (hit.id == 1 && hit.distance_m >= 0.0 && hit.distance_m <= 1e3));
    check(!mf_space_meet(&space, &ball, 1000000, &contact) ||
          (contact.with == 1 && contact.after_us >= 0 && contact.after_us <= 1000000));
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Prints the compiled message table for check_messages_json.py:
 *
 *     message <id> <name> <crc_extra> <len_min> <len_max>
 *     field <type> <name> <count> <1 if an extension>
 */
#include <stdio.h>

#include "mavlink/names.h"

static void print_field(const struct mf_msg_info *info, size_t i)
{
    const struct mf_field *field = &mf_fields()[info->field_first + i];
    printf("field %s %s %d %d\n", mf_wire_type_name((enum mf_wire_type)field->type),
           mf_field_name(info, i), field->count, mf_field_is_extension(info, i));
}

int main(void)
{
    size_t count;
    const struct mf_msg_info *table = mf_msg_table(&count);
    for (const struct mf_msg_info *info = table; info < table + count; info++) {
        printf("message %lu %s %d %d %d\n", (unsigned long)info->id, mf_msg_name(info->id),
               info->crc_extra, info->len_min, info->len_max);
        for (size_t i = 0; i < info->field_count; i++) {
            print_field(info, i);
        }
    }
    return 0;
}

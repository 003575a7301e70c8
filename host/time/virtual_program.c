/* SPDX-License-Identifier: Apache-2.0 */
/* Programs in virtual time: whether a program can follow it, for boards/posix and the tools that
 * start commands. */
#include "host/time/virtual_program.h"

#include "host/time/virtual_message.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Maximum number of scripts whose interpreter is a script, as in the kernel. */
#define DEPTH_MAX 5
#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#elif defined(__riscv)
#define MACHINE EM_RISCV
#else
#define MACHINE EM_NONE
#endif

bool mf_virtual_find(const char *name, char *path)
{
    const char *from = getenv("PATH");
    if (strchr(name, '/') != NULL) {
        (void)snprintf(path, PATH_MAX, "%s", name);
        return true;
    }
    for (from = from != NULL ? from : "/bin:/usr/bin"; from != NULL && *name != '\0';) {
        const size_t n = strcspn(from, ":");
        (void)snprintf(path, PATH_MAX, "%.*s/%s", (int)(n > 0 ? n : 1), n > 0 ? from : ".", name);
        if (access(path, X_OK) == 0) {
            return true;
        }
        from = from[n] == ':' ? from + n + 1 : NULL;
    }
    return false;
}

/* Find the interpreter of a dynamic program. @return false: the program is static */
static bool find_interpreter(int fd, const Elf64_Ehdr *elf, char *text, size_t size)
{
    for (unsigned i = 0; i < elf->e_phnum; i++) {
        Elf64_Phdr part;
        const off_t at = (off_t)(elf->e_phoff + (Elf64_Off)i * elf->e_phentsize);
        if (pread(fd, &part, sizeof part, at) != (ssize_t)sizeof part) {
            return false;
        }
        if (part.p_type == PT_INTERP) {
            const size_t n = part.p_filesz < size - 1 ? (size_t)part.p_filesz : size - 1;
            const ssize_t got = pread(fd, text, n, (off_t)part.p_offset);
            text[got > 0 ? got : 0] = '\0';
            return got > 0;
        }
    }
    return false;
}

/* True if an ELF file has a section of this name: programs keep them when they are stripped. */
static bool has_section(int fd, const Elf64_Ehdr *elf, const char *name)
{
    char names[4096]; /* of about 30 sections */
    Elf64_Shdr text;
    const off_t at = (off_t)(elf->e_shoff + (Elf64_Off)elf->e_shstrndx * elf->e_shentsize);
    if (elf->e_shoff == 0 || pread(fd, &text, sizeof text, at) != (ssize_t)sizeof text) {
        return false;
    }
    const size_t size = text.sh_size < sizeof names ? (size_t)text.sh_size : sizeof names;
    const ssize_t n = pread(fd, names, size, (off_t)text.sh_offset);
    return n > 0 && memmem(names, (size_t)n, name, strlen(name) + 1) != NULL;
}

/* True for programs in Go: all linkers of Go write this section, by which Go recognizes its
 * programs. */
static bool is_go(int fd, const Elf64_Ehdr *elf)
{
    return has_section(fd, elf, ".go.buildinfo");
}

bool mf_virtual_is_go(const char *path)
{
    Elf64_Ehdr elf;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool is = fd >= 0 && pread(fd, &elf, sizeof elf, 0) == (ssize_t)sizeof elf &&
                    memcmp(elf.e_ident, ELFMAG, SELFMAG) == 0 && is_go(fd, &elf);
    if (fd >= 0) {
        (void)close(fd);
    }
    return is;
}

/* Find the reason why an ELF program loads no library. @return NULL: it loads libraries */
static const char *elf_refusal(int fd, const Elf64_Ehdr *elf)
{
    char text[256]; /* may be cut; the path of a C library's loader is shorter */
    if (elf->e_ident[EI_CLASS] != ELFCLASS64 || elf->e_machine != MACHINE) {
        return "it is a program for another processor";
    }
    if (!find_interpreter(fd, elf, text, sizeof text)) {
        return "it is linked statically, as programs in Go and mavsdk_server are, so no library "
               "can be loaded into it";
    }
    if (strstr(text, "ld-linux") == NULL) {
        return "its C library is not glibc";
    }
    return is_go(fd, elf) ? MF_VIRTUAL_IS_GO : NULL;
}

/* Find the reason why the program of a file ignores LD_PRELOAD. @return NULL: it does not */
static const char *privilege_refusal(int fd)
{
    struct stat about;
    if (fstat(fd, &about) != 0) {
        return NULL;
    }
    if (((about.st_mode & S_ISUID) != 0 && about.st_uid != geteuid()) ||
        ((about.st_mode & S_ISGID) != 0 && about.st_gid != getegid())) {
        return "it is setuid or setgid, and such programs load no foreign library";
    }
    return getuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0
               ? "its file has capabilities, and such programs load no foreign library"
               : NULL;
}

/* Find the interpreter of a script, such as in "#! /bin/sh -e". @return a part of the text; NULL:
 * it is not a script */
static char *script_interpreter(char *text)
{
    if (text[0] != '#' || text[1] != '!') {
        return NULL;
    }
    char *at = text + 2 + strspn(text + 2, " \t");
    at[strcspn(at, " \t\n")] = '\0';
    return *at != '\0' ? at : NULL;
}

/* Find the reason why a program, or the interpreter of a script, cannot follow virtual time.
 * @param path  [PATH_MAX] in: the program; out: the file that cannot @return NULL: it can */
static const char *find_refusal(char *path)
{
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
        union {
            Elf64_Ehdr elf;
            char text[256];
        } head = {.text = ""};
        const int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) {
            return NULL;
        }
        const ssize_t n = pread(fd, &head, sizeof head - 1, 0);
        const bool elf =
            n >= (ssize_t)sizeof head.elf && memcmp(head.elf.e_ident, ELFMAG, SELFMAG) == 0;
        const char *why = privilege_refusal(fd);
        why = why == NULL && elf ? elf_refusal(fd, &head.elf) : why;
        (void)close(fd);
        const char *by = elf ? NULL : script_interpreter(head.text);
        if (why != NULL || by == NULL) {
            return why;
        }
        (void)snprintf(path, PATH_MAX, "%s", by);
    }
    return NULL;
}

bool mf_virtual_can_follow(const char *path, char *reason)
{
    char file[PATH_MAX];
    (void)snprintf(file, sizeof file, "%s", path);
    const char *why = find_refusal(file);
    if (why != NULL) {
        (void)snprintf(reason, MF_VIRTUAL_REASON_MAX, "%.200s cannot follow virtual time: %s", file,
                       why);
    }
    return why == NULL;
}

/* ---- processes */

/* True if a process has mapped the C library, but not this library. The loader maps preloaded
 * libraries first. */
static bool has_passed_over(int32_t pid)
{
    char text[4096], path[32];
    size_t kept = 0;
    bool libc = false, ours = false;
    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    for (ssize_t n; fd >= 0 && (n = read(fd, text + kept, sizeof text - 1 - kept)) > 0;) {
        const size_t size = kept + (size_t)n;
        text[size] = '\0';
        libc = libc || strstr(text, "/libc.so.") != NULL || strstr(text, "/libc-2.") != NULL;
        ours = ours || strstr(text, "/" MF_VIRTUAL_LIBRARY) != NULL;
        /* for a name that the end of the buffer cut */
        kept = size < sizeof MF_VIRTUAL_LIBRARY ? size : sizeof MF_VIRTUAL_LIBRARY;
        memmove(text, text + size - kept, kept);
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return libc && !ours;
}

bool mf_virtual_can_join(int32_t pid, char *reason)
{
    char link[PATH_MAX], file[PATH_MAX], self[PATH_MAX];
    (void)snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
    const ssize_t n = readlink(link, file, sizeof file - 1);
    const ssize_t own = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0 || (n == own && memcmp(file, self, (size_t)n) == 0)) {
        return true; /* it has ended, or has not become the program yet */
    }
    file[n] = '\0';
    /* the path itself may name another file in another container */
    const char *why = find_refusal(link);
    /* twice, in case the process maps them at this moment */
    if (why == NULL && has_passed_over(pid) && has_passed_over(pid)) {
        why = MF_VIRTUAL_NOT_LOADED;
    }
    if (why != NULL) {
        (void)snprintf(reason, MF_VIRTUAL_REASON_MAX, "'%.200s' did not join virtual time: %s",
                       file, why);
    }
    return why == NULL;
}

bool mf_virtual_library(const char *program, char *path)
{
    static const char *const k_places[] = {"", "../lib/mayfly/"};
    const char *slash = strrchr(program, '/');
    const int n = slash != NULL ? (int)(slash - program) + 1 : 0;
    for (size_t i = 0; i < sizeof k_places / sizeof k_places[0]; i++) {
        (void)snprintf(path, PATH_MAX, "%.*s%s" MF_VIRTUAL_LIBRARY, n, program, k_places[i]);
        if (access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

// SPDX-License-Identifier: Apache-2.0
// Core files of a process whose kernel met a fault, as CUDA's variables ask for them (docs/debugging.md): ELF core files like the
// system's own, so that any debugger opens them, with the thread that met the fault first and the threads of blocks that wait
// behind it. They hold heddle_debug (state.h), from which cuda-gdb tells kernel, block and thread.
//
// All of it runs in a signal handler, while other threads go on. So a child, which is a snapshot, writes the file, by
// calls of the system alone. What is in files and cannot have changed is left out, as the system does; the lightweight form leaves out
// device memory too.
#include "base/log.h"
#include "device/debug/state.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <asm/prctl.h>
#endif

enum { MAPS_MAX = 16384, THREADS_MAX = 1024, TEXT_BYTES = 4 << 20, NOTE_NAME = 8, COPY = 1 << 16 };

static struct {
    bool wanted, light, aborts;
    char name[PATH_MAX];
    char host[65];
} asked;

bool core_wanted(void)
{
    return asked.wanted;
}

static bool is_set(const char *name)
{
    const char *v = secure_getenv(name);
    return v && strcmp(v, "0") && *v;
}

void core_prepare(void)
{
    const char *name = secure_getenv("CUDA_COREDUMP_FILE"), *flags = secure_getenv("CUDA_COREDUMP_GENERATION_FLAGS");
    const char *host = secure_getenv("CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION");
    asked.wanted = is_set("CUDA_ENABLE_COREDUMP_ON_EXCEPTION");
    asked.light = is_set("CUDA_ENABLE_LIGHTWEIGHT_COREDUMP") || (flags && strstr(flags, "skip_global_memory"));
    asked.aborts = !(host && !strcmp(host, "0")) && !(flags && strstr(flags, "skip_abort"));
    if (gethostname(asked.host, sizeof asked.host - 1))
        strcpy(asked.host, "host");
    strncpy(asked.name, name && *name ? name : "core_%t_%h_%p.nvcudmp", sizeof asked.name - 1);
}

// ---- the file's name: %p process, %h host, %t seconds since 1970

static size_t add_number(char *to, size_t at, size_t size, uint64_t v)
{
    char digits[24];
    unsigned n = 0;
    do
        digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    while (n && at + 1 < size)
        to[at++] = digits[--n];
    return at;
}

static void name_expand(char *to, size_t size)
{
    size_t n = 0;
    for (const char *p = asked.name; *p && n + 1 < size; p++) {
        if (*p != '%' || !p[1]) {
            to[n++] = *p;
            continue;
        }
        p++;
        if (*p == 'p')
            n = add_number(to, n, size, (uint64_t)getpid());
        else if (*p == 't')
            n = add_number(to, n, size, (uint64_t)time(NULL));
        else if (*p == 'h')
            for (const char *h = asked.host; *h && n + 1 < size; h++)
                to[n++] = *h;
        else
            to[n++] = *p;
    }
    to[n] = 0;
}

// ---- the process's memory

struct map {
    uint64_t start, end, offset;
    const char *path; // of what is mapped; "": no file
    uint32_t flags;   // PF_
    bool kept;        // its contents go into the file
};

struct core {
    int fd, memory;
    struct map *maps;
    unsigned nmaps;
    char *text; // of /proc/self/maps
    const ucontext_t *context;
    struct {
        const ucontext_t *context;
        uint32_t tid;
    } threads[THREADS_MAX];
    unsigned nthreads;
    char note[1 << 20];
    size_t note_size;
};

static uint64_t read_hex(const char **p)
{
    uint64_t v = 0;
    for (;; (*p)++) {
        unsigned char c = (unsigned char)**p;
        unsigned d = c >= '0' && c <= '9' ? c - '0' + 0u : c >= 'a' && c <= 'f' ? c - 'a' + 10u : 16;
        if (d > 15)
            return v;
        v = v << 4 | d;
    }
}

// start-end rwxp offset dev inode path
static void map_read(struct core *c, char *line)
{
    const char *p = line;
    struct map *m = &c->maps[c->nmaps];
    *m = (struct map){.path = ""};
    m->start = read_hex(&p);
    p++;
    m->end = read_hex(&p);
    const char *mode = ++p;
    bool readable = mode[0] == 'r', writable = mode[1] == 'w', file;
    m->flags = (readable ? PF_R : 0) | (writable ? PF_W : 0) | (mode[2] == 'x' ? PF_X : 0);
    p += 5;
    m->offset = read_hex(&p);
    const char *slash = strchr(p, '/'), *bracket = strchr(p, '[');
    file = slash && !strstr(p, " (deleted)") && !strstr(p, "/memfd:") && !strstr(p, "/dev/");
    m->path = file ? slash : "";
    struct memory_range r;
    bool device = asked.light && memory_nearest((const void *)(uintptr_t)m->start, &r) &&
                  (uint64_t)(uintptr_t)r.base < m->end && (uint64_t)(uintptr_t)r.base + r.size > m->start;
    bool kernels = bracket && (!strncmp(bracket, "[vvar", 5) || !strncmp(bracket, "[vsys", 5));
    m->kept = readable && !(file && !writable) && !kernels && !device;
    c->nmaps++;
}

static bool maps_read(struct core *c)
{
    size_t n = 0;
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    for (ssize_t got; fd >= 0 && n < TEXT_BYTES - 1 && (got = read(fd, c->text + n, TEXT_BYTES - 1 - n)) > 0;)
        n += (size_t)got;
    if (fd >= 0)
        close(fd);
    c->text[n] = 0;
    for (char *p = c->text, *end; (end = strchr(p, '\n')) && c->nmaps < MAPS_MAX; p = end + 1) {
        *end = 0;
        map_read(c, p);
    }
    return c->nmaps;
}

// Pages of a file that the process has changed and then protected, as the loader does: they are its own by now.
static bool is_changed(const struct map *m, int pagemap)
{
    enum { PAGE = 4096, WORDS = 512 };
    const uint64_t present = 1ull << 63, swapped = 1ull << 62, of_file = 1ull << 61;
    uint64_t word[WORDS];
    for (uint64_t at = m->start / PAGE, end = m->end / PAGE; at < end; at += WORDS) {
        uint64_t want = end - at < WORDS ? end - at : WORDS;
        ssize_t n = pread(pagemap, word, want * sizeof *word, (off_t)(at * sizeof *word));
        for (ssize_t i = 0; i < n / (ssize_t)sizeof *word; i++)
            if (word[i] & (present | swapped) && !(word[i] & of_file))
                return true;
    }
    return false;
}

static void maps_look(struct core *c)
{
    int pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    for (unsigned i = 0; pagemap >= 0 && i < c->nmaps; i++)
        if (*c->maps[i].path && c->maps[i].flags == PF_R && !c->maps[i].kept)
            c->maps[i].kept = is_changed(&c->maps[i], pagemap);
    if (pagemap >= 0)
        close(pagemap);
}

// ---- notes

static void note_add(struct core *c, uint32_t type, const void *data, size_t size)
{
    Elf64_Nhdr h = {5, (uint32_t)size, type};
    size_t padded = (size + 3) & ~(size_t)3;
    if (c->note_size + sizeof h + NOTE_NAME + padded > sizeof c->note)
        return;
    char *to = c->note + c->note_size;
    memcpy(to, &h, sizeof h);
    memcpy(to + sizeof h, "CORE\0\0\0", NOTE_NAME);
    memcpy(to + sizeof h + NOTE_NAME, data, size);
    memset(to + sizeof h + NOTE_NAME + size, 0, padded - size);
    c->note_size += sizeof h + NOTE_NAME + padded;
}

static void registers_read(const ucontext_t *u, elf_gregset_t to)
{
#if defined(__x86_64__)
    static const signed char from[] = {REG_R15, REG_R14, REG_R13, REG_R12, REG_RBP, REG_RBX, REG_R11, REG_R10, REG_R9,
                                       REG_R8,  REG_RAX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, -1,      REG_RIP, -2,
                                       REG_EFL, REG_RSP, -3,      -4,      -5,      -1,      -1,      -1,      -1};
    unsigned long fs = 0, gs = 0;
    syscall(SYS_arch_prctl, ARCH_GET_FS, &fs);
    syscall(SYS_arch_prctl, ARCH_GET_GS, &gs);
    const unsigned long fixed[] = {0, 0x33, 0x2b, fs, gs}; // orig_rax and others, cs, ss
    for (unsigned i = 0; i < sizeof from; i++)
        to[i] = from[i] >= 0 ? (unsigned long)u->uc_mcontext.gregs[(int)from[i]] : fixed[-1 - from[i]];
#else
    for (unsigned i = 0; i < 31; i++)
        to[i] = u->uc_mcontext.regs[i];
    to[31] = u->uc_mcontext.sp;
    to[32] = u->uc_mcontext.pc;
    to[33] = u->uc_mcontext.pstate;
#endif
}

static void thread_add(struct core *c, const ucontext_t *u, uint32_t tid, bool first)
{
    struct elf_prstatus s;
    memset(&s, 0, sizeof s);
    s.pr_pid = (pid_t)tid;
    s.pr_info.si_signo = s.pr_cursig = first ? SIGTRAP : 0;
    registers_read(u, s.pr_reg);
    note_add(c, NT_PRSTATUS, &s, sizeof s);
    if (!first)
        return;
    struct elf_prpsinfo p;
    memset(&p, 0, sizeof p);
    p.pr_pid = getppid();
    p.pr_sname = 'R';
    int fd = open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, p.pr_fname, sizeof p.pr_fname - 1) : 0;
    if (n > 0)
        p.pr_fname[n - 1] = 0;
    memcpy(p.pr_psargs, p.pr_fname, sizeof p.pr_fname);
    if (fd >= 0)
        close(fd);
    note_add(c, NT_PRPSINFO, &p, sizeof p);
}

static void notes_file(struct core *c)
{
    static char room[512 << 10];
    uint64_t head[2] = {0, 4096};
    size_t at = sizeof head, names;
    for (unsigned i = 0; i < c->nmaps; i++)
        head[0] += *c->maps[i].path != 0;
    names = at + head[0] * 24;
    memcpy(room, head, sizeof head);
    for (unsigned i = 0; i < c->nmaps; i++) {
        const struct map *m = &c->maps[i];
        size_t n = strlen(m->path) + 1;
        uint64_t row[3] = {m->start, m->end, m->offset / 4096};
        if (n == 1)
            continue;
        if (names + n > sizeof room)
            return;
        memcpy(room + at, row, sizeof row);
        memcpy(room + names, m->path, n);
        at += sizeof row;
        names += n;
    }
    note_add(c, NT_FILE, room, names);
}

static void notes_make(struct core *c, uint32_t tid)
{
    char auxv[4096];
    thread_add(c, c->context, tid, true);
    int fd = open("/proc/self/auxv", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, auxv, sizeof auxv) : 0;
    if (fd >= 0)
        close(fd);
    if (n > 0)
        note_add(c, NT_AUXV, auxv, (size_t)n);
    notes_file(c);
    for (unsigned i = 0; i < c->nthreads; i++)
        thread_add(c, c->threads[i].context, c->threads[i].tid, false);
}

// ---- the file

static bool put(struct core *c, const void *data, size_t size)
{
    const char *p = data;
    for (ssize_t n; size; p += n, size -= (size_t)n) {
        n = write(c->fd, p, size);
        if (n < 0 && errno == EINTR)
            n = 0;
        else if (n <= 0)
            return false;
    }
    return true;
}

static bool is_zero(const char *p, size_t size)
{
    uint64_t any = 0, word;
    for (size_t i = 0; i + sizeof word <= size && !any; i += sizeof word) {
        memcpy(&word, p + i, sizeof word);
        any |= word;
    }
    return !any;
}

// Most of a stack or a heap has never been touched: of that the file has a hole.
static bool put_page(struct core *c, const char *data, size_t size)
{
    return is_zero(data, size) ? lseek(c->fd, (off_t)size, SEEK_CUR) >= 0 : put(c, data, size);
}

static bool put_map(struct core *c, const struct map *m)
{
    static char room[COPY];
    for (uint64_t at = m->start; at < m->end;) {
        size_t want = m->end - at < COPY ? (size_t)(m->end - at) : COPY;
        ssize_t n = pread(c->memory, room, want, (off_t)at);
        if (n <= 0) { // a page that is not there
            n = (ssize_t)(want < 4096 ? want : 4096);
            memset(room, 0, (size_t)n);
        }
        for (size_t i = 0; i < (size_t)n; i += 4096)
            if (!put_page(c, room + i, (size_t)n - i < 4096 ? (size_t)n - i : 4096))
                return false;
        at += (uint64_t)n;
    }
    return true;
}

static bool file_write(struct core *c)
{
    uint64_t head = sizeof(Elf64_Ehdr) + (uint64_t)(c->nmaps + 1) * sizeof(Elf64_Phdr);
    uint64_t at = (head + c->note_size + 4095) & ~(uint64_t)4095;
    static const char zeros[4096];
    Elf64_Ehdr e = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                    .e_type = ET_CORE,
                    .e_version = EV_CURRENT,
                    .e_phoff = sizeof e,
                    .e_ehsize = sizeof e,
                    .e_phentsize = sizeof(Elf64_Phdr),
                    .e_phnum = (Elf64_Half)(c->nmaps + 1)};
#if defined(__x86_64__)
    e.e_machine = EM_X86_64;
#else
    e.e_machine = EM_AARCH64;
#endif
    Elf64_Phdr note = {.p_type = PT_NOTE, .p_offset = head, .p_filesz = c->note_size, .p_align = 4};
    bool ok = put(c, &e, sizeof e) && put(c, &note, sizeof note);
    for (unsigned i = 0; ok && i < c->nmaps; i++) {
        const struct map *m = &c->maps[i];
        Elf64_Phdr p = {.p_type = PT_LOAD,
                        .p_flags = m->flags,
                        .p_offset = at,
                        .p_vaddr = m->start,
                        .p_memsz = m->end - m->start,
                        .p_align = 4096};
        p.p_filesz = m->kept ? p.p_memsz : 0;
        at += p.p_filesz;
        ok = put(c, &p, sizeof p);
    }
    ok = ok && put(c, c->note, c->note_size);
    ok = ok && put(c, zeros, (size_t)((4096 - (head + c->note_size) % 4096) % 4096));
    for (unsigned i = 0; ok && i < c->nmaps; i++)
        ok = !c->maps[i].kept || put_map(c, &c->maps[i]);
    return ok && !ftruncate(c->fd, (off_t)at);
}

// In the child, whose memory is the process's as it was; of another process's own number there is nothing in the file.
static bool child_write(struct core *c, const char *name, uint32_t tid)
{
    c->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    c->memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    if (c->fd < 0 || c->memory < 0)
        return false;
    maps_look(c);
    notes_make(c, tid);
    return file_write(c) && !close(c->fd);
}

static void threads_find(struct core *c)
{
    for (const struct debug_block *at = heddle_debug.blocks; at; at = at->next)
        for (uint32_t i = 0; at->threads && i < at->count && c->nthreads < THREADS_MAX; i++)
            if (at->threads[i].context) {
                c->threads[c->nthreads].context = at->threads[i].context;
                c->threads[c->nthreads++].tid = at->threads[i].tid;
            }
}

void core_write(void *context)
{
    char name[PATH_MAX];
    ucontext_t here;
    int status = 1;
    if (!asked.wanted)
        return;
    size_t size = sizeof(struct core) + MAPS_MAX * sizeof(struct map) + TEXT_BYTES;
    struct core *c = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (c == MAP_FAILED || getcontext(&here))
        return;
    c->maps = (struct map *)(c + 1);
    c->text = (char *)(c->maps + MAPS_MAX);
    c->context = context ? context : &here;
    threads_find(c);
    name_expand(name, sizeof name);
    uint32_t tid = (uint32_t)syscall(SYS_gettid);
    pid_t child = maps_read(c) ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : -1;
    if (!child)
        _exit(!child_write(c, name, tid));
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    munmap(c, size);
    if (status)
        log_write(LOG_ERROR, "the core file %s cannot be written", name);
    else
        log_write(LOG_ERROR, "core file %s", name);
    if (asked.aborts)
        abort();
}

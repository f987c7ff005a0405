// SPDX-License-Identifier: Apache-2.0
// Writes docs/generated/guide-coverage.md: each feature that the programming guides name, with the tests that prove it.
//   guide_coverage FEATURES.tsv TESTS-FOLDER
// A test says what it proves in a comment beside the check:
//   // guide: cudaMallocPitch | pitch must be used to address elements
// The names are those of the first column of the list. A name that the list lacks is an error, so that a typing slip cannot
// leave a feature unproven, and so is a feature that no test proves. A row whose fourth column has a note is one that this platform cannot have as the guide
// describes it; the note says what happens instead, and a test has to prove that too.
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ROWS = 1024, PROOFS = 4, LINE = 4096 };

struct row {
    char *feature, *section, *group, *note;
    char *proof[PROOFS];
    unsigned proofs;
};

static struct row rows[ROWS];
static unsigned count, unknown;

static char *copy(const char *s)
{
    char *c = strdup(s);
    if (!c) {
        perror("guide_coverage");
        exit(2);
    }
    return c;
}

static void load(const char *path)
{
    FILE *f = fopen(path, "r");
    char line[LINE];
    if (!f || !fgets(line, sizeof line, f)) {
        perror(path);
        exit(2);
    }
    while (count < ROWS && fgets(line, sizeof line, f)) {
        char *field[4] = {"", "", "", ""}, *rest = line;
        line[strcspn(line, "\n")] = 0;
        for (unsigned i = 0; i < 4 && rest; i++)
            field[i] = strsep(&rest, "\t");
        rows[count++] = (struct row){copy(field[0]), copy(field[1]), copy(field[2]), copy(field[3]), {0}, 0};
    }
    fclose(f);
}

static void prove(const char *feature, const char *test, const char *path)
{
    unsigned found = 0;
    for (unsigned i = 0; i < count; i++) {
        struct row *r = &rows[i];
        if (strcmp(r->feature, feature))
            continue;
        found++;
        unsigned k = 0;
        while (k < r->proofs && strcmp(r->proof[k], test))
            k++;
        if (k == r->proofs && k < PROOFS)
            r->proof[r->proofs++] = copy(test);
    }
    if (!found) {
        fprintf(stderr, "%s: the list of features has no '%s'\n", path, feature);
        unknown++;
    }
}

static void scan_file(const char *path, const char *test)
{
    FILE *f = fopen(path, "r");
    char line[LINE];
    if (!f)
        return;
    while (fgets(line, sizeof line, f)) {
        char *mark = strstr(line, "guide: ");
        if (!mark || !(strstr(line, "// guide: ") || strstr(line, "# guide: ")))
            continue;
        mark += strlen("guide: ");
        for (char *next; mark; mark = next) {
            next = strstr(mark, " | ");
            if (next) {
                *next = 0;
                next += 3;
            }
            size_t n = strlen(mark);
            while (n && isspace((unsigned char)mark[n - 1]))
                mark[--n] = 0;
            prove(mark, test, path);
        }
    }
    fclose(f);
}

// In the order of names, so that the page does not depend on the file system.
static void scan(const char *folder, const char *prefix)
{
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[LINE], test[LINE];
        struct stat st;
        if (entry[i]->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
            snprintf(test, sizeof test, "%s%s%s", prefix, *prefix ? "/" : "", entry[i]->d_name);
            if (!stat(path, &st)) {
                if (S_ISDIR(st.st_mode))
                    scan(path, test);
                else
                    scan_file(path, test);
            }
        }
        free(entry[i]);
    }
    if (n >= 0)
        free(entry);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: guide_coverage FEATURES.tsv TESTS-FOLDER\n");
        return 2;
    }
    load(argv[1]);
    scan(argv[2], "");
    unsigned proven = 0, noted = 0;
    for (unsigned i = 0; i < count; i++) {
        proven += rows[i].proofs != 0;
        noted += rows[i].note[0] != 0;
    }
    printf("# What the programming guides describe, and the tests that prove it\n\n"
           "Generated from tests/guide/features.tsv and the `guide:` comments of the tests; do not edit. \"CUDA 1.1 "
           "guide\" is "
           "NVIDIA CUDA Programming Guide 1.1, \"Programming guide\" the CUDA C++ Programming Guide of today, "
           "\"Learning CUDA\" the "
           "free book of that name.\n\n"
           "%u features: %u proven, %u open. %u of them cannot be had as described on a CPU under Linux; the note says "
           "what "
           "happens instead.\n\n"
           "| feature | section | test | note |\n|---|---|---|---|\n",
           count, proven, count - proven, noted);
    for (unsigned i = 0; i < count; i++) {
        const struct row *r = &rows[i];
        printf("| ");
        for (const char *c = r->feature; *c; c++)
            printf(*c == '<' ? "&lt;" : *c == '|' ? "\\|" : "%c", *c);
        printf(" | %s | ", r->section);
        for (unsigned k = 0; k < r->proofs; k++)
            printf("%stests/%s", k ? ", " : "", r->proof[k]);
        if (!r->proofs)
            fprintf(stderr, "no test proves '%s'\n", r->feature);
        printf("%s | %s |\n", r->proofs ? "" : "**open**", r->note);
    }
    return unknown || proven < count || fflush(stdout) || ferror(stdout);
}

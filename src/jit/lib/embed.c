// SPDX-License-Identifier: Apache-2.0
// Build tool: writes the builtins as C arrays. Usage: embed (TOPIC SOURCE.c BITCODE.bc)... > builtin_topics.c
// The names come from the source, where a builtin begins with FN( and its name with heddle_.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_names(const char *topic, const char *path)
{
    char line[512];
    FILE *f = fopen(path, "r");
    if (!f)
        return perror(path), 1;
    printf("static const char *const %s_names[] = {\n", topic);
    for (int begun = 0; fgets(line, sizeof line, f);) {
        char *name = begun || !strncmp(line, "FN(", 3) ? strstr(line, "heddle_") : NULL;
        begun = !name && !strncmp(line, "FN(", 3); // the name is on the next line
        if (!name)
            continue;
        size_t n = 0;
        while (isalnum((unsigned char)name[n]) || name[n] == '_')
            n++;
        printf("    \"%.*s\",\n", (int)n, name);
    }
    printf("    0};\n");
    fclose(f);
    return 0;
}

static int write_bytes(const char *topic, const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return perror(path), 1;
    printf("static const unsigned char %s_bitcode[] = {", topic);
    int c;
    for (unsigned long i = 0; (c = getc(f)) != EOF; i++)
        printf("%s%d,", i % 24 ? "" : "\n", c);
    printf("\n};\n");
    fclose(f);
    return 0;
}

int main(int argc, char **argv)
{
    printf("#include \"jit/translate/builtin.h\"\n");
    for (int i = 1; i + 2 < argc; i += 3) {
        if (write_names(argv[i], argv[i + 1]) || write_bytes(argv[i], argv[i + 2]))
            return 1;
    }
    printf("const struct builtin_topic builtin_topics[] = {\n");
    for (int i = 1; i + 2 < argc; i += 3)
        printf("    {\"%s\", %s_names, %s_bitcode, sizeof %s_bitcode},\n", argv[i], argv[i], argv[i], argv[i]);
    printf("    {0, 0, 0, 0}};\n");
    return 0;
}

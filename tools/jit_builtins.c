// SPDX-License-Identifier: Apache-2.0
// Build tool: writes the builtins as C arrays. Usage: heddle_embed (TOPIC SOURCE.i BITCODE.bc)... > builtin_topics.c
// The names come from the preprocessed source, where a builtin is what FN() begins (lib.h), and has a name with heddle_.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_names(const char *topic, const char *path)
{
    static const char mark[] = "__attribute__((always_inline))";
    char *head = NULL; // what stands before a brace
    size_t room = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return perror(path), 1;
    printf("static const char *const %s_names[] = {\n", topic);
    while (getdelim(&head, &room, '{', f) > 0) {
        char *at = strstr(head, mark), *name = at ? strstr(at, "heddle_") : NULL;
        char *parameters = at ? strchr(at + sizeof mark, '(') : NULL;
        if (name && parameters && name < parameters)
            printf("    \"%.*s\",\n", (int)strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"), name);
    }
    free(head);
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
    return fflush(stdout) || ferror(stdout);
}

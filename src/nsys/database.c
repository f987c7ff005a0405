// SPDX-License-Identifier: Apache-2.0
// SQLite, as far as it is needed, loaded by name: a machine without it can do everything but this.
#include "nsys/nsys.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
enum { SQLITE_OK = 0, SQLITE_ROW = 100, SQLITE_DONE = 101, READONLY = 1, READWRITE = 2, CREATE = 4 };
#define TRANSIENT ((void (*)(void *))(intptr_t)-1)

#define FUNCTIONS(F)                                                                                                   \
    F(int, open_v2, (const char *, sqlite3 **, int, const char *))                                                     \
    F(int, close_v2, (sqlite3 *))                                                                                      \
    F(const char *, errmsg, (sqlite3 *))                                                                               \
    F(int, exec, (sqlite3 *, const char *, void *, void *, char **))                                                   \
    F(int, prepare_v2, (sqlite3 *, const char *, int, sqlite3_stmt **, const char **))                                 \
    F(int, step, (sqlite3_stmt *))                                                                                     \
    F(int, reset, (sqlite3_stmt *))                                                                                    \
    F(int, finalize, (sqlite3_stmt *))                                                                                 \
    F(sqlite3 *, db_handle, (sqlite3_stmt *))                                                                          \
    F(int, bind_int64, (sqlite3_stmt *, int, long long))                                                               \
    F(int, bind_double, (sqlite3_stmt *, int, double))                                                                 \
    F(int, bind_text, (sqlite3_stmt *, int, const char *, int, void (*)(void *)))                                      \
    F(int, bind_null, (sqlite3_stmt *, int))                                                                           \
    F(int, column_count, (sqlite3_stmt *))                                                                             \
    F(const char *, column_name, (sqlite3_stmt *, int))                                                                \
    F(int, column_type, (sqlite3_stmt *, int))                                                                         \
    F(long long, column_int64, (sqlite3_stmt *, int))                                                                  \
    F(double, column_double, (sqlite3_stmt *, int))                                                                    \
    F(const unsigned char *, column_text, (sqlite3_stmt *, int))

static struct {
#define MEMBER(result, name, params) result(*name) params;
    FUNCTIONS(MEMBER)
} sq;

bool database_is_there(void)
{
    void *h = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    bool all = h != NULL;
    if (!h) {
        fprintf(stderr,
                "nsys: reports need SQLite, which is not installed (%s): on Debian and Ubuntu, apt install "
                "libsqlite3-0\n",
                dlerror());
        return false;
    }
#define FIND(result, name, params)                                                                                     \
    sq.name = (result(*) params)dlsym(h, "sqlite3_" #name);                                                            \
    all &= sq.name != NULL;
    FUNCTIONS(FIND)
    if (!all)
        fprintf(stderr, "nsys: this SQLite is too old\n");
    return all;
}

static sqlite3 *handle(struct database *d)
{
    return (sqlite3 *)d;
}
static sqlite3_stmt *prepared(struct statement *s)
{
    return (sqlite3_stmt *)s;
}

static bool told(struct database *d, const char *what)
{
    fprintf(stderr, "nsys: %s: %s\n", what, sq.errmsg(handle(d)));
    return false;
}

struct database *database_open(const char *path, bool write)
{
    sqlite3 *h = NULL;
    if (!sq.open_v2 && !database_is_there())
        return NULL;
    if (sq.open_v2(path, &h, write ? READWRITE | CREATE : READONLY, NULL) == SQLITE_OK)
        return (struct database *)h;
    fprintf(stderr, "nsys: %s: %s\n", path, h ? sq.errmsg(h) : "no memory");
    sq.close_v2(h);
    return NULL;
}

void database_close(struct database *d)
{
    sq.close_v2(handle(d));
}

bool database_run(struct database *d, const char *sql)
{
    return sq.exec(handle(d), sql, NULL, NULL, NULL) == SQLITE_OK || told(d, "SQLite");
}

struct statement *statement_make(struct database *d, const char *sql)
{
    sqlite3_stmt *s = NULL;
    if (sq.prepare_v2(handle(d), sql, -1, &s, NULL) != SQLITE_OK)
        told(d, "SQLite");
    return (struct statement *)s;
}

void statement_free(struct statement *s)
{
    sq.finalize(prepared(s));
}

bool statement_insert(struct statement *s, const char *kinds, ...)
{
    va_list ap;
    va_start(ap, kinds);
    for (int i = 0; kinds[i]; i++) {
        int64_t n;
        int is_there;
        double real;
        const char *text;
        switch (kinds[i]) {
        case 'i':
            sq.bind_int64(prepared(s), i + 1, va_arg(ap, int64_t));
            break;
        case 'z':
            n = va_arg(ap, int64_t);
            n ? sq.bind_int64(prepared(s), i + 1, n) : sq.bind_null(prepared(s), i + 1);
            break;
        case 't':
            text = va_arg(ap, const char *);
            text ? sq.bind_text(prepared(s), i + 1, text, -1, TRANSIENT) : sq.bind_null(prepared(s), i + 1);
            break;
        case 'o':
            is_there = va_arg(ap, int);
            n = va_arg(ap, int64_t);
            is_there ? sq.bind_int64(prepared(s), i + 1, n) : sq.bind_null(prepared(s), i + 1);
            break;
        case 'O':
            is_there = va_arg(ap, int);
            real = va_arg(ap, double);
            is_there ? sq.bind_double(prepared(s), i + 1, real) : sq.bind_null(prepared(s), i + 1);
            break;
        case 'd':
            sq.bind_double(prepared(s), i + 1, va_arg(ap, double));
            break;
        default:
            sq.bind_null(prepared(s), i + 1);
        }
    }
    va_end(ap);
    bool ok = sq.step(prepared(s)) == SQLITE_DONE;
    if (!ok)
        fprintf(stderr, "nsys: SQLite: %s\n", sq.errmsg(sq.db_handle(prepared(s))));
    sq.reset(prepared(s));
    return ok;
}

bool statement_next(struct statement *s)
{
    int r = sq.step(prepared(s));
    if (r != SQLITE_ROW && r != SQLITE_DONE)
        fprintf(stderr, "nsys: SQLite: %s\n", sq.errmsg(sq.db_handle(prepared(s))));
    return r == SQLITE_ROW;
}

int statement_columns(struct statement *s)
{
    return sq.column_count(prepared(s));
}

const char *statement_name(struct statement *s, int column)
{
    return sq.column_name(prepared(s), column);
}

enum value_kind statement_kind(struct statement *s, int column)
{
    return (enum value_kind)sq.column_type(prepared(s), column);
}

int64_t statement_integer(struct statement *s, int column)
{
    return sq.column_int64(prepared(s), column);
}

double statement_real(struct statement *s, int column)
{
    return sq.column_double(prepared(s), column);
}

const char *statement_text(struct statement *s, int column)
{
    const char *text = (const char *)sq.column_text(prepared(s), column);
    return text ? text : "";
}

bool database_has(struct database *d, const char *table)
{
    char sql[160];
    snprintf(sql, sizeof sql, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '%s'", table);
    struct statement *s = statement_make(d, sql);
    bool has = s && statement_next(s);
    if (s)
        statement_free(s);
    return has;
}

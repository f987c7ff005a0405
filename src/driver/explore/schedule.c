// SPDX-License-Identifier: Apache-2.0
// See schedule.h. The first schedules differ from the plain one in one thing each, so that what they show is as simple as can be; the
// others are drawn, by their number alone.
#include "driver/explore/schedule.h"
#include <stdlib.h>

// Short names for who takes turns with whom; PLAIN: as launches do anyway.
#define PLAIN  JIT_COMPAT_GUESSED
#define ALONE  JIT_COMPAT_OFF
#define WARPS  JIT_COMPAT_EVERYWHERE
#define BLOCKS JIT_COMPAT_BLOCKS

static const struct schedule simple[] = {
    {.compat = PLAIN}, // one block after the other, on one thread
    {.compat = PLAIN, .blocks = ORDER_DESCENDING},
    {.compat = ALONE},
    {.compat = ALONE, .descending = true},
    {.compat = ALONE, .width = 1},
    {.compat = WARPS},
    {.compat = ALONE, .width = 8},
    {.compat = BLOCKS},
    {.compat = ALONE, .width = 32},
    {.compat = PLAIN, .blocks = ORDER_RANDOM},
    {.compat = ALONE, .width = 1, .descending = true},
    {.compat = BLOCKS, .blocks = ORDER_DESCENDING},
    {.compat = WARPS, .descending = true},
    {.compat = ALONE, .width = 8, .descending = true},
    {.compat = WARPS, .width = 8},
    {.compat = BLOCKS, .width = 32, .blocks = ORDER_RANDOM},
};
enum { SIMPLE = sizeof simple / sizeof simple[0] };

// splitmix64: the same numbers for the same schedule, on every machine.
static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static struct schedule draw_schedule(uint64_t *state)
{
    static const unsigned widths[] = {0, 1, 8, 32};
    static const enum jit_compat compats[] = {ALONE, WARPS, BLOCKS};
    return (struct schedule){.width = widths[draw(state) % 4],
                             .compat = compats[draw(state) % 3],
                             .descending = draw(state) % 2,
                             .blocks = draw(state) % 3};
}

struct schedule schedule_number(unsigned number, uint64_t blocks)
{
    uint64_t state = number;
    struct schedule s = number < SIMPLE ? simple[number] : draw_schedule(&state);
    s.to = blocks;
    s.step = 1;
    if (s.blocks == ORDER_RANDOM && blocks > 1) {
        s.start = draw(&state) % blocks;
        do
            s.step = 1 + draw(&state) % (blocks - 1);
        while (common_divisor(s.step, blocks) != 1);
    }
    return s;
}

bool schedule_differs(const struct schedule *s, uint64_t blocks, unsigned threads)
{
    return (threads > 1 && (s->width || s->compat != PLAIN || s->descending)) ||
           (blocks > 1 && (s->blocks || s->compat == BLOCKS));
}

struct launch_order schedule_blocks(const struct schedule *s)
{
    struct launch_order o = {s->from, s->to, s->start, s->step};
    if (s->blocks == ORDER_DESCENDING)
        o.start = o.step = s->to - s->from - 1;
    if (s->blocks == ORDER_ASCENDING || s->to - s->from < 2)
        o = (struct launch_order){0, 0, 0, 1};
    return o;
}

// The parts in the order in which they are taken out; of turns, first those of blocks.
enum { PART_ORDER, PART_DRAWN, PART_WIDTH, PART_DESCENDING, PART_BLOCKS, PART_WARPS, PART_ALONE, PARTS };

bool schedule_simplify(struct schedule *s, unsigned *part, uint64_t blocks)
{
    struct schedule old = *s;
    unsigned now;
    do {
        if (*part == PARTS)
            return false;
        now = (*part)++;
        if (now == PART_ORDER)
            s->blocks = ORDER_ASCENDING;
        else if (now == PART_DRAWN && s->blocks == ORDER_RANDOM)
            *s = (struct schedule){s->width, s->compat, s->descending, ORDER_DESCENDING, 0, blocks, 1, 0};
        else if (now == PART_WIDTH)
            s->width = 0;
        else if (now == PART_DESCENDING)
            s->descending = false;
        else if (now == PART_BLOCKS && s->compat == BLOCKS)
            s->compat = WARPS;
        else if (now == PART_WARPS && s->compat == WARPS)
            s->compat = ALONE;
        else if (now == PART_ALONE && s->compat == ALONE)
            s->compat = PLAIN;
    } while (s->blocks == old.blocks && s->width == old.width && s->descending == old.descending &&
             s->compat == old.compat);
    return true;
}

static void describe_blocks(const struct schedule *s, uint64_t blocks, struct str *out)
{
    const char *how = s->blocks == ORDER_DESCENDING ? "in descending order" : "in an order that was drawn";
    str_append(out, "the blocks one after the other");
    if (s->blocks == ORDER_ASCENDING)
        return;
    if (s->to - s->from == 2)
        str_printf(out, ", number %llu before number %llu", (unsigned long long)s->from + 1,
                   (unsigned long long)s->from);
    else if (s->from == 0 && s->to == blocks)
        str_printf(out, ", %s", how);
    else
        str_printf(out, ", those from number %llu to %llu %s", (unsigned long long)s->from,
                   (unsigned long long)s->to - 1, how);
}

static void describe_threads(const struct schedule *s, struct str *out)
{
    static const char *const turns[] = {
        [PLAIN] = "",
        [ALONE] = "a block's warps one after the other, ",
        [WARPS] = "a block's warps by turns at every store, ",
        [BLOCKS] = "warps and blocks by turns at every store, ",
    };
    if (s->width == 1)
        str_append(out, "each thread by itself, ");
    else if (s->width)
        str_printf(out, "%u threads in step, ", s->width);
    if (s->descending)
        str_append(out, s->width == 1 ? "in the other order, " : "a block's last threads first, ");
    str_append(out, turns[s->compat]);
}

void schedule_describe(const struct schedule *s, uint64_t blocks, struct str *out)
{
    describe_threads(s, out);
    if (blocks > 1)
        describe_blocks(s, blocks, out);
    else if (out->len > 2) // without the last comma
        out->data[out->len -= 2] = 0;
    else
        str_append(out, "other code, in which accesses of different threads come in another order");
}

// SPDX-License-Identifier: MIT
// What one access of a warp costs, by the rules of the CUDA programming guide:
//
// Global memory comes in sectors of 32 bytes, four to a line of the cache; a request
// takes the sectors that its lanes touch. As `wavefronts` stand the lines.
// Shared memory has 32 banks of 4 bytes. A bank gives one word to all lanes that want it;
// different words of one bank come one after the other, each in a wavefront of its own.
// Accesses of 8 bytes are those of two halves of the warp, of 16 bytes of four quarters.
// Constant memory gives one word at a time, to all lanes that want it.
// Local memory lies interleaved by words: a word of the 32 lanes fills a line.
// Atomic operations on one address come one after the other: `conflicts` are the lanes
// that find another at their address, `wavefronts` the longest row that waits.
#include "runtime/emulator/observer.h"

enum {
    LANES = 32,
    SECTOR = 32,
    WORD = 4,
    BANKS = 32,
};

static int64_t lowest(uint32_t lanes, const int64_t *what)
{
    int64_t low = INT64_MAX;
    for (; lanes; lanes &= lanes - 1)
        low = what[__builtin_ctz(lanes)] < low ? what[__builtin_ctz(lanes)] : low;
    return low;
}

// Items of a small array, by counting how many want each.
static bool sort_by_count(
        uint32_t lanes, const int64_t *what, int item_bytes, int64_t *sorted)
{
    enum { ITEMS = 64 };
    uint8_t counts[ITEMS] = {0};
    uint64_t items = 0;
    int64_t low = lowest(lanes, what);
    bool is_narrow = !(item_bytes & (item_bytes - 1));
    int bits = __builtin_ctz((unsigned)item_bytes);
    for (uint32_t left = lanes; is_narrow && left; left &= left - 1) {
        int64_t distance = what[__builtin_ctz(left)] - low, item = distance >> bits;
        is_narrow = item < ITEMS && item << bits == distance;
        counts[item & (ITEMS - 1)]++;
        items |= (uint64_t)1 << (item & (ITEMS - 1));
    }
    for (; is_narrow && items; items &= items - 1)
        for (int item = __builtin_ctzll(items), count = counts[item]; count > 0; count--)
            *sorted++ = low + ((int64_t)item << bits);
    return is_narrow;
}

// Addresses without order, by rank: a key has the distance from the lowest address, and
// the lane. False: they are too far apart for that.
static bool sort_by_rank(uint32_t lanes, const int64_t *what, int64_t *sorted)
{
    enum { LANE_BITS = 5, DISTANCE_BITS = 26 };
    int32_t keys[LANES], ranks[LANES] = {0};
    int64_t low = lowest(lanes, what);
    for (int lane = 0; lane < LANES; lane++)
        keys[lane] = INT32_MAX;
    for (uint32_t left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        int64_t distance = what[lane] - low;
        if (distance >> DISTANCE_BITS)
            return false;
        keys[lane] = (int32_t)(distance << LANE_BITS | lane);
    }
    for (int lane = 0; lane < LANES; lane++)
        for (int other = 0; other < LANES; other++)
            ranks[other] += keys[lane] < keys[other];
    for (uint32_t left = lanes; left; left &= left - 1)
        sorted[ranks[__builtin_ctz(left)]] = what[__builtin_ctz(left)];
    return true;
}

// The addresses of the lanes that take part, in ascending order.
static int sort_addresses(
        uint32_t lanes, const int64_t *what, int item_bytes, int64_t *sorted)
{
    enum { MOST_MOVES = 8 };
    int count = 0, moves = 0;
    for (uint32_t left = lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left), at = count++;
        for (; at > 0 && sorted[at - 1] > what[lane]; at--, moves++)
            sorted[at] = sorted[at - 1];
        sorted[at] = what[lane];
        if (moves <= MOST_MOVES)
            continue;
        moves = INT32_MIN;
        if (sort_by_count(lanes, what, item_bytes, sorted) ||
                sort_by_rank(lanes, what, sorted))
            return __builtin_popcount(lanes);
    }
    return count;
}

// How many pieces of 1 << `bits` bytes the items touch.
static int64_t count_pieces(const int64_t *sorted, int count, int item_bytes, int bits)
{
    int64_t pieces = 0, next = INT64_MIN; // the first piece that is not counted
    for (int i = 0; i < count; i++) {
        int64_t first = sorted[i] >> bits, last = (sorted[i] + item_bytes - 1) >> bits;
        first = first < next ? next : first;
        pieces += last >= first ? last - first + 1 : 0;
        next = last + 1 > next ? last + 1 : next;
    }
    return pieces;
}

// How many addresses there are; `most`: lanes at one of them.
static int count_distinct(const int64_t *sorted, int count, int *most)
{
    int distinct = 0, run = 0;
    *most = 0;
    for (int i = 0; i < count; i++) {
        bool is_new = i == 0 || sorted[i] != sorted[i - 1];
        distinct += is_new;
        run = is_new ? 1 : run + 1;
        *most = run > *most ? run : *most;
    }
    return distinct;
}

// Counts bytes, sectors and lines at once, so that none has to wait for another.
static void count_global(const struct observed_site *site, const int64_t *sorted,
        int count, struct observed_counts *counts)
{
    enum { SECTOR_BITS = 5, LINE_BITS = 7 };
    int64_t bytes = 0, sectors = 0, lines = 0;
    int64_t byte = INT64_MIN, sector = INT64_MIN, line = INT64_MIN; // not counted yet
    for (int i = 0; i < count; i++) {
        int64_t low = sorted[i], high = low + site->item_bytes;
        bytes += high - (low > byte ? low : byte);
        byte = high;
        int64_t first = low >> SECTOR_BITS, end = ((high - 1) >> SECTOR_BITS) + 1;
        sectors += end - (first > sector ? first : sector);
        sector = end;
        first = low >> LINE_BITS, end = ((high - 1) >> LINE_BITS) + 1;
        lines += end - (first > line ? first : line);
        line = end;
    }
    counts->sectors += sectors;
    counts->sectors_ideal += (bytes + SECTOR - 1) / SECTOR;
    if (site->kind != OBSERVED_ATOMIC)
        counts->wavefronts += lines;
}

// How many different words the fullest bank has to give.
static int fullest_bank(const int64_t *sorted, int count, int item_bytes)
{
    int lens[BANKS] = {0}, most = 0;
    int64_t next = INT64_MIN; // the first word that is not counted
    for (int i = 0; i < count; i++) {
        int64_t last = (sorted[i] + item_bytes - 1) / WORD, word = sorted[i] / WORD;
        for (word = word < next ? next : word; word <= last; word++) {
            int len = ++lens[word & (BANKS - 1)];
            most = len > most ? len : most;
        }
        next = last + 1 > next ? last + 1 : next;
    }
    return most;
}

static void count_shared(const struct observed_site *site, uint32_t lanes,
        const int64_t *what, struct observed_counts *counts)
{
    int size = site->item_bytes;
    int at_once = size <= WORD ? LANES : size <= 2 * WORD ? LANES / 2 : LANES / 4;
    for (int first = 0; first < LANES; first += at_once) {
        int64_t sorted[LANES];
        uint32_t pass = UINT32_MAX >> (LANES - at_once) << first;
        int count = sort_addresses(lanes & pass, what, size, sorted);
        int wavefronts = fullest_bank(sorted, count, size);
        counts->wavefronts += wavefronts;
        counts->conflicts += wavefronts > 1 ? wavefronts - 1 : 0;
    }
}

// The address is that in the thread's own memory.
static void count_local(const struct observed_site *site, uint32_t lanes,
        const int64_t *what, struct observed_counts *counts)
{
    int64_t spread[LANES], sorted[LANES];
    int words = (site->item_bytes + WORD - 1) / WORD, count = 0;
    for (int word = 0; word < words; word++) {
        for (int lane = 0; lane < LANES; lane++)
            spread[lane] = ((what[lane] / WORD + word) * LANES + lane) * WORD;
        count = sort_addresses(lanes, spread, WORD, sorted);
        counts->sectors += count_pieces(sorted, count, WORD, 5);
        counts->wavefronts += count_pieces(sorted, count, WORD, 7);
    }
    counts->sectors_ideal += ((int64_t)count * site->item_bytes + SECTOR - 1) / SECTOR;
}

static void count_atomic(const int64_t *sorted, int count, struct observed_counts *counts)
{
    int most, distinct = count_distinct(sorted, count, &most);
    counts->conflicts += count - distinct;
    counts->wavefronts += most;
}

void warp_access_count(const struct observed_site *site, uint32_t lanes,
        const int64_t *what, struct observed_counts *counts)
{
    int64_t sorted[LANES];
    int count = sort_addresses(lanes, what, site->item_bytes, sorted), most;
    if (site->space == OBSERVED_GLOBAL)
        count_global(site, sorted, count, counts);
    if (site->kind == OBSERVED_ATOMIC) {
        count_atomic(sorted, count, counts);
    } else if (site->space == OBSERVED_SHARED) {
        count_shared(site, lanes, what, counts);
    } else if (site->space == OBSERVED_CONSTANT) {
        int distinct = count_distinct(sorted, count, &most);
        counts->wavefronts += distinct;
        counts->conflicts += distinct - 1;
    } else if (site->space == OBSERVED_LOCAL) {
        count_local(site, lanes, what, counts);
    }
}

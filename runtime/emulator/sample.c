// SPDX-License-Identifier: MIT
// Of a grid that tells more than can be counted in reasonable time some blocks are
// observed. The first and the last are counted for themselves: there a grid begins, and
// ends within its last block. Those between them stand for all between.
#include "runtime/emulator/observer.h"

// So many blocks as take about so much effort, but not fewer than OBSERVED_BLOCKS.
enum { OBSERVED_EFFORT = 1 << 16, OBSERVED_BLOCKS = 8 };

bool sample_choose(struct sample *sample)
{
    int64_t effort = sample->counted->effort;
    int64_t wanted = OBSERVED_EFFORT / (effort > 0 ? effort : 1);
    wanted = wanted < OBSERVED_BLOCKS ? OBSERVED_BLOCKS : wanted;
    if (wanted + wanted / 8 >= sample->blocks) // the others cost little more
        return false;
    sample->wanted = wanted;
    sample->whole = sample->counted;
    sample->counted = &sample->part;
    return true;
}

// One of each of equal parts of what lies between the ends, at no regular distance.
bool sample_wants(const struct sample *sample, int64_t block)
{
    int64_t rest = sample->blocks - 2, parts = sample->wanted - 2;
    if (!sample->wanted || block == 0 || block == sample->blocks - 1)
        return true;
    int64_t part = (block - 1) * parts / rest;
    while (part * rest / parts > block - 1)
        part--;
    while ((part + 1) * rest / parts <= block - 1)
        part++;
    int64_t first = part * rest / parts, len = (part + 1) * rest / parts - first;
    uint64_t chance = ((uint64_t)part + 1) * 0x9E3779B97F4A7C15u;
    return block - 1 - first == (int64_t)((chance >> 32) % (uint64_t)len);
}

void sample_end(struct sample *sample, bool is_whole)
{
    int64_t between = sample->blocks - 2;
    observation_add(sample->whole, &sample->part, is_whole ? between : 0);
    observation_finish(&sample->part);
    sample->counted = sample->whole;
}

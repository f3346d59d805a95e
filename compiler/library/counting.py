# SPDX-License-Identifier: MIT
"""What an observed kernel calls on a GPU: the lanes of a warp count together what they do in one instruction.

By the rules of runtime/emulator/warp_access.c, and into the memory that compiler/types/observed.h describes. The
lanes that are counted together, `mask`, are those that the GPU runs together and that come from one place in the same
turn: it may bring together calls that stand in several places. None leaves, or goes another way, before all have
exchanged what they have to.
"""
from numba import cuda

from gridcell.library import compact, compiled

# enum counted_header
(COPIES, COPY_WORDS, THREADS, BLOCKS, SECTORS, EVENTS, TOLD, AT_ROWS, AT_PARTS, AT_LOOPS, AT_WEIGHTS, AT_WARPS,
 AT_PHASES, AT_SECTORS, AT_EVENTS) = range(15)
ROW_WORDS, PHASE_WORDS, EVENT_WORDS = 24, 4, 4
# struct observed_counts, as far as it is counted here, and enum counted_word
REQUESTS, LANES, BYTES, SECTORS_TOUCHED, SECTORS_IDEAL, DISTINCT, WAVEFRONTS, CONFLICTS, EVEN, STRIDES = range(10)
DIVERGENT, WORK_MOST, WORK_SUM = 11, 13, 14
LOW, HIGH, NEAREST, FARTHEST, MISSED = range(15, 20)
FAR = 1 << 62
# enum observed_kind, enum observed_space
STORE, ATOMIC = 1, 2
GLOBAL, SHARED, CONSTANT, LOCAL = 0, 3, 4, 5
BYTE_BITS, WORD_BITS, SECTOR_BITS, LINE_BITS = 0, 2, 5, 7
WARP, BANKS, WORD = 32, 32, 4
PROBES = 256  # for a sector, before the table is taken to be full
FIELD = 20  # bits of a number of pieces: the items of a warp have fewer
FIELD_MASK = (1 << FIELD) - 1
# of the finalizer of MurmurHash3
MIX1, MIX2 = -49064778989728563, -4265267296055464877
SPREAD = -7046029254386353131


@compiled
def block_number():
    return cuda.blockIdx.x + cuda.gridDim.x * (cuda.blockIdx.y + cuda.gridDim.y * cuda.blockIdx.z)


@compiled
def block_threads():
    return cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z


@compiled
def thread_number():
    return cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)


@compiled
def is_first_of(mask):
    return (mask & ((1 << cuda.laneid) - 1)) == 0


@compiled
def lanes_at(place, turn):
    """The lanes that are here with this one, from the same place and in the same turn."""
    key = mixed(place * SPREAD + turn)
    return cuda.match_any_sync(cuda.activemask(), key) & 0xffffffff


@compiled
def row_of(memory, site):
    """Where the site's counts begin, in this block's copy."""
    copy = block_number() & (memory[COPIES] - 1)
    return memory[AT_ROWS] + copy * memory[COPY_WORDS] + site * ROW_WORDS


# --- among the lanes of a mask


@compiled
def sum_of(mask, number):
    total, rest = 0, mask
    while rest:
        total += cuda.shfl_sync(mask, number, cuda.ffs(rest) - 1)
        rest &= rest - 1
    return total


@compiled
def most_of(mask, number, group):
    """The largest of the lanes that are in this lane's group: of so many side by side."""
    most, rest, own = number, mask, cuda.laneid // group
    while rest:
        other = cuda.ffs(rest) - 1
        theirs = cuda.shfl_sync(mask, number, other)
        if other // group == own and theirs > most:
            most = theirs
        rest &= rest - 1
    return most


@compiled
def address_before(mask, address, group):
    """The next lower address of a lane in this lane's group, or the same of a lane before it; -1: none."""
    lane = cuda.laneid
    found, rest, own = -1, mask, lane // group
    while rest:
        other = cuda.ffs(rest) - 1
        theirs = cuda.shfl_sync(mask, address, other)
        if other // group == own and (theirs < address or (theirs == address and other < lane)) and theirs > found:
            found = theirs
        rest &= rest - 1
    return found


@compiled
def first_new(address, before, item_bytes, bits):
    """The first of the pieces of 1 << bits bytes that the item touches and those before it do not."""
    first = address >> bits
    if before >= 0:
        first = max(first, ((before + item_bytes - 1) >> bits) + 1)
    return first


@compiled
def new_pieces(address, before, item_bytes, bits):
    return max(0, ((address + item_bytes - 1) >> bits) - first_new(address, before, item_bytes, bits) + 1)


# --- accesses


@compiled
def note_request(memory, row, mask):
    if is_first_of(mask):
        cuda.atomic.add(memory, row + REQUESTS, 1)
        cuda.atomic.add(memory, row + LANES, cuda.popc(mask))


@compiled
def raise_to(memory, at, number):
    """An atomic maximum, which most often finds nothing to do."""
    if number > memory[at]:
        cuda.atomic.max(memory, at, number)


@compiled
def note_stride(memory, row, mask, address):
    """Whether the lanes lie at equal distances, and at which."""
    lane = cuda.laneid
    has_next = lane < WARP - 1 and (mask >> (lane + 1)) & 1 != 0
    stride = cuda.shfl_sync(mask, address, lane + 1 if has_next else lane) - address
    pairs = cuda.ballot_sync(mask, has_next) & 0xffffffff
    if pairs == 0:
        return
    first = cuda.shfl_sync(mask, stride, cuda.ffs(pairs) - 1)
    if cuda.all_sync(mask, not has_next or stride == first) and is_first_of(mask):
        distance = abs(first)
        cuda.atomic.add(memory, row + EVEN, 1)
        cuda.atomic.add(memory, row + STRIDES, distance)
        raise_to(memory, row + NEAREST, FAR - distance)
        raise_to(memory, row + FARTHEST, distance)


@compiled
def mixed(key):
    key = (key ^ ((key >> 33) & 0x7fffffff)) * MIX1
    key = (key ^ ((key >> 33) & 0x7fffffff)) * MIX2
    return key ^ ((key >> 33) & 0x7fffffff)


@compiled
def find_sector(memory, key):
    """1 where the table has it from now on, 0 where it had it, -1 where it has no room."""
    last, start = memory[SECTORS] - 1, memory[AT_SECTORS]
    at = key & last
    for _ in range(PROBES):
        known = memory[start + at]
        if known == 0:
            known = cuda.atomic.cas(memory, start + at, 0, key)
        if known == 0:
            return 1
        if known == key:
            return 0
        at = (at + 1) & last
    return -1


@compiled
def note_sectors(memory, row, mask, site, address, before, item_bytes):
    """How many of the sectors the block has not touched at this site."""
    place, distinct, missed = mixed(mixed(block_number() + 1) + site * SPREAD), 0, 0
    for sector in range(first_new(address, before, item_bytes, SECTOR_BITS),
                        ((address + item_bytes - 1) >> SECTOR_BITS) + 1):
        found = find_sector(memory, mixed(place ^ sector) | 1)
        distinct += found == 1
        missed += found < 0
    both = sum_of(mask, distinct | missed << FIELD)
    if is_first_of(mask):
        cuda.atomic.add(memory, row + DISTINCT, both & FIELD_MASK)
        if both >> FIELD:
            cuda.atomic.add(memory, row + MISSED, both >> FIELD)


@compiled
def count_global(memory, row, mask, site, is_atomic, item_bytes, address):
    before = address_before(mask, address, WARP)
    pieces = sum_of(mask, new_pieces(address, before, item_bytes, BYTE_BITS)
                    | new_pieces(address, before, item_bytes, SECTOR_BITS) << FIELD
                    | new_pieces(address, before, item_bytes, LINE_BITS) << 2 * FIELD)
    raise_to(memory, row + LOW, FAR - address)
    raise_to(memory, row + HIGH, address + item_bytes)
    if is_first_of(mask):
        cuda.atomic.add(memory, row + SECTORS_TOUCHED, pieces >> FIELD & FIELD_MASK)
        cuda.atomic.add(memory, row + SECTORS_IDEAL, ((pieces & FIELD_MASK) + 31) >> SECTOR_BITS)
        if not is_atomic:
            cuda.atomic.add(memory, row + WAVEFRONTS, pieces >> 2 * FIELD)
    note_sectors(memory, row, mask, site, address, before, item_bytes)


@compiled
def fullest_bank(mask, item_bytes, address, group):
    """How many different words the fullest of the banks has to give that this lane's group wants."""
    before = address_before(mask, address, group)
    first, last = address >> WORD_BITS, (address + item_bytes - 1) >> WORD_BITS
    begin, own, most = first_new(address, before, item_bytes, WORD_BITS), cuda.laneid // group, 0
    for k in range(most_of(mask, last - first + 1, WARP)):
        bank, words, rest = first + k, 0, mask
        while rest:
            other = cuda.ffs(rest) - 1
            theirs, end = cuda.shfl_sync(mask, begin, other), cuda.shfl_sync(mask, last, other)
            if other // group == own and end >= theirs:
                words += ((end - bank) >> 5) - ((theirs - 1 - bank) >> 5)  # those of this bank
            rest &= rest - 1
        if first + k <= last:
            most = max(most, words)
    return most_of(mask, most, group)


@compiled
def count_shared(memory, row, mask, item_bytes, address):
    group = WARP if item_bytes <= WORD else WARP // 2 if item_bytes <= 2 * WORD else WARP // 4
    wavefronts = fullest_bank(mask, item_bytes, address, group)
    lanes = ((1 << group) - 1) << (cuda.laneid // group * group)
    if is_first_of(mask & lanes):
        cuda.atomic.add(memory, row + WAVEFRONTS, wavefronts)
        if wavefronts > 1:
            cuda.atomic.add(memory, row + CONFLICTS, wavefronts - 1)


@compiled
def count_constant(memory, row, mask, address):
    distinct = sum_of(mask, 1 if address_before(mask, address, WARP) != address else 0)
    if is_first_of(mask):
        cuda.atomic.add(memory, row + WAVEFRONTS, distinct)
        cuda.atomic.add(memory, row + CONFLICTS, distinct - 1)


@compiled
def count_local(memory, row, mask, item_bytes, address):
    """Local memory lies interleaved by words; the address is that in the thread's own."""
    sectors, lines = 0, 0
    for word in range((item_bytes + WORD - 1) // WORD):
        place = ((address // WORD + word) * WARP + cuda.laneid) * WORD
        before = address_before(mask, place, WARP)
        both = sum_of(mask, new_pieces(place, before, WORD, SECTOR_BITS)
                      | new_pieces(place, before, WORD, LINE_BITS) << FIELD)
        sectors += both & FIELD_MASK
        lines += both >> FIELD
    if is_first_of(mask):
        cuda.atomic.add(memory, row + SECTORS_TOUCHED, sectors)
        cuda.atomic.add(memory, row + WAVEFRONTS, lines)
        cuda.atomic.add(memory, row + SECTORS_IDEAL, (cuda.popc(mask) * item_bytes + 31) >> SECTOR_BITS)


@compiled
def count_atomic(memory, row, mask, address):
    distinct = sum_of(mask, 1 if address_before(mask, address, WARP) != address else 0)
    same, rest = 0, mask
    while rest:
        same += cuda.shfl_sync(mask, address, cuda.ffs(rest) - 1) == address
        rest &= rest - 1
    longest = most_of(mask, same, WARP)
    if is_first_of(mask):
        cuda.atomic.add(memory, row + CONFLICTS, cuda.popc(mask) - distinct)
        cuda.atomic.add(memory, row + WAVEFRONTS, longest)


@compiled
def note_event(memory, site, turn, what):
    """What a thread of the first block does, as far as there is room."""
    if block_number() == 0:
        number = cuda.atomic.add(memory, TOLD, 1)
        if number < memory[EVENTS]:
            at = memory[AT_EVENTS] + number * EVENT_WORDS
            memory[at], memory[at + 1], memory[at + 2], memory[at + 3] = site, thread_number(), turn, what


@compact
def access(memory, site, kind, space, item_bytes, turn, address):
    access_of(memory, lanes_at(site, turn), site, kind, space, item_bytes, turn, address)


@compiled
def access_of(memory, mask, site, kind, space, item_bytes, turn, address):
    row = row_of(memory, site)
    note_request(memory, row, mask)
    if is_first_of(mask):
        cuda.atomic.add(memory, row + BYTES, cuda.popc(mask) * item_bytes)
    note_stride(memory, row, mask, address)
    if space == GLOBAL:
        count_global(memory, row, mask, site, kind == ATOMIC, item_bytes, address)
    if kind == ATOMIC:
        count_atomic(memory, row, mask, address)
    elif space == SHARED:
        count_shared(memory, row, mask, item_bytes, address)
    elif space == CONSTANT:
        count_constant(memory, row, mask, address)
    elif space == LOCAL:
        count_local(memory, row, mask, item_bytes, address)
    note_event(memory, site, turn, address)


# --- branches, barriers, parts, loops


@compact
def branch(memory, site, turn, condition):
    mask = lanes_at(site, turn)
    row = row_of(memory, site)
    yes = cuda.ballot_sync(mask, condition != 0) & 0xffffffff
    note_request(memory, row, mask)
    if yes != 0 and yes != mask and is_first_of(mask):
        cuda.atomic.add(memory, row + DIVERGENT, 1)
    note_event(memory, site, turn, condition)


@compiled
def end_phase(memory, phase):
    """All warps of the block have come to the barrier that ended it: the first to come to the next one counts it."""
    warps = cuda.atomic.exch(memory, phase + 2, 0)
    if warps:
        row = row_of(memory, cuda.atomic.add(memory, phase + 3, 0))  # what atomics write is not in L1
        cuda.atomic.add(memory, row + WORK_MOST, cuda.atomic.exch(memory, phase, 0) * warps)
        cuda.atomic.add(memory, row + WORK_SUM, cuda.atomic.exch(memory, phase + 1, 0))


@compiled
def warp_word():
    warps = (block_threads() + WARP - 1) // WARP
    return 2 * (block_number() * warps + thread_number() // WARP)


@compact
def barrier(memory, site, turn):
    mask = lanes_at(site, turn)
    note_request(memory, row_of(memory, site), mask)
    if block_number() < memory[BLOCKS] and is_first_of(mask):
        warp = memory[AT_WARPS] + warp_word()
        work, number = cuda.atomic.exch(memory, warp, 0), memory[warp + 1]
        memory[warp + 1] = number + 1
        phases = memory[AT_PHASES] + 2 * PHASE_WORDS * block_number()
        end_phase(memory, phases + (number + 1) % 2 * PHASE_WORDS)
        own = phases + number % 2 * PHASE_WORDS
        cuda.atomic.max(memory, own, work)
        cuda.atomic.add(memory, own + 1, work)
        cuda.atomic.exch(memory, own + 3, site)
        cuda.atomic.add(memory, own + 2, 1)
    note_event(memory, site, turn, 0)


@compact
def part(memory, number, turn):
    mask = lanes_at(number, turn)
    if is_first_of(mask):
        copy = block_number() & (memory[COPIES] - 1)
        at = memory[AT_PARTS] + copy * memory[COPY_WORDS] + 2 * number
        cuda.atomic.add(memory, at, 1)
        cuda.atomic.add(memory, at + 1, cuda.popc(mask))
        if block_number() < memory[BLOCKS]:
            cuda.atomic.add(memory, memory[AT_WARPS] + warp_word(), memory[memory[AT_WEIGHTS] + number])


@compact
def loop(memory, number, times):
    """number: twice the loop's, one more for its turns."""
    thread = block_number() * block_threads() + thread_number()
    if thread < memory[THREADS]:
        memory[memory[AT_LOOPS] + number * memory[THREADS] + thread] += times

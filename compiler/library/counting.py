# SPDX-License-Identifier: MIT
"""What an observed kernel calls on a GPU: the lanes of a warp count together what they do in one instruction.

By the rules of runtime/emulator/warp_access.c, and into the memory that compiler/types/observed.h describes. Those
that count together come from one place in the same turn: `mask`. But what a warp's lanes exchange they exchange with
all that run together, `here`: a GPU may bring together calls that stand in several places, and its assembler takes
lanes that run together to wait for the same ones. So each function first notes who is here, and has exchanged all that
it needs before one of them goes another way: until then there are only loops of fixed length, and choices of values.
"""
from numba import cuda, int64

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
LANES_MASK = 0xffffffff
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
def lanes_here():
    return cuda.activemask() & LANES_MASK


@compiled
def lanes_at(here, place, turn):
    """Of those that are here, the lanes that come from the same place in the same turn."""
    return cuda.match_any_sync(here, mixed(place * SPREAD + turn)) & LANES_MASK


@compiled
def wait_for(here):
    """All that were here at first go on together. Each adds itself: a GPU's assembler takes the result of a vote to be
    the same for all that run together, also when others have come, and would let these go on without waiting."""
    cuda.syncwarp(here | 1 << cuda.laneid)


@compiled
def row_of(memory, site):
    """Where the site's counts begin, in this block's copy."""
    copy = block_number() & (memory[COPIES] - 1)
    return memory[AT_ROWS] + copy * memory[COPY_WORDS] + site * ROW_WORDS


# --- what the lanes exchange


@compiled
def of_lane(here, number, lane):
    """What a lane has; of one that is not here, this lane's own."""
    return cuda.shfl_sync(here, number, lane if here >> lane & 1 else cuda.laneid)


@compiled
def sum_of(here, mask, number):
    total = 0
    for lane in range(WARP):
        total += of_lane(here, number, lane) * (mask >> lane & 1)
    return total


@compiled
def most_of(here, mask, number):
    most = number
    for lane in range(WARP):
        theirs = of_lane(here, number, lane)
        most = max(most, theirs if mask >> lane & 1 else number)
    return most


@compiled
def equal_to(here, mask, number):
    """How many lanes of the mask have the same number, this one among them."""
    count = 0
    for lane in range(WARP):
        count += (of_lane(here, number, lane) == number) & mask >> lane & 1
    return count


@compiled
def address_before(here, mask, address):
    """The next lower address of a lane of the mask, or the same of a lane before it; -1: none."""
    found, own = -1, cuda.laneid
    for lane in range(WARP):
        theirs = of_lane(here, address, lane)
        is_before = ((theirs < address) | ((theirs == address) & (lane < own))) & (mask >> lane & 1)
        found = max(found, theirs if is_before else -1)
    return found


@compiled
def step_of(here, mask, address):
    """How far the lanes lie apart where they lie at equal distances, in order; -1 where they do not, and of one."""
    own = cuda.laneid
    followed = mask & mask >> 1
    is_followed = followed >> own & 1
    step = of_lane(here, address, own + is_followed) - address
    first = of_lane(here, step, cuda.ffs(followed) - 1 if followed else own)
    differ = cuda.ballot_sync(here, (step != first) & is_followed) & mask
    return abs(first) if (followed != 0) & (differ == 0) else -1


@compiled
def first_new(address, before, item_bytes, bits):
    """The first of the pieces of 1 << bits bytes that the item touches and those before it do not."""
    touched = before + item_bytes - 1 if before >= 0 else -1
    return max(address >> bits, (touched >> bits) + 1)


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
def note_access(memory, row, mask, item_bytes, step):
    note_request(memory, row, mask)
    if is_first_of(mask):
        cuda.atomic.add(memory, row + BYTES, cuda.popc(mask) * item_bytes)
        if step >= 0:
            cuda.atomic.add(memory, row + EVEN, 1)
            cuda.atomic.add(memory, row + STRIDES, step)
            raise_to(memory, row + NEAREST, FAR - step)
            raise_to(memory, row + FARTHEST, step)


@compiled
def raise_to(memory, at, number):
    """An atomic maximum, which most often finds nothing to do."""
    if number > memory[at]:
        cuda.atomic.max(memory, at, number)


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
def note_sectors(memory, row, site, address, before, item_bytes):
    """How many of the sectors the block has not touched at this site."""
    place, distinct, missed = mixed(mixed(block_number() + 1) + site * SPREAD), 0, 0
    for sector in range(first_new(address, before, item_bytes, SECTOR_BITS),
                        ((address + item_bytes - 1) >> SECTOR_BITS) + 1):
        found = find_sector(memory, mixed(place ^ sector) | 1)
        distinct += found == 1
        missed += found < 0
    if distinct:
        cuda.atomic.add(memory, row + DISTINCT, distinct)
    if missed:
        cuda.atomic.add(memory, row + MISSED, missed)


@compiled
def pieces_of(here, mask, address, before, item_bytes):
    """Bytes, sectors and lines that the lanes touch, in a field each."""
    return sum_of(here, mask, new_pieces(address, before, item_bytes, BYTE_BITS)
                  | new_pieces(address, before, item_bytes, SECTOR_BITS) << FIELD
                  | new_pieces(address, before, item_bytes, LINE_BITS) << 2 * FIELD)


@compiled
def note_global(memory, row, mask, site, item_bytes, address, before, pieces):
    raise_to(memory, row + LOW, FAR - address)
    raise_to(memory, row + HIGH, address + item_bytes)
    if is_first_of(mask):
        cuda.atomic.add(memory, row + SECTORS_TOUCHED, pieces >> FIELD & FIELD_MASK)
        cuda.atomic.add(memory, row + SECTORS_IDEAL, ((pieces & FIELD_MASK) + 31) >> SECTOR_BITS)
    note_sectors(memory, row, site, address, before, item_bytes)


@compiled
def note_wavefronts(memory, row, mask, wavefronts, conflicts):
    if is_first_of(mask):
        cuda.atomic.add(memory, row + WAVEFRONTS, wavefronts)
        cuda.atomic.add(memory, row + CONFLICTS, conflicts)


@compiled
def count_global(memory, site, item_bytes, turn, address):
    here = lanes_here()
    mask = lanes_at(here, site, turn)
    step, before = step_of(here, mask, address), address_before(here, mask, address)
    pieces = pieces_of(here, mask, address, before, item_bytes)
    row = row_of(memory, site)
    note_access(memory, row, mask, item_bytes, step)
    note_wavefronts(memory, row, mask, pieces >> 2 * FIELD, 0)
    note_global(memory, row, mask, site, item_bytes, address, before, pieces)


@compiled
def count_atomic(memory, site, space, item_bytes, turn, address):
    here = lanes_here()
    mask = lanes_at(here, site, turn)
    step, before = step_of(here, mask, address), address_before(here, mask, address)
    pieces = pieces_of(here, mask, address, before, item_bytes)
    distinct = sum_of(here, mask, 1 if before != address else 0)
    longest = most_of(here, mask, equal_to(here, mask, address))
    row = row_of(memory, site)
    note_access(memory, row, mask, item_bytes, step)
    note_wavefronts(memory, row, mask, longest, cuda.popc(mask) - distinct)
    if space == GLOBAL:
        note_global(memory, row, mask, site, item_bytes, address, before, pieces)


@compiled
def fullest_bank(words, lanes):
    """How many different words the fullest bank has to give, of the new ones of these lanes."""
    banks = cuda.local.array(BANKS, int64)
    for bank in range(BANKS):
        banks[bank] = 0
    most = 0
    for lane in range(WARP):
        if lanes >> lane & 1:
            first = words[lane] >> FIELD
            for word in range(first, first + (words[lane] & FIELD_MASK)):
                banks[word % BANKS] += 1
                most = max(most, banks[word % BANKS])
    return most


@compiled
def count_shared(memory, site, item_bytes, turn, address):
    group = WARP if item_bytes <= WORD else WARP // 2 if item_bytes <= 2 * WORD else WARP // 4
    here = lanes_here()
    mask = lanes_at(here, site, turn)
    step = step_of(here, mask, address)
    lanes = mask & ((1 << group) - 1) << (cuda.laneid // group * group)
    before = address_before(here, lanes, address)
    own = first_new(address, before, item_bytes, WORD_BITS) << FIELD | new_pieces(address, before, item_bytes, WORD_BITS)
    words = cuda.local.array(WARP, int64)
    for lane in range(WARP):
        words[lane] = of_lane(here, own, lane)
    row = row_of(memory, site)
    note_access(memory, row, mask, item_bytes, step)
    if is_first_of(lanes):
        wavefronts = fullest_bank(words, lanes)
        note_wavefronts(memory, row, lanes, wavefronts, wavefronts - 1)


@compiled
def count_elsewhere(memory, site, space, item_bytes, turn, address):
    """Constant memory gives one word at a time; of memory that is not known nothing more is counted."""
    here = lanes_here()
    mask = lanes_at(here, site, turn)
    step = step_of(here, mask, address)
    distinct = sum_of(here, mask, 1 if address_before(here, mask, address) != address else 0)
    row = row_of(memory, site)
    note_access(memory, row, mask, item_bytes, step)
    if space == CONSTANT:
        note_wavefronts(memory, row, mask, distinct, distinct - 1)


@compiled
def count_local(memory, site, item_bytes, turn, address):
    """Local memory lies interleaved by words; the address is that in the thread's own."""
    here = lanes_here()
    mask = lanes_at(here, site, turn)
    step = step_of(here, mask, address)
    words, both = (item_bytes + WORD - 1) // WORD, 0
    for word in range(most_of(here, here, words)):
        place = ((address // WORD + word) * WARP + cuda.laneid) * WORD
        before = address_before(here, mask, place)
        touched = sum_of(here, mask, new_pieces(place, before, WORD, SECTOR_BITS)
                         | new_pieces(place, before, WORD, LINE_BITS) << FIELD)
        both += touched if word < words else 0
    row = row_of(memory, site)
    note_access(memory, row, mask, item_bytes, step)
    note_wavefronts(memory, row, mask, both >> FIELD, 0)
    if is_first_of(mask):
        cuda.atomic.add(memory, row + SECTORS_TOUCHED, both & FIELD_MASK)
        cuda.atomic.add(memory, row + SECTORS_IDEAL, (cuda.popc(mask) * item_bytes + 31) >> SECTOR_BITS)


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
    here = lanes_here()
    if kind == ATOMIC:
        count_atomic(memory, site, space, item_bytes, turn, address)
    elif space == GLOBAL:
        count_global(memory, site, item_bytes, turn, address)
    elif space == SHARED:
        count_shared(memory, site, item_bytes, turn, address)
    elif space == LOCAL:
        count_local(memory, site, item_bytes, turn, address)
    else:
        count_elsewhere(memory, site, space, item_bytes, turn, address)
    note_event(memory, site, turn, address)
    wait_for(here)


# --- branches, barriers, parts, loops


@compact
def branch(memory, site, turn, condition):
    here = lanes_here()
    mask = lanes_at(here, site, turn)
    yes = cuda.ballot_sync(here, condition != 0) & mask
    row = row_of(memory, site)
    note_request(memory, row, mask)
    if yes != 0 and yes != mask and is_first_of(mask):
        cuda.atomic.add(memory, row + DIVERGENT, 1)
    note_event(memory, site, turn, condition)
    wait_for(here)


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
    here = lanes_here()
    mask = lanes_at(here, site, turn)
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
    wait_for(here)


@compact
def part(memory, number, turn):
    here = lanes_here()
    mask = lanes_at(here, number, turn)
    if is_first_of(mask):
        copy = block_number() & (memory[COPIES] - 1)
        at = memory[AT_PARTS] + copy * memory[COPY_WORDS] + 2 * number
        cuda.atomic.add(memory, at, 1)
        cuda.atomic.add(memory, at + 1, cuda.popc(mask))
        if block_number() < memory[BLOCKS]:
            cuda.atomic.add(memory, memory[AT_WARPS] + warp_word(), memory[memory[AT_WEIGHTS] + number])
    wait_for(here)


@compact
def loop(memory, number, times):
    """number: twice the loop's, one more for its turns."""
    here = lanes_here()
    thread = block_number() * block_threads() + thread_number()
    if thread < memory[THREADS]:
        memory[memory[AT_LOOPS] + number * memory[THREADS] + thread] += times
    wait_for(here)

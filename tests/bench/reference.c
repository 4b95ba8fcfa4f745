/* What the compiled kernels are held against: plain recursions on bit boards, as one would write them in C.

   Bit i is square i, row by row. `mine` are the stones of the side to move. Children are searched in natural order
   (lowest bit first); values are those of the side to move: +1 a win, 0 a draw or the horizon, -1 a loss.
   lined[s] says whether the set of stones s holds a line: one look-up, as in the games' own rules. */

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { SIDE3 = 3, SIDE4 = 4, FULL3 = (1 << 9) - 1, FULL4 = (1 << 16) - 1, INFINITE = 1 << 20 };

static bool lined3[FULL3 + 1], lined4[FULL4 + 1];

static struct { int64_t nodes, terminals; } counted;

/* Whether `stones` fill a row, a column or a diagonal of a board with `side` squares a side. */
static bool has_line(unsigned stones, int side) {
    bool falling = true, rising = true;
    for (int i = 0; i < side; i++) {
        bool row = true, column = true;
        for (int j = 0; j < side; j++) {
            row = row && stones >> (i * side + j) & 1;
            column = column && stones >> (j * side + i) & 1;
        }
        if (row || column) return true;
        falling = falling && stones >> (i * side + i) & 1;
        rising = rising && stones >> (i * side + side - 1 - i) & 1;
    }
    return falling || rising;
}

void prepare(void) {
    for (unsigned stones = 0; stones <= FULL3; stones++) lined3[stones] = has_line(stones, SIDE3);
    for (unsigned stones = 0; stones <= FULL4; stones++) lined4[stones] = has_line(stones, SIDE4);
}

static int minimax(unsigned mine, unsigned theirs) {
    counted.nodes++;
    unsigned empty = FULL3 & ~(mine | theirs);
    if (lined3[theirs]) { counted.terminals++; return -1; }
    if (!empty) { counted.terminals++; return 0; }
    int best = -INFINITE;
    for (; empty; empty &= empty - 1) {
        int value = -minimax(theirs, mine | (empty & -empty));
        if (value > best) best = value;
    }
    return best;
}

static int alphabeta(unsigned mine, unsigned theirs, int plies, int alpha, int beta) {
    counted.nodes++;
    unsigned empty = FULL4 & ~(mine | theirs);
    if (lined4[theirs]) { counted.terminals++; return -1; }
    if (!empty) { counted.terminals++; return 0; }
    if (!plies) return 0;
    int best = -INFINITE;
    for (; empty; empty &= empty - 1) {
        int value = -alphabeta(theirs, mine | (empty & -empty), plies - 1, -beta, -alpha);
        if (value > best) best = value;
        if (best > alpha) alpha = best;
        if (alpha >= beta) break;
    }
    return best;
}

/* The best that we can write: leaves are told before a call is made, and 3 x 3 has a function for each number of empty
   squares, the last of which needs no loop. */

/* The last square is filled even where the one before has won: a look-up in vain costs less than a branch that cannot be
   foreseen. */
static inline int two_left(unsigned mine, unsigned theirs, unsigned empty) {
    unsigned one = empty & -empty, other = empty ^ one;
    int won_by_one = lined3[mine | one], won_by_other = lined3[mine | other];
    int lost = lined3[theirs | one] & lined3[theirs | other];
    counted.nodes += 4 - won_by_one - won_by_other;
    counted.terminals += 2;
    return won_by_one | won_by_other ? 1 : -lost;
}

#define LEVEL(NAME, BELOW)                                              \
    static int NAME(unsigned mine, unsigned theirs, unsigned empty) {   \
        int best = -INFINITE;                                           \
        for (unsigned left = empty; left; left &= left - 1) {           \
            unsigned square = left & -left, stones = mine | square;     \
            int value = 1;                                              \
            counted.nodes++;                                            \
            if (lined3[stones]) counted.terminals++;                    \
            else value = -BELOW(theirs, stones, empty ^ square);        \
            if (value > best) best = value;                             \
        }                                                               \
        return best;                                                    \
    }

LEVEL(three_left, two_left)
LEVEL(four_left, three_left)
LEVEL(five_left, four_left)
LEVEL(six_left, five_left)
LEVEL(seven_left, six_left)
LEVEL(eight_left, seven_left)
LEVEL(nine_left, eight_left)

static int best_alphabeta(unsigned mine, unsigned theirs, unsigned empty, int plies, int alpha, int beta) {
    int best = -INFINITE;
    for (unsigned left = empty; left; left &= left - 1) {
        unsigned square = left & -left, stones = mine | square;
        int value = 0;
        counted.nodes++;
        if (lined4[stones]) { counted.terminals++; value = 1; }
        else if (empty == square) counted.terminals++;
        else if (plies > 1) value = -best_alphabeta(theirs, stones, empty ^ square, plies - 1, -beta, -alpha);
        if (value > best) best = value;
        if (best > alpha) alpha = best;
        if (alpha >= beta) break;
    }
    return best;
}

/* Alpha-beta with a transposition table: keys exact, two words an entry, every new entry replaces the old. */

enum { EXACT = 1, LOWER, UPPER };

static struct { uint64_t key, data; } *table;
static uint64_t mask;

static int with_table(unsigned mine, unsigned theirs, unsigned empty, int alpha, int beta, bool root) {
    uint64_t key = (uint64_t)mine << 16 | theirs;
    uint64_t slot = key * 0x9E3779B97F4A7C15u >> 24 & mask;
    if (!root && table[slot].data && table[slot].key == key) {
        int value = (int)(table[slot].data >> 2) - 4, bound = table[slot].data & 3;
        if (bound == EXACT || (bound == LOWER && value >= beta) || (bound == UPPER && value <= alpha)) return value;
    }
    int best = -INFINITE, low = alpha;
    for (unsigned left = empty; left; left &= left - 1) {
        unsigned square = left & -left, stones = mine | square;
        int value = 0;
        counted.nodes++;
        if (lined4[stones]) { counted.terminals++; value = 1; }
        else if (empty == square) counted.terminals++;
        else value = -with_table(theirs, stones, empty ^ square, -beta, -low, false);
        if (value > best) best = value;
        if (best > low) low = best;
        if (best >= beta) break;
    }
    table[slot].key = key;
    table[slot].data = (uint64_t)(best + 4) << 2 | (best >= beta ? LOWER : best <= alpha ? UPPER : EXACT);
    return best;
}

/* All write {nodes, terminals} and give the root's value. */
int minimax_3x3(unsigned mine, unsigned theirs, int64_t counts[2]) {
    counted.nodes = counted.terminals = 0;
    int value = minimax(mine, theirs);
    counts[0] = counted.nodes;
    counts[1] = counted.terminals;
    return value;
}

int alphabeta_4x4(unsigned mine, unsigned theirs, int plies, int64_t counts[2]) {
    counted.nodes = counted.terminals = 0;
    int value = alphabeta(mine, theirs, plies, -INFINITE, INFINITE);
    counts[0] = counted.nodes;
    counts[1] = counted.terminals;
    return value;
}

int best_minimax_3x3(unsigned mine, unsigned theirs, int64_t counts[2]) {
    counted.nodes = 1;
    counted.terminals = 0;
    int value = nine_left(mine, theirs, FULL3);
    counts[0] = counted.nodes;
    counts[1] = counted.terminals;
    return value;
}

int best_alphabeta_4x4(unsigned mine, unsigned theirs, int plies, int64_t counts[2]) {
    counted.nodes = 1;
    counted.terminals = 0;
    int value = best_alphabeta(mine, theirs, FULL4 & ~(mine | theirs), plies, -INFINITE, INFINITE);
    counts[0] = counted.nodes;
    counts[1] = counted.terminals;
    return value;
}

/* `memory` has room for so many entries, a power of two, and holds zeros. */
int solve_4x4_in(void *memory, unsigned mine, unsigned theirs, int64_t entries, int64_t counts[2]) {
    table = memory;
    mask = entries - 1;
    counted.nodes = 1;
    counted.terminals = 0;
    int value = with_table(mine, theirs, FULL4 & ~(mine | theirs), -INFINITE, INFINITE, true);
    counts[0] = counted.nodes;
    counts[1] = counted.terminals;
    return value;
}

/* The same in memory of its own; INT_MIN where there is none. */
int solve_4x4(unsigned mine, unsigned theirs, int64_t entries, int64_t counts[2]) {
    void *memory = calloc(entries, sizeof *table);
    if (!memory) return INT_MIN;
    int value = solve_4x4_in(memory, mine, theirs, entries, counts);
    free(memory);
    return value;
}

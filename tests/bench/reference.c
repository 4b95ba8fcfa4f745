/* What the compiled kernels are held against: plain recursions on bit boards, as one would write them in C.

   Bit i is square i, row by row. `mine` are the stones of the side to move. Children are searched in natural order
   (lowest bit first); values are those of the side to move: +1 a win, 0 a draw or the horizon, -1 a loss.
   lined[s] says whether the set of stones s holds a line: one look-up, as in the games' own rules. */

#include <stdbool.h>
#include <stdint.h>

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

/* Both write {nodes, terminals} and give the root's value. */
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

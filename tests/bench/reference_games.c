/* Othello and Ultimate tic-tac-toe as `reference.c` has four in a row: alpha-beta to a fixed depth as fast as we can write
   it in C, in natural order, with an open window. Values are those of the side to move, a win 300; a horizon leaf is worth
   the difference of discs, or of boards won, as the engine's evaluations of that name have it. A position's legal moves are
   found once, before it is entered, for they say whether it is a leaf.

   The bit boards are those of `engine/games/othello.py` and `ultimate.py`, and so are the tricks. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { INFINITE = 1 << 20, UNIT = 300 };

static struct { int64_t nodes, terminals; } counted;

static int lowest(uint64_t bits) { return __builtin_ctzll(bits); }
static int number(uint64_t bits) { return __builtin_popcountll(bits); }

/* Othello */

typedef struct { int step; uint64_t within; } Axis;

#define COLUMNS 0x7E7E7E7E7E7E7E7Eull
#define ROWS 0x00FFFFFFFFFFFF00ull
static const Axis across = {1, COLUMNS}, along = {8, ROWS}, falling = {9, COLUMNS & ROWS}, rising = {7, COLUMNS & ROWS};

static inline uint64_t above(uint64_t seed, uint64_t free, int step) {
    uint64_t found = free & seed << step;
    found |= free & found << step;
    uint64_t pairs = free & free << step;
    found |= pairs & found << 2 * step;
    return found | (pairs & found << 2 * step);
}

static inline uint64_t below(uint64_t seed, uint64_t free, int step) {
    uint64_t found = free & seed >> step;
    found |= free & found >> step;
    uint64_t pairs = free & free >> step;
    found |= pairs & found >> 2 * step;
    return found | (pairs & found >> 2 * step);
}

static inline uint64_t ends(uint64_t mine, uint64_t theirs, Axis axis) {
    uint64_t free = theirs & axis.within;
    return above(mine, free, axis.step) << axis.step | below(mine, free, axis.step) >> axis.step;
}

static inline uint64_t legal(uint64_t mine, uint64_t theirs) {
    uint64_t found = ends(mine, theirs, across) | ends(mine, theirs, along);
    return (found | ends(mine, theirs, falling) | ends(mine, theirs, rising)) & ~(mine | theirs);
}

static inline uint64_t flipped(uint64_t disc, uint64_t mine, uint64_t theirs, Axis axis) {
    uint64_t free = theirs & axis.within;
    uint64_t up = above(disc, free, axis.step), down = below(disc, free, axis.step);
    return (mine & up << axis.step ? up : 0) | (mine & down >> axis.step ? down : 0);
}

static int othello(uint64_t mine, uint64_t theirs, uint64_t moves, int plies, int alpha, int beta) {
    int best = -INFINITE;
    bool passes = !moves;
    do {
        uint64_t disc = moves & -moves, flips = 0;
        if (!passes) {
            flips = flipped(disc, mine, theirs, across) | flipped(disc, mine, theirs, along);
            flips |= flipped(disc, mine, theirs, falling) | flipped(disc, mine, theirs, rising);
        }
        uint64_t ours = mine | flips | disc, others = theirs & ~flips, next = legal(others, ours);
        int ahead = number(ours) - number(others), value;
        counted.nodes++;
        moves ^= disc;
        if (!next && !legal(ours, others)) {
            counted.terminals++;
            value = ahead > 0 ? UNIT : ahead < 0 ? -UNIT : 0;
        } else if (plies == 1) value = ahead * ((UNIT - 1) / 64);
        else value = -othello(others, ours, next, plies - 1, -beta, -alpha);
        if (value > best) best = value;
        if (best > alpha) alpha = best;
        if (alpha >= beta) break;
    } while (moves);
    return best;
}

/* Ultimate tic-tac-toe */

enum { LOW = 54, BIG = 27, ALL = 0777, FULL = 07 | 07 << 9 | 07 << 18 };

typedef struct { uint64_t low, high; } Words;

static const int lines[8] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
static bool wins[ALL + 1];
static Words squares[ALL + 1];
static uint8_t board_of[81], cell_of[81], offsets[9];

static uint64_t local(uint64_t word, int offset) {
    uint64_t rows = word >> offset;
    return (rows & 07) | (rows >> 6 & 070) | (rows >> 12 & 0700);
}

static int ultimate(Words mine, Words theirs, int boards, int plies, int alpha, int beta) {
    int best = -INFINITE;
    Words moves = {
        squares[boards].low & ~(mine.low | theirs.low), squares[boards].high & ~(mine.high | theirs.high)
    };
    while (moves.low | moves.high) {
        Words ours = mine, others = theirs;
        int move, board, value;
        uint64_t own, both;
        bool won = false;
        if (moves.low) {
            move = lowest(moves.low);
            board = board_of[move];
            moves.low &= moves.low - 1;
            ours.low |= 1ull << move;
            own = local(ours.low, offsets[board]);
            both = (ours.low | others.low) >> offsets[board];
        } else {
            move = LOW + lowest(moves.high);
            board = board_of[move];
            moves.high &= moves.high - 1;
            ours.high |= 1ull << (move - LOW);
            own = local(ours.high, offsets[board]);
            both = (ours.high | others.high) >> offsets[board];
        }
        if (wins[own]) {
            ours.high |= 1ull << (BIG + board);
            won = wins[(ours.high & ~others.high) >> BIG];
        } else if ((both & FULL) == FULL) {
            ours.high |= 1ull << (BIG + board);
            others.high |= 1ull << (BIG + board);
        }
        int closed = (int)((ours.high | others.high) >> BIG), target = 1 << cell_of[move];
        int next = closed & target ? ALL & ~closed : target;
        counted.nodes++;
        if (won) { counted.terminals++; value = UNIT; }
        else if (!next) { counted.terminals++; value = 0; }
        else if (plies == 1) value = (number(ours.high >> BIG) - number(others.high >> BIG)) * ((UNIT - 1) / 9);
        else value = -ultimate(others, ours, next, plies - 1, -beta, -alpha);
        if (value > best) best = value;
        if (best > alpha) alpha = best;
        if (alpha >= beta) break;
    }
    return best;
}

void prepare_games(void) {
    memset(squares, 0, sizeof squares);
    for (int square = 0; square < 81; square++) {
        int board = square / 27 * 3 + square % 9 / 3;
        board_of[square] = board;
        cell_of[square] = square / 9 % 3 * 3 + square % 3;
        offsets[board] = (board / 3 == 1 ? 27 : 0) + board % 3 * 3;
        for (int boards = 0; boards <= ALL; boards++)
            if (boards >> board & 1) {
                if (square < LOW) squares[boards].low |= 1ull << square;
                else squares[boards].high |= 1ull << (square - LOW);
            }
    }
    for (int stones = 0; stones <= ALL; stones++)
        for (int line = 0; line < 8; line++) wins[stones] |= (stones & lines[line]) == lines[line];
}

/* Both write {nodes, terminals} and give the root's value. The side to move has a move, not only a pass. */

int alphabeta_othello(uint64_t mine, uint64_t theirs, int plies, int64_t counts[2]) {
    counted.nodes = 1;
    counted.terminals = 0;
    int value = othello(mine, theirs, legal(mine, theirs), plies, -INFINITE, INFINITE);
    counts[0] = counted.nodes;
    counts[1] = counted.terminals;
    return value;
}

/* `words` are those of the engine's position. */
int alphabeta_ultimate(const int64_t words[5], int plies, int64_t counts[2]) {
    counted.nodes = 1;
    counted.terminals = 0;
    Words mine = {words[0], words[1]}, theirs = {words[2], words[3]};
    int value = ultimate(mine, theirs, (int)words[4], plies, -INFINITE, INFINITE);
    counts[0] = counted.nodes;
    counts[1] = counted.terminals;
    return value;
}

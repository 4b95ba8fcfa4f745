/* The textbook's parallel minimax, which every MPI search here is held against: the root is broadcast, rank r of P takes
   the moves r, r + P, r + 2P ..., each keeps the best of its own, and a reduction by MAXLOC finds the best of all.

       mpiexec -n 2 reference_mpi MINE THEIRS       four in a row on 4 x 4; the stones as sets, as in reference.c

   Rank 0 prints the ranks, the root's value, the move, the nodes visited, and the seconds from the broadcast to the end
   of the reduction. Below the root it is the plain recursion of reference.c. Where moves are equally good, each rank
   keeps its first and MAXLOC the lowest, so the move played does not depend on who comes first. */

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 4, FULL = (1 << 16) - 1, INFINITE = 1 << 20 };

static bool lined[FULL + 1];

static int64_t nodes;

static void prepare(void) {
    for (unsigned stones = 0; stones <= FULL; stones++) {
        for (unsigned i = 0; i < SIDE; i++)
            lined[stones] |= (stones >> i * SIDE & 15) == 15 || (stones >> i & 0x1111) == 0x1111;
        lined[stones] |= (stones & 0x8421) == 0x8421 || (stones & 0x1248) == 0x1248;
    }
}

static int minimax(unsigned mine, unsigned theirs) {
    nodes++;
    unsigned empty = FULL & ~(mine | theirs);
    if (lined[theirs]) return -1;
    if (!empty) return 0;
    int best = -INFINITE;
    for (; empty; empty &= empty - 1) {
        int value = -minimax(theirs, mine | (empty & -empty));
        if (value > best) best = value;
    }
    return best;
}

int main(int count, char **words) {
    MPI_Init(&count, &words);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    prepare();
    unsigned root[2] = {0, 0};
    if (rank == 0 && count == 3)
        for (int side = 0; side < 2; side++) root[side] = strtoul(words[1 + side], NULL, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();

    MPI_Bcast(root, 2, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    struct { int value, move; } own = {-INFINITE, -1}, best;
    unsigned empty = FULL & ~(root[0] | root[1]);
    for (int number = 0; empty; number++, empty &= empty - 1) {
        if (number % ranks != rank) continue;
        int value = -minimax(root[1], root[0] | (empty & -empty));
        if (value > own.value) {
            own.value = value;
            own.move = __builtin_ctz(empty);
        }
    }
    MPI_Reduce(&own, &best, 1, MPI_2INT, MPI_MAXLOC, 0, MPI_COMM_WORLD);

    double seconds = MPI_Wtime() - begun;
    int64_t all;
    MPI_Reduce(&nodes, &all, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) printf("%d %d %d %lld %.9f\n", ranks, best.value, best.move, (long long)all + 1, seconds);
    MPI_Finalize();
    return 0;
}

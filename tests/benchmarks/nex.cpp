// The yardstick of Nex's tables: the same layers, swept the direct way, in C++.
//
//     c++ -O3 -march=native -o nex nex.cpp && ./nex 3 5
//
// Each position is taken apart, each move made on bit sets, and the place of each child worked
// out by itself (pext where the machine has it), until one is lost for the other side. Prints the
// value of the empty board for the first player, how many openings win, draw and lose, the
// positions, and the seconds.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>
#ifdef __BMI2__
#include <immintrin.h>
#endif

using u32 = uint32_t;
using u64 = uint64_t;
enum { LOST = 1, DRAWN = 2, WON = 3 };

static int rows, cols, cells;
static u32 full;
static std::vector<u32> rank_of;
static std::vector<char> joined[2];

static u32 pext(u32 x, u32 mask) {
#ifdef __BMI2__
    return _pext_u32(x, mask);
#else
    u32 found = 0, place = 1;
    for (; mask; mask &= mask - 1, place <<= 1)
        if (x & mask & -mask) found |= place;
    return found;
#endif
}

static u32 pdep(u32 x, u32 mask) {
#ifdef __BMI2__
    return _pdep_u32(x, mask);
#else
    u32 found = 0;
    for (; x; x >>= 1, mask &= mask - 1)
        if (x & 1) found |= mask & -mask;
    return found;
#endif
}

static u64 choose(int n, int k) {
    u64 found = 1;
    for (int i = 1; i <= k; i++) found = found * (n - k + i) / i;
    return found;
}

static u32 following(u32 x) {
    u32 low = x & -x, ripple = x + low;
    return ((ripple ^ x) >> 2) / low | ripple;
}

struct Layer {
    int empty, neutral, placed, black;
    u64 placings, colourings, size;
    std::vector<uint8_t> data;
    Layer(int e, int n) : empty(e), neutral(n), placed(cells - e - n), black((placed + 1) / 2) {
        placings = choose(cells - e, n);
        colourings = choose(placed, black);
        size = choose(cells, e) * placings * colourings;
        data.assign(size / 4 + 1, 0);
    }
    int read(u32 blacks, u32 whites, u32 neutrals) const {
        u32 stones = blacks | whites, rest = stones | neutrals;
        u64 at = (rank_of[full & ~rest] * placings + rank_of[pext(neutrals, rest)]) * colourings
                 + rank_of[pext(blacks, stones)];
        return data[at >> 2] >> ((at & 3) * 2) & 3;
    }
};

static int value(const Layer &layer, const Layer *below, const Layer *beside, u32 blacks, u32 whites,
                 u32 neutrals) {
    bool white = layer.placed & 1;
    u32 own = white ? whites : blacks, other = white ? blacks : whites;
    if (joined[!white][other]) return LOST;
    u32 empty = full & ~(blacks | whites | neutrals);
    bool moved = false;
    int best = LOST;
    auto child = [&](const Layer &to, u32 mine, u32 rest) {
        moved = true;
        int found = white ? to.read(other, mine, rest) : to.read(mine, other, rest);
        if (4 - found > best) best = 4 - found;
        return best == WON;
    };
    if (below)
        for (u32 a = empty; a; a &= a - 1)
            for (u32 one = a & -a, b = empty ^ one; b; b &= b - 1)
                if (child(*below, own | one, neutrals | (b & -b))) return WON;
    if (beside)
        for (u32 a = neutrals; a; a &= a - 1)
            for (u32 one = a & -a, b = a ^ one; b; b &= b - 1)
                for (u32 two = b & -b, g = own; g; g &= g - 1) {
                    u32 given = g & -g;
                    if (child(*beside, (own ^ given) | one | two, neutrals ^ one ^ two ^ given))
                        return WON;
                }
    return moved ? best : DRAWN;
}

static void sweep(Layer &layer, const Layer *below, const Layer *beside) {
    u64 at = 0;
    for (u32 empty = (1u << layer.empty) - 1; empty <= full;) {
        u32 rest = full & ~empty, packed = (1u << layer.neutral) - 1;
        for (u64 i = 0; i < layer.placings; i++) {
            u32 neutrals = pdep(packed, rest), stones = rest & ~neutrals;
            u32 colours = (1u << layer.black) - 1;
            for (u64 j = 0; j < layer.colourings; j++, at++) {
                u32 blacks = pdep(colours, stones);
                int found = value(layer, below, beside, blacks, stones & ~blacks, neutrals);
                layer.data[at >> 2] |= found << ((at & 3) * 2);
                if (colours) colours = following(colours);
            }
            if (packed) packed = following(packed);
        }
        if (!empty) break;
        empty = following(empty);
    }
}

static void connect() {
    for (int colour = 0; colour < 2; colour++) {
        joined[colour].assign(full + 1u, 0);
        for (u32 own = 0; own <= full; own++) {
            u32 reach = 0, goal = 0;
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < cols; c++) {
                    u32 cell = 1u << (r * cols + c);
                    if ((colour ? c : r) == 0) reach |= cell & own;
                    if ((colour ? c == cols - 1 : r == rows - 1)) goal |= cell;
                }
            for (u32 before = ~reach; before != reach;) {
                before = reach;
                for (int r = 0; r < rows; r++)
                    for (int c = 0; c < cols; c++) {
                        if (!(reach >> (r * cols + c) & 1)) continue;
                        const int steps[6][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, 1}, {1, -1}};
                        for (auto &step : steps) {
                            int y = r + step[0], x = c + step[1];
                            if (y >= 0 && y < rows && x >= 0 && x < cols)
                                reach |= own & 1u << (y * cols + x);
                        }
                    }
            }
            joined[colour][own] = (reach & goal) != 0;
        }
    }
}

int main(int, char **words) {
    rows = atoi(words[1]), cols = atoi(words[2]), cells = rows * cols;
    full = (1u << cells) - 1;
    auto begun = std::chrono::steady_clock::now();
    rank_of.assign(full + 1u, 0);
    std::vector<u32> seen(cells + 1, 0);
    for (u32 x = 0; x <= full; x++) rank_of[x] = seen[__builtin_popcount(x)]++;
    connect();
    std::map<std::pair<int, int>, Layer> layers;
    u64 positions = 0;
    auto find = [&](int e, int n) {
        auto found = layers.find({e, n});
        return found == layers.end() ? nullptr : &found->second;
    };
    for (int empty = cells % 2; empty <= cells; empty += 2)
        for (int neutral = empty < cells; neutral <= (cells - empty) / 2; neutral++) {
            Layer &layer = layers.emplace(std::make_pair(empty, neutral), Layer(empty, neutral))
                               .first->second;
            sweep(layer, empty >= 2 ? find(empty - 2, neutral + 1) : nullptr,
                  neutral >= 2 ? find(empty, neutral - 1) : nullptr);
            positions += layer.size;
        }
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    const Layer &openings = *find(cells - 2, 1);
    int counts[4] = {0, 0, 0, 0};
    for (int own = 0; own < cells; own++)
        for (int other = 0; other < cells; other++)
            if (own != other) counts[openings.read(1u << own, 0, 1u << other)]++;
    printf("%d %d %d %d %llu %.3f\n", find(cells, 0)->read(0, 0, 0) - DRAWN, counts[LOST],
           counts[DRAWN], counts[WON], (unsigned long long)positions, seconds);
}

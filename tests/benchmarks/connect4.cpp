// Connect four solved by a program for nothing else, as a yardstick: its nodes and its time.
//
// The usual design: a position is two sets of bits; only moves that do not lose at once are tried,
// those that make most threats first; a table of upper bounds under exact keys; the score is found
// by windows of width one, from both ends of what is possible toward zero. A score is 22 less the
// stones that the winner has at the end, negative for a loss.
//
//     connect4 < positions    prints for each line of columns its score, nodes and, in all, seconds

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

using Bits = uint64_t;

constexpr int kColumns = 7, kRows = 6, kCells = kColumns * kRows;
constexpr Bits kBottom = 0x0000040810204081ull;  // the lowest cell of each column of seven bits
constexpr Bits kBoard = kBottom * 63;

Bits column(int c) { return Bits{63} << 7 * c; }

struct Position {
  Bits mine = 0, held = 0;
  int plies = 0;

  void play(Bits cell) {
    mine ^= held;
    held |= cell;
    ++plies;
  }
  bool drop(int c) {
    Bits cell = (held + (Bits{1} << 7 * c)) & column(c);
    if (!cell) return false;
    play(cell);
    return true;
  }
  Bits open() const { return (held + kBottom) & kBoard; }
  Bits key() const { return mine + held; }
};

// The empty cells where one more of these stones makes four.
Bits threats(Bits stones, Bits held) {
  Bits found = (stones << 1) & (stones << 2) & (stones << 3);
  for (int step : {6, 7, 8}) {
    Bits up = (stones << step) & (stones << 2 * step);
    Bits down = (stones >> step) & (stones >> 2 * step);
    found |= up & ((stones << 3 * step) | (stones >> step));
    found |= down & ((stones >> 3 * step) | (stones << step));
  }
  return found & kBoard & ~held;
}

Bits unlosing(const Position& p) {
  Bits cells = p.open(), feared = threats(p.held ^ p.mine, p.held);
  if (Bits forced = cells & feared) {
    if (forced & (forced - 1)) return 0;
    cells = forced;
  }
  return cells & ~(feared >> 1);
}

struct Solver {
  static constexpr size_t kEntries = (1 << 23) + 9;  // prime
  struct Entry {
    Bits key = 0;
    int8_t upper = 0;
  };
  std::vector<Entry> table = std::vector<Entry>(kEntries);
  int64_t nodes = 0;

  // Of a position whose mover cannot win at once; fail-soft within [alpha, beta].
  int search(const Position& p, int alpha, int beta) {
    ++nodes;
    Bits cells = unlosing(p);
    if (!cells) return -(kCells - p.plies) / 2;
    if (p.plies >= kCells - 2) return 0;
    alpha = std::max(alpha, -(kCells - 2 - p.plies) / 2);
    int most = (kCells - 1 - p.plies) / 2;
    Entry& entry = table[p.key() % kEntries];
    if (entry.key == p.key()) most = std::min(most, int{entry.upper});
    beta = std::min(beta, most);
    if (alpha >= beta) return beta;

    struct Move {
      Bits cell;
      int threats;
    } moves[kColumns];
    int n = 0;
    for (int c : {3, 2, 4, 1, 5, 0, 6}) {
      Bits cell = cells & column(c);
      if (!cell) continue;
      int made = __builtin_popcountll(threats(p.mine | cell, p.held | cell));
      int at = n++;
      for (; at > 0 && moves[at - 1].threats < made; --at) moves[at] = moves[at - 1];
      moves[at] = {cell, made};
    }
    for (int i = 0; i < n; ++i) {
      Position child = p;
      child.play(moves[i].cell);
      int score = -search(child, -beta, -alpha);
      if (score >= beta) return score;
      alpha = std::max(alpha, score);
    }
    entry = {p.key(), static_cast<int8_t>(alpha)};
    return alpha;
  }

  int solve(const Position& p) {
    if (p.open() & threats(p.mine, p.held)) return (kCells + 1 - p.plies) / 2;
    int low = -(kCells - p.plies) / 2, high = (kCells + 1 - p.plies) / 2;
    while (low < high) {
      int middle = low + (high - low) / 2;
      if (middle <= 0 && low / 2 < middle) middle = low / 2;
      if (middle >= 0 && high / 2 > middle) middle = high / 2;
      int found = search(p, middle, middle + 1);
      (found <= middle ? high : low) = found;
    }
    return low;
  }
};

int main() {
  Solver solver;
  std::string line;
  double seconds = 0;
  while (std::getline(std::cin, line)) {
    Position p;
    for (char c : line) p.drop(c - '1');
    std::fill(solver.table.begin(), solver.table.end(), Solver::Entry{});
    solver.nodes = 0;
    auto begun = std::chrono::steady_clock::now();
    int score = solver.solve(p);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    std::printf("%d %lld\n", score, static_cast<long long>(solver.nodes));
  }
  std::printf("%f\n", seconds);
}

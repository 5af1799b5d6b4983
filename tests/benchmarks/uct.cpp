// Plain C++ as a yardstick for mcts: UCT written for three games, one thread, without proofs or policies.
//
// g++ -O3 -march=native -ffast-math -std=c++20 uct.cpp -o uct && ./uct connect4 1000000
//
// Prints playouts and simulations per second of processor time. A node's children lie side by side. Few are read from
// records (connect four), many from arrays of means and of visits, which the compiler vectorises (hex, gomoku).
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

using Word = uint64_t;
static Word state = 0x9E3779B97F4A7C15;

static uint32_t draw(uint32_t n) {  // xorshift64, then Lemire's multiply-shift
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return uint32_t((state >> 32) * n >> 32);
}

struct ConnectFour {  // columns of seven bits; `own` are the stones of the side to move
  static constexpr int MOVES = 7, PLIES = 42;
  static constexpr bool RECORDS = true;
  static constexpr Word LOWEST = 0x40810204081, CELLS = LOWEST * 63;
  Word own = 0, all = 0;
  int ply = 0, winner = -1;
  bool over() const { return winner >= 0 || ply == PLIES; }
  int moves(uint8_t* out) const {
    int n = 0;
    for (Word left = (all + LOWEST) & CELLS; left; left &= left - 1) out[n++] = uint8_t(__builtin_ctzll(left));
    return n;
  }
  static bool four(Word x) {
    for (int by : {1, 6, 7, 8}) {
      Word two = x & x >> by;
      if (two & two >> 2 * by) return true;
    }
    return false;
  }
  void play(Word stone) {
    Word mine = own | stone;
    all |= stone, own = all ^ mine;
    if (four(mine)) winner = ply & 1;
    ply++;
  }
  void play(int cell) { play(Word(1) << cell); }
  void playout() {
    while (!over()) {
      Word left = (all + LOWEST) & CELLS;
      for (int k = draw(__builtin_popcountll(left)); k; k--) left &= left - 1;
      play(left & -left);
    }
  }
};

template <int N>
struct Hex {  // the first side joins the first row to the last
  static constexpr int MOVES = N * N, PLIES = N * N;
  static constexpr bool RECORDS = false;
  using Set = unsigned __int128;
  Set taken = 0, first = 0;
  int ply = 0, winner = -1;
  bool over() const { return winner >= 0; }  // the tree goes on to the full board
  int moves(uint8_t* out) const {
    int n = 0;
    for (int i = 0; i < MOVES; i++)
      if (!(taken >> i & 1)) out[n++] = uint8_t(i);
    return n;
  }
  static Set row(int i) { return ((Set(1) << N) - 1) << N * i; }
  static Set column(int i) {
    Set all = 0;
    for (int r = 0; r < N; r++) all |= Set(1) << (N * r + i);
    return all;
  }
  bool joined() const {
    static const Set left = ~column(0), right = ~column(N - 1), last = row(N - 1);
    Set here = first & row(0), before = 0;
    while (here != before && !(here & last)) {
      before = here;
      Set down = here | (here & left) >> 1, up = here | (here & right) << 1;
      here |= (down | up | down << N | up >> N) & first;
    }
    return (here & last) != 0;
  }
  void play(int cell) {
    taken |= Set(1) << cell;
    if (!(ply++ & 1)) first |= Set(1) << cell;
    if (ply == PLIES) winner = !joined();
  }
  void playout() {
    uint8_t cells[MOVES];
    int n = moves(cells), mine = (n + 1 - (ply & 1)) / 2;
    for (int i = 0; i < mine; i++) {
      std::swap(cells[i], cells[i + draw(n - i)]);
      first |= Set(1) << cells[i];
    }
    winner = !joined();
  }
};

template <int N>
struct Gomoku {  // five or more in a row, on a board with a border
  static constexpr int MOVES = N * N, PLIES = N * N, WIDE = N + 2;
  static constexpr bool RECORDS = false;
  int8_t board[WIDE * WIDE];
  int ply = 0, winner = -1;
  static int place(int cell) { return (cell / N + 1) * WIDE + cell % N + 1; }
  Gomoku() {
    memset(board, 3, sizeof board);
    for (int i = 0; i < N; i++) memset(board + place(N * i), 0, N);
  }
  bool over() const { return winner >= 0 || ply == PLIES; }
  int moves(uint8_t* out) const {
    int n = 0;
    for (int i = 0; i < MOVES; i++)
      if (!board[place(i)]) out[n++] = uint8_t(i);
    return n;
  }
  void play(int cell) {
    int at = place(cell), side = 1 + (ply & 1);
    board[at] = int8_t(side);
    for (int by : {1, WIDE - 1, WIDE, WIDE + 1}) {
      int row = 1;
      for (int i = at + by; board[i] == side; i += by) row++;
      for (int i = at - by; board[i] == side; i -= by) row++;
      if (row >= 5) winner = ply & 1;
    }
    ply++;
  }
  void playout() {
    uint8_t cells[MOVES];
    int n = moves(cells);
    for (int i = 0; !over(); i++) {
      std::swap(cells[i], cells[i + draw(n - i)]);
      play(cells[i]);
    }
  }
};

template <class T>
T* zeros(size_t n) { return static_cast<T*>(calloc(n, sizeof(T))); }

template <class Game>
struct Tree {
  struct Node { float mean; int visits, first; uint8_t count, tried, code, end; };
  size_t size = 1;
  Node* nodes;
  float *means = nullptr, *spreads = nullptr;  // of the children, where they are many

  explicit Tree(size_t most) : nodes(zeros<Node>(most)) {
    if (!Game::RECORDS) means = zeros<float>(most), spreads = zeros<float>(most);
  }
  ~Tree() { free(nodes), free(means), free(spreads); }

  int select(Node& node) {
    if (node.tried < node.count) return node.first + node.tried++;
    float shared = std::sqrt(std::log(float(node.visits))), most = -1;
    int best = node.first;
    if (Game::RECORDS) {
      for (int i = node.first; i < node.first + node.count; i++) {
        float score = nodes[i].mean + shared / std::sqrt(float(nodes[i].visits));
        if (score > most) most = score, best = i;
      }
      return best;
    }
    alignas(32) float scores[Game::MOVES];
    const float *mean = means + node.first, *spread = spreads + node.first;
    for (int i = 0; i < node.count; i++) scores[i] = mean[i] + shared * spread[i];
    for (int i = 0; i < node.count; i++) most = scores[i] > most ? scores[i] : most;
    for (int i = 0; i < node.count; i++)
      if (scores[i] == most) return node.first + i;
    return best;
  }

  void expand(const Game& s, Node& node) {
    uint8_t codes[Game::MOVES];
    int n = s.moves(codes);
    node.first = int(size), node.count = uint8_t(n);
    for (int i = 0; i < n; i++) {
      std::swap(codes[i], codes[i + draw(n - i)]);
      nodes[size++].code = codes[i];
    }
  }

  void simulate() {
    Game s;
    int path[Game::PLIES + 1], depth = 0, at = path[0] = 0;
    while (!s.over()) {
      if (!nodes[at].count) {
        if (at && !nodes[at].visits) break;
        expand(s, nodes[at]);
      }
      at = select(nodes[at]);
      s.play(int(nodes[at].code));
      path[++depth] = at;
    }
    if (!s.over()) s.playout();
    for (int d = depth; d >= 0; d--) {
      float won = s.winner < 0 ? 0.5f : float(s.winner != (d & 1));  // seen from the side that moved here
      Node& node = nodes[path[d]];
      node.mean += (won - node.mean) / float(++node.visits);
      if (!Game::RECORDS) means[path[d]] = node.mean, spreads[path[d]] = 1 / std::sqrt(float(node.visits));
    }
  }
};

static double seconds() { return double(clock()) / CLOCKS_PER_SEC; }

template <class Game>
void measure(int simulations) {
  Tree<Game> tree(size_t(simulations) * Game::MOVES / (Game::RECORDS ? 1 : 2) + 1000);
  double begun = seconds();
  for (int i = 0; i < simulations; i++) tree.simulate();
  double grown = seconds();
  for (int i = 0; i < simulations; i++) {
    Game s;
    s.playout();
    state += Word(s.winner + 1);
  }
  double played = seconds();
  printf("{\"simulations\": %.0f, \"playouts\": %.0f}\n", simulations / (grown - begun), simulations / (played - grown));
}

int main(int count, char** given) {
  int simulations = count > 2 ? atoi(given[2]) : 200000;
  if (count > 1 && !strcmp(given[1], "connect4")) measure<ConnectFour>(simulations);
  else if (count > 1 && !strcmp(given[1], "hex")) measure<Hex<11>>(simulations);
  else if (count > 1 && !strcmp(given[1], "gomoku")) measure<Gomoku<15>>(simulations);
  else return fprintf(stderr, "usage: uct connect4|hex|gomoku [SIMULATIONS]\n"), 2;
}

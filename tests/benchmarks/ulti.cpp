// Ulti's contracts on open cards as one solves them by hand, nothing shared with dragon: the yardstick.
//
// The same algorithm: alpha-beta with two values, bit boards, cards that are equivalent tried once, a table
// between tricks under the relative ranks, history. Reads lines `contract trump d0 d1 d2` (the goal's number
// in the original program, the trump or 4, three hands as bit sets of places in the contract's own order)
// and prints for each `made nodes seconds`.
//
//     c++ -O3 -march=native -o ulti ulti.cpp && ./ulti < deals.txt

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using u32 = uint32_t;
using u64 = uint64_t;

static const u32 LEAST = 0x01010101u, TENTHS = 0x40404040u, TOP = 0x80808080u;
static const u32 ACE_KING_TENS = 0x08080808u;

struct Entry {
    u64 key;
    u32 age;
    int16_t low, high;  // bounds: of the declarer's further units, or of made (1) and failed (0)
};

static int contract, trump, need;
static u32 trumps, valued, starts;
static std::vector<Entry> table(1u << 19);
static u32 age = 0;
static u64 nodes = 0;
static u32 history[2][32];

struct Position {
    u32 hand[3];
    int seat, first, second, won;
};

static u32 suit_of(int card) { return 0xFFu << (card & 24); }

static u32 over(u32 cards, int card) {
    u32 above = cards & suit_of(card) & ~((2u << card) - 1);
    return above ? above : cards;
}

static u32 legal(const Position& p) {
    u32 own = p.hand[p.seat];
    if (p.first < 0) return own;
    u32 follow = own & suit_of(p.first);
    if (follow) {
        if (p.second < 0) return over(follow, p.first);
        if (p.second >> 3 == p.first >> 3)
            return over(follow, p.first > p.second ? p.first : p.second);
        if (trumps >> p.second & 1) return follow;
        return over(follow, p.first);
    }
    u32 ruff = own & trumps;
    if (!ruff) return own;
    if (p.second >= 0 && (trumps >> p.second & 1)) return over(ruff, p.second);
    return ruff;
}

static u32 distinct(const Position& p, u32 cards) {
    u32 held = p.hand[0] | p.hand[1] | p.hand[2];
    if (p.first >= 0) held |= 1u << p.first;
    if (p.second >= 0) held |= 1u << p.second;
    u32 gaps = ~(held | starts), next = (cards << 1) & ~starts;
    u32 landed = (next & gaps) + gaps;
    return cards & ~(~starts & ((next & ~gaps) | (landed & ~gaps)));
}

static bool beats(int card, int best) {
    if (card >> 3 == best >> 3) return card > best;
    return trumps >> card & 1;
}

// 1 made, 0 failed, -1 open, after a trick with `cards` was taken by `seat` with `best`.
static int status(const Position& p, u32 cards, int seat, int best) {
    u32 rest = p.hand[0] | p.hand[1] | p.hand[2];
    if (contract == 4) {
        if (!rest) return seat == 0 && best == 8 * trump;
        return p.hand[0] & trumps & LEAST ? -1 : 0;
    }
    if (contract == 5) return seat == 0 ? 0 : rest ? -1 : 1;
    if (contract == 6 || contract == 7) return seat != 0 ? 0 : rest ? -1 : 1;
    if (contract == 3) return seat != 0 && (cards & TOP) ? 0 : rest & TOP ? -1 : 1;
    if (contract == 9) return seat != 0 && (cards & TENTHS) ? 0 : rest & TENTHS ? -1 : 1;
    int come = __builtin_popcount(rest & valued) + (rest != 0);
    if (p.won >= need) return 1;
    return p.won + come < need ? 0 : -1;
}

static u64 mixed(u64 x) {
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

// Two planes of owners, gaps closed up to the barriers: a string of pairs of bits for each kind of card.
static u64 key_of(const Position& p) {
    u64 key = p.seat + 1;
    for (int suit = 0; suit < 4; suit++) {
        u32 run = 1;
        for (int card = 8 * suit; card < 8 * suit + 8; card++) {
            if (card & 7 && starts >> card & 1) {
                key = key * 0x9E3779B97F4A7C15ull + run;
                run = 1;
            }
            u32 bit = 1u << card;
            int owner = p.hand[0] & bit ? 1 : p.hand[1] & bit ? 2 : p.hand[2] & bit ? 3 : 0;
            if (owner) run = run << 2 | owner;
        }
        key = mixed(key * 0x9E3779B97F4A7C15ull + run);
    }
    return key;
}

static bool made(const Position& p) {
    bool mine = p.seat == 0;
    Entry* entry = nullptr;
    u64 key = 0;
    int wanted = need ? need - p.won : 1;
    if (p.first < 0) {
        key = key_of(p);
        entry = &table[key & (table.size() - 1)];
        if (entry->key == key && entry->age == age) {
            if (entry->low >= wanted) return true;
            if (entry->high < wanted) return false;
        }
    }
    u32 moves = distinct(p, legal(p));
    bool found = !mine;
    while (moves) {
        int card = -1;
        for (u32 rest = moves; rest; rest &= rest - 1) {
            int each = __builtin_ctz(rest);
            if (card < 0 || history[mine][each] > history[mine][card]) card = each;
        }
        moves &= ~(1u << card);
        nodes++;
        Position q = p;
        q.hand[p.seat] &= ~(1u << card);
        bool value;
        if (p.first < 0) {
            q.first = card;
            q.seat = (p.seat + 1) % 3;
            value = made(q);
        } else if (p.second < 0) {
            q.second = card;
            q.seat = (p.seat + 1) % 3;
            value = made(q);
        } else {
            int best = p.first, seat = (p.seat + 1) % 3;
            if (beats(p.second, best)) best = p.second, seat = (p.seat + 2) % 3;
            if (beats(card, best)) best = card, seat = p.seat;
            u32 cards = 1u << p.first | 1u << p.second | 1u << card;
            q.first = q.second = -1;
            q.seat = seat;
            if (seat == 0)
                q.won += __builtin_popcount(cards & valued) + (q.hand[0] == 0);
            int now = status(q, cards, seat, best);
            value = now < 0 ? made(q) : now;
        }
        if (value == mine) {
            found = mine;
            if (++history[mine][card] > 1u << 20)
                for (auto& side : history)
                    for (auto& count : side) count /= 2;
            break;
        }
    }
    if (entry) {
        if (entry->key != key || entry->age != age) *entry = {key, age, -100, 100};
        if (found) entry->low = wanted;
        else entry->high = wanted - 1;
    }
    return found;
}

int main() {
    int code, suit;
    u32 a, b, c;
    while (std::scanf("%d %d %u %u %u", &code, &suit, &a, &b, &c) == 5) {
        contract = code;
        trump = suit;
        trumps = suit < 4 ? 0xFFu << 8 * suit : 0;
        need = code < 2 ? 5 : code == 2 ? 6 : code == 8 ? 8 : 0;
        valued = code == 5 || code == 6 ? TOP | ACE_KING_TENS : TOP | TENTHS;
        starts = LEAST;
        if (need || code == 9) starts |= TENTHS;
        if (code == 3 || code == 9) starts |= TOP;
        if (code == 4) starts |= trumps & (LEAST << 1);
        age++;
        nodes = 0;
        std::memset(history, 0, sizeof history);
        auto begin = std::chrono::steady_clock::now();
        bool value = made({{a, b, c}, 0, -1, -1, 0});
        std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        std::printf("%d %llu %.9f\n", value, (unsigned long long)nodes, seconds.count());
    }
}

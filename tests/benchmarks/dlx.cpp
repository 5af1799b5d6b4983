// Dancing links as one writes it by hand, nothing shared with dragon: the yardstick.
//
// Algorithm X in the array form of TAOCP 4B, 7.2.2.1: nodes with top, up and down, spacers
// between the options, the first of the shortest items to branch on. It reads Knuth's text
// format (no colours, no bounds) and prints solutions, nodes and the seconds of the search.
//
//     c++ -O3 -march=native -o dlx dlx.cpp && ./dlx queens.txt

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

struct Node {
    int top;  // the item; of a head how many options are below, of a spacer 0 or less
    int up, down;
};

struct Item {
    int left, right;
};

static std::vector<Node> nodes;
static std::vector<Item> items;

[[noreturn]] static void fail(const std::string& why) {
    std::cerr << "dlx: " << why << "\n";
    std::exit(2);
}

static void hide(int p) {
    for (int q = p + 1; q != p;) {
        const int x = nodes[q].top, u = nodes[q].up, d = nodes[q].down;
        if (x <= 0) {
            q = u;  // a spacer: back to the first of the option
        } else {
            nodes[u].down = d;
            nodes[d].up = u;
            nodes[x].top--;
            q++;
        }
    }
}

static void unhide(int p) {
    for (int q = p - 1; q != p;) {
        const int x = nodes[q].top, u = nodes[q].up, d = nodes[q].down;
        if (x <= 0) {
            q = d;  // a spacer: on to the last of the option
        } else {
            nodes[u].down = q;
            nodes[d].up = q;
            nodes[x].top++;
            q--;
        }
    }
}

static void cover(int i) {
    for (int p = nodes[i].down; p != i; p = nodes[p].down) hide(p);
    const int l = items[i].left, r = items[i].right;
    items[l].right = r;
    items[r].left = l;
}

static void uncover(int i) {
    const int l = items[i].left, r = items[i].right;
    items[l].right = i;
    items[r].left = i;
    for (int p = nodes[i].up; p != i; p = nodes[p].up) unhide(p);
}

static void read(const char* path) {
    std::ifstream file(path);
    if (!file) fail(std::string(path) + ": cannot be read");
    std::string line, word;
    std::unordered_map<std::string, int> number;
    int primary = -1;
    items.push_back({0, 0});
    nodes.push_back({0, 0, 0});
    while (std::getline(file, line)) {
        if (line.empty() || line.rfind("| ", 0) == 0) continue;
        std::istringstream words(line);
        if (number.empty()) {  // the items
            while (words >> word) {
                if (word == "|") {
                    primary = static_cast<int>(number.size());
                    continue;
                }
                const int i = static_cast<int>(number.size()) + 1;
                if (!number.emplace(word, i).second) fail("item " + word + " is given twice");
                items.push_back({i, i});
                nodes.push_back({0, i, i});
            }
            if (primary < 0) primary = static_cast<int>(number.size());
            for (int i = 0; i <= primary; i++) {
                items[i].left = i ? i - 1 : primary;
                items[i].right = i < primary ? i + 1 : 0;
            }
            nodes.push_back({0, 0, 0});
            continue;
        }
        const int spacer = static_cast<int>(nodes.size()) - 1;
        while (words >> word) {
            const auto found = number.find(word);
            if (found == number.end()) fail("no item is called " + word);
            const int i = found->second, q = static_cast<int>(nodes.size());
            const int above = nodes[i].up;
            nodes.push_back({i, above, i});
            nodes[above].down = q;
            nodes[i].up = q;
            nodes[i].top++;
        }
        const int last = static_cast<int>(nodes.size()) - 1;
        nodes[spacer].down = last;
        nodes.push_back({-1, spacer + 1, 0});
    }
    if (number.empty()) fail(std::string(path) + ": no items");
}

int main(int argc, char** argv) {
    if (argc != 2) fail("usage: dlx FILE");
    read(argv[1]);
    std::vector<int> choice(items.size() + 1);
    long long solutions = 0, entered = 0;
    const auto start = std::chrono::steady_clock::now();
    int level = 0;
    bool deeper = true;
    while (level >= 0) {
        if (deeper) {  // a new node of the tree: step X2
            entered++;
            if (items[0].right == 0) {
                solutions++;
                level--;
                deeper = false;
                continue;
            }
            int best = items[0].right;  // step X3
            for (int i = best; i != 0 && nodes[best].top > 0; i = items[i].right)
                if (nodes[i].top < nodes[best].top) best = i;
            cover(best);  // step X4
            choice[level] = nodes[best].down;
        } else {  // step X6: the option that was tried comes back
            const int p = choice[level];
            for (int q = p - 1; q != p;) {
                if (nodes[q].top <= 0) {
                    q = nodes[q].down;
                } else {
                    uncover(nodes[q].top);
                    q--;
                }
            }
            choice[level] = nodes[p].down;
        }
        const int p = choice[level];
        if (p < static_cast<int>(items.size())) {  // step X7: every option has been tried
            uncover(p);
            level--;
            deeper = false;
            continue;
        }
        for (int q = p + 1; q != p;) {  // step X5
            if (nodes[q].top <= 0) {
                q = nodes[q].up;
            } else {
                cover(nodes[q].top);
                q++;
            }
        }
        level++;
        deeper = true;
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    std::printf("%lld %lld %.6f\n", solutions, entered, spent.count());
}

// Bitmap strategy: a depth-first walk over the configurations of the base, one AND per step; at each leaf the
// extensions' states are counted by AND and popcount. The last state follows by subtraction.
#include <algorithm>

#include "dagwright/statistics/counts.hpp"

namespace dagwright {

namespace {

// 32,768 rows: one level's bitmap is 4 KiB, so that a walk and its extensions stay in the nearest caches.
constexpr std::size_t kBlockWords = 512;

struct Extension {
    std::size_t index;
    std::uint32_t states;
    const std::uint64_t* bitmaps;  // state s at bitmaps + s * stride
    std::size_t offset;            // of its cells in the accumulators
};

struct BitmapWalk {
    const BitKernels& kernels;
    std::size_t stride;  // words per bitmap
    std::vector<const std::uint64_t*> base_bitmaps;
    std::vector<std::uint32_t> base_states;
    std::vector<Extension> extensions;
    std::uint64_t* levels;  // one block of words per level
    std::uint32_t* counts;
    std::size_t begin = 0, words = 0;

    void leaf(const std::uint64_t* rows, std::uint64_t alive, std::size_t configuration) {
        for (const Extension& e : extensions) {
            std::uint32_t* cells = counts + e.offset + configuration * e.states;
            std::uint64_t left = alive;
            std::uint32_t s = 0;
            for (; s + 1 < e.states && left > 0; ++s) {
                const std::uint64_t* states = e.bitmaps + s * stride + begin;
                const std::uint64_t n =
                    rows ? kernels.and_count(rows, states, words) : kernels.count(states, words);
                cells[s] += static_cast<std::uint32_t>(n);
                left -= n;
            }
            cells[s] += static_cast<std::uint32_t>(left);
        }
    }

    // rows == nullptr stands for all rows of the block.
    void descend(std::size_t level, const std::uint64_t* rows, std::uint64_t alive,
                 std::size_t configuration) {
        if (level == base_bitmaps.size()) return leaf(rows, alive, configuration);
        std::uint64_t* here = levels + level * kBlockWords;
        std::uint64_t left = alive;
        for (std::uint32_t s = 0; s < base_states[level] && left > 0; ++s) {
            const std::uint64_t* states = base_bitmaps[level] + s * stride + begin;
            const std::uint64_t n =
                rows ? kernels.and_store(here, rows, states, words) : kernels.count(states, words);
            if (n == 0) continue;
            left -= n;
            descend(level + 1, rows ? here : states, n, configuration * base_states[level] + s);
        }
    }
};

}  // namespace

void Counter::extend_bitmap(const VarSet& base, std::span<const Var> extensions,
                            std::span<const std::size_t> which, const VarSet& observed, CountScratch& scratch,
                            CellSink& sink) const {
    // Few states first: fewer inner steps of the walk.
    std::vector<Var> order(base.begin(), base.end());
    std::sort(order.begin(), order.end(),
              [&](Var a, Var b) { return table_->column(a).cardinality < table_->column(b).cardinality; });

    BitmapWalk walk{.kernels = kernels_,
                    .stride = words_,
                    .base_bitmaps = {},
                    .base_states = {},
                    .extensions = {},
                    .levels = nullptr,
                    .counts = nullptr};
    std::size_t configurations = 1;
    for (const Var v : order) {
        walk.base_bitmaps.push_back(bitmap(v, 0));
        walk.base_states.push_back(table_->column(v).cardinality);
        configurations *= table_->column(v).cardinality;
    }
    std::size_t cells = 0;
    for (const std::size_t i : which) {
        const std::uint32_t states = table_->column(extensions[i]).cardinality;
        walk.extensions.push_back({i, states, bitmap(extensions[i], 0), cells});
        cells += configurations * states;
    }
    scratch.counts32.assign(cells, 0);
    scratch.levels.resize((order.size() + 1) * kBlockWords);
    walk.counts = scratch.counts32.data();
    walk.levels = scratch.levels.data();

    std::uint64_t* mask = walk.levels + order.size() * kBlockWords;
    for (walk.begin = 0; walk.begin < words_; walk.begin += kBlockWords) {
        walk.words = std::min(kBlockWords, words_ - walk.begin);
        const std::size_t first_row = walk.begin * 64;
        const std::size_t rows_here =
            std::min(walk.words * 64, table_->rows() - std::min(first_row, table_->rows()));
        // The states of the base leave out its unknown rows themselves.
        std::uint64_t alive = rows_here;
        const std::uint64_t* rows = nullptr;
        for (const Var v : observed) {
            if (base.contains(v)) continue;
            const std::uint64_t* known_here = known(v) + walk.begin;
            alive = rows ? kernels_.and_store(mask, rows, known_here, walk.words)
                         : kernels_.count(known_here, walk.words);
            rows = rows ? mask : known_here;
        }
        if (alive > 0) walk.descend(0, rows, alive, 0);
    }
    sink.layout(order, true);
    for (const Extension& e : walk.extensions)
        sink.cells(e.index,
                   std::span<const std::uint32_t>(walk.counts + e.offset, configurations * e.states));
}

}  // namespace dagwright

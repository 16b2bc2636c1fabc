#include "dagwright/candidates_of_all_sets.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <limits>

namespace dagwright {

namespace {

constexpr double kWorst = -std::numeric_limits<double>::infinity();
constexpr std::size_t kLowBits = 12;    // a block of 32 KiB
constexpr std::size_t kBitsAtOnce = 3;  // of the high ones

// over[i] = max(over[i], under[i]).
void raise(double* over, const double* under, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) over[i] = over[i] < under[i] ? under[i] : over[i];
}

// Lets a set know the best of its subsets: rows of `width` scores, one per subset of `bits` variables.
void raise_over_subsets(double* rows, std::size_t bits, std::size_t stride, std::size_t width) {
    for (std::size_t b = 0; b < bits; ++b)
        for (std::size_t row = 0; row < std::size_t{1} << bits; ++row)
            if ((row >> b & 1u) != 0)
                raise(rows + row * stride, rows + (row - (std::size_t{1} << b)) * stride, width);
}

}  // namespace

// The scores of the sets in a block, which share all but the low bits.
class CandidatesOfAllSets::Scores {
  public:
    using Mask = FitsOfAllSets::Mask;

    Scores(const CandidatesOfAllSets& all, const ParentSpace& space)
        : fits_(all.fits_.data()),
          child_(all.fits_.bit_of(space.child)),
          price_(space.price),
          most_(space.most),
          low_(std::min(kLowBits, space.added.size())) {
        Side low{{0}, {1.0}}, high{{0}, {1.0}};
        for (const Var v : space.required) {
            high.masks[0] |= all.fits_.bit_of(v);
            high.configurations[0] *= all.table_.column(v).cardinality;
        }
        // In the order of their bits, so that neighbours in a block are neighbours in the table.
        std::vector<Var> added = space.added;
        std::sort(added.begin(), added.end(),
                  [&](Var a, Var b) { return all.fits_.bit_of(a) < all.fits_.bit_of(b); });
        for (std::size_t k = 0; k < added.size(); ++k) {
            Side& side = k < low_ ? low : high;
            const Mask bit = all.fits_.bit_of(added[k]);
            for (std::size_t i = 0, size = side.masks.size(); i < size; ++i) {
                side.masks.push_back(side.masks[i] | bit);
                side.configurations.push_back(side.configurations[i] *
                                              all.table_.column(added[k]).cardinality);
            }
        }
        low_side_ = std::move(low);
        high_side_ = std::move(high);
    }

    std::size_t width() const { return low_side_.masks.size(); }
    std::size_t blocks() const { return high_side_.masks.size(); }

    Mask set_at(std::size_t block, std::size_t i) const {
        return high_side_.masks[block] | low_side_.masks[i];
    }

    void fill(std::size_t block, double* out) const {
        const Mask shared = high_side_.masks[block];
        const double price = price_ * high_side_.configurations[block];
        const auto members = static_cast<std::size_t>(std::popcount(block));
        for (std::size_t i = 0; i < width(); ++i) {
            const Mask set = shared | low_side_.masks[i];
            out[i] = fits_[set | child_] - fits_[set] - price * low_side_.configurations[i];
        }
        if (members + low_ <= most_) return;
        for (std::size_t i = 0; i < width(); ++i)
            if (members + static_cast<std::size_t>(std::popcount(i)) > most_) out[i] = kWorst;
    }

  private:
    struct Side {
        std::vector<Mask> masks;
        std::vector<double> configurations;
    };

    const double* fits_;
    Mask child_;
    double price_;
    std::size_t most_, low_;
    Side low_side_, high_side_;
};

double CandidatesOfAllSets::bytes(std::size_t variables) { return FitsOfAllSets::bytes(variables) / 2.0; }

CandidatesOfAllSets::Kept CandidatesOfAllSets::find(const ParentSpace& space, double least_gain,
                                                    std::size_t most, Control& control) {
    const Scores scores(*this, space);
    Kept kept;
    if ((kept.stop = find_best(scores, control)) == Stop::none)
        choose(scores, least_gain, most, control, kept);
    return kept;
}

// best(S) = max(score(S), best(S - y) for y in S), one variable y after the other.
Stop CandidatesOfAllSets::find_best(const Scores& scores, Control& control) {
    const std::size_t width = scores.width(), blocks = scores.blocks();
    if (room_ < width * blocks) {
        best_.reset();
        room_ = width * blocks;
        best_.reset(new double[room_]);
    }
    control.workers().run(blocks, [&](std::size_t at, unsigned) {
        double* const block = best_.get() + at * width;
        scores.fill(at, block);
        for (std::size_t half = 1; half < width; half *= 2)
            for (std::size_t begin = 0; begin < width; begin += 2 * half)
                raise(block + begin + half, block + begin, half);
    });
    const auto high = static_cast<std::size_t>(std::countr_zero(blocks));
    for (std::size_t bit = 0; bit < high; bit += kBitsAtOnce) {
        if (const Stop stop = control.should_stop(); stop != Stop::none) return stop;
        const std::size_t bits = std::min(kBitsAtOnce, high - bit);
        const std::size_t step = std::size_t{1} << bit;
        control.workers().run(blocks >> bits, [&](std::size_t task, unsigned) {
            const std::size_t first = (task >> bit << (bit + bits)) | (task & (step - 1));
            raise_over_subsets(best_.get() + first * width, bits, step * width, width);
        });
    }
    return control.should_stop();
}

void CandidatesOfAllSets::choose(const Scores& scores, double least_gain, std::size_t most, Control& control,
                                 Kept& kept) const {
    const std::size_t width = scores.width(), blocks = scores.blocks();
    std::atomic<std::size_t> count{0};
    std::vector<Kept> found(blocks);
    std::vector<std::vector<double>> own(control.workers().threads(), std::vector<double>(width));
    control.workers().run(blocks, [&](std::size_t block, unsigned worker) {
        double* const values = own[worker].data();
        scores.fill(block, values);
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t set = block * width + i;
            // best(S) is at least the best of the subsets: few sets pass.
            if (values[i] < best_[set] + std::min(least_gain, 0.0)) continue;
            double below = kWorst;
            for (std::size_t left = set; left != 0; left &= left - 1)
                below = std::max(below, best_[set & ~(left & (~left + 1))]);
            if (set != 0 && !(values[i] > below + least_gain)) continue;
            if (++count > most) return;
            found[block].sets.push_back(fits_.members(scores.set_at(block, i)));
            found[block].scores.push_back(values[i]);
        }
    });
    kept.full = count > most;
    for (const Kept& part : found) {
        kept.sets.insert(kept.sets.end(), part.sets.begin(), part.sets.end());
        kept.scores.insert(kept.scores.end(), part.scores.begin(), part.scores.end());
    }
}

}  // namespace dagwright

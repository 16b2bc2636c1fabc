#include "dagwright/exact/candidates_of_all_sets.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>

namespace dagwright {

namespace {

constexpr std::int32_t kExcluded = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kLowest = kExcluded + 1;                              // and below
constexpr std::int32_t kHighest = std::numeric_limits<std::int32_t>::max();  // and above
constexpr std::int64_t kSlack = 4;      // units: rounding puts each of two scores less than two units off
constexpr std::size_t kBatch = 8192;    // families scored at once
constexpr std::size_t kLowBits = 12;    // a block of 16 KiB
constexpr std::size_t kBitsAtOnce = 3;  // of the high ones

// over[i] = max(over[i], under[i]).
void raise(std::int32_t* over, const std::int32_t* under, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) over[i] = over[i] < under[i] ? under[i] : over[i];
}

// Lets a set know the best of its subsets: rows of `width` scores, one per subset of `bits` variables.
void raise_over_subsets(std::int32_t* rows, std::size_t bits, std::size_t stride, std::size_t width) {
    for (std::size_t b = 0; b < bits; ++b)
        for (std::size_t row = 0; row < std::size_t{1} << bits; ++row)
            if ((row >> b & 1u) != 0)
                raise(rows + row * stride, rows + (row - (std::size_t{1} << b)) * stride, width);
}

}  // namespace

// From which gain over the best subset on a set may count, and from which on it surely does, in units.
struct CandidatesOfAllSets::Gains {
    std::int64_t possible, sure;

    Gains(double least_gain, double unit) {
        const double units = std::clamp(least_gain / unit, -0x1p40, 0x1p40);
        possible = static_cast<std::int64_t>(std::floor(std::min(units, 0.0))) - kSlack;
        sure = static_cast<std::int64_t>(std::ceil(units)) + kSlack;
    }
};

struct CandidatesOfAllSets::Near {
    Mask set;
    bool sure;
};

// The scores of the sets in a block, which share all but the low bits.
class CandidatesOfAllSets::Scores {
  public:
    Scores(const CandidatesOfAllSets& all, const ParentSpace& space)
        : fits_(all.fits_.data()),
          child_(all.fits_.bit_of(space.child)),
          price_(space.price / all.fits_.unit()),
          sizes_add_(space.sizes_add),
          most_(space.most),
          low_(std::min(kLowBits, space.added.size())) {
        for (const double value : space.counts) added_.push_back(value / all.fits_.unit());
        counts_ = std::any_of(added_.begin(), added_.end(), [](double value) { return value != 0.0; });
        const auto grown = [&](double size, Var v) {
            return sizes_add_ ? size + space.sizes[v] : size * space.sizes[v];
        };
        const double none = sizes_add_ ? 0.0 : 1.0;
        Side low{{0}, {none}}, high{{0}, {none}};
        for (const Var v : space.required) {
            high.masks[0] |= all.fits_.bit_of(v);
            high.sizes[0] = grown(high.sizes[0], v);
        }
        // In the order of their bits, so that neighbors in a block are neighbors in the table.
        std::vector<Var> added = space.added;
        std::sort(added.begin(), added.end(),
                  [&](Var a, Var b) { return all.fits_.bit_of(a) < all.fits_.bit_of(b); });
        for (std::size_t k = 0; k < added.size(); ++k) {
            Side& side = k < low_ ? low : high;
            const Mask bit = all.fits_.bit_of(added[k]);
            for (std::size_t i = 0, size = side.masks.size(); i < size; ++i) {
                side.masks.push_back(side.masks[i] | bit);
                side.sizes.push_back(grown(side.sizes[i], added[k]));
            }
        }
        low_side_ = std::move(low);
        high_side_ = std::move(high);
        if (counts_) list_gains();
    }

    std::size_t width() const { return low_side_.masks.size(); }
    std::size_t blocks() const { return high_side_.masks.size(); }

    Mask set_at(std::size_t block, std::size_t i) const {
        return high_side_.masks[block] | low_side_.masks[i];
    }

    void fill(std::size_t block, std::int32_t* out) const {
        const Mask shared = high_side_.masks[block];
        for (std::size_t i = 0; i < width(); ++i) {
            const Mask set = shared | low_side_.masks[i];
            out[i] = fits_[set | child_] - fits_[set];
        }
        const auto members = static_cast<std::size_t>(std::popcount(block));
        if (counts_)
            charge_and_count(penalty_of(block), members, out);
        else if (price_ > 0.0)
            charge(penalty_of(block), out);
        if (members + low_ <= most_) return;
        for (std::size_t i = 0; i < width(); ++i)
            if (members + static_cast<std::size_t>(std::popcount(i)) > most_) out[i] = kExcluded;
    }

  private:
    struct Side {
        std::vector<Mask> masks;
        std::vector<double> sizes;
    };

    // A linear function of the sizes on the low side.
    struct Penalty {
        double constant, slope;
        double of(double size) const { return constant + slope * size; }
    };

    Penalty penalty_of(std::size_t block) const {
        const double charged = price_ * high_side_.sizes[block];
        return sizes_add_ ? Penalty{charged, price_} : Penalty{0.0, charged};
    }

    // What a penalty puts beyond the range is as low as a score can be.
    void charge(const Penalty& penalty, std::int32_t* out) const {
        for (std::size_t i = 0; i < width(); ++i)
            out[i] =
                static_cast<std::int32_t>(std::max<double>(kLowest, out[i] - penalty.of(low_side_.sizes[i])));
    }

    // What the prior adds to the sets of a block, by the members that the block has beside the low ones.
    void list_gains() {
        for (std::size_t members = 0; members + low_ < added_.size(); ++members)
            for (std::size_t i = 0; i < width(); ++i)
                gains_.push_back(added_[members + static_cast<std::size_t>(std::popcount(i))]);
    }

    // Rounded once, as without a prior.
    void charge_and_count(const Penalty& penalty, std::size_t members, std::int32_t* out) const {
        const double* const gains = gains_.data() + members * width();
        const double* const sizes = low_side_.sizes.data();
        for (std::size_t i = 0; i < width(); ++i) {
            const double value = out[i] + gains[i] - penalty.of(sizes[i]);
            out[i] = static_cast<std::int32_t>(std::clamp<double>(value, kLowest, kHighest));
        }
    }

    const std::int32_t* fits_;
    Mask child_;
    double price_;
    bool sizes_add_;
    std::vector<double> added_;  // by the number of members, in units
    bool counts_ = false;
    std::vector<double> gains_;
    std::size_t most_, low_;
    Side low_side_, high_side_;
};

double CandidatesOfAllSets::bytes(std::size_t variables) { return SetTable::bytes(variables) / 2.0; }

CandidatesOfAllSets::Kept CandidatesOfAllSets::find(const ParentSpace& space, double least_gain,
                                                    std::size_t most, Control& control) {
    const Scores scores(*this, space);
    Kept kept;
    if ((kept.stop = find_best(scores, control)) != Stop::none) return kept;
    const std::vector<Near> near = choose(scores, Gains(least_gain, fits_.unit()), most, control, kept.full);
    if (!kept.full) settle(space, near, least_gain, control, kept);
    return kept;
}

// best(S) = max(score(S), best(S - y) for y in S), one variable y after the other.
Stop CandidatesOfAllSets::find_best(const Scores& scores, Control& control) {
    const std::size_t width = scores.width(), blocks = scores.blocks();
    if (room_ < width * blocks) {
        best_.reset();
        room_ = width * blocks;
        best_.reset(new std::int32_t[room_]);
    }
    control.workers().run(blocks, [&](std::size_t at, unsigned) {
        std::int32_t* const block = best_.get() + at * width;
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

std::vector<CandidatesOfAllSets::Near> CandidatesOfAllSets::choose(const Scores& scores, const Gains& gains,
                                                                   std::size_t most, Control& control,
                                                                   bool& full) const {
    const std::size_t width = scores.width(), blocks = scores.blocks();
    std::atomic<std::size_t> count{0};
    std::vector<std::vector<Near>> found(blocks);
    std::vector<std::vector<std::int32_t>> own(control.workers().threads(), std::vector<std::int32_t>(width));
    control.workers().run(blocks, [&](std::size_t block, unsigned worker) {
        std::int32_t* const values = own[worker].data();
        scores.fill(block, values);
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t set = block * width + i;
            const std::int64_t value = values[i];
            // best(S) is the score of S, or else the best of its subsets.
            if (value < best_[set] + gains.possible || value == kExcluded) continue;
            std::int64_t below = 2 * std::int64_t{kExcluded};
            for (std::size_t left = set; left != 0; left &= left - 1)
                below = std::max<std::int64_t>(below, best_[set & ~(left & (~left + 1))]);
            if (++count > most) return;
            found[block].push_back(
                {scores.set_at(block, i), set == 0 || (value > kLowest && value >= below + gains.sure)});
        }
    });
    full = count > most;
    std::vector<Near> near;
    for (const std::vector<Near>& part : found) near.insert(near.end(), part.begin(), part.end());
    return near;
}

// Scores the sets to the last digit. Among them are the best of the subsets of each: the smallest set with
// the highest score beats its own subsets.
void CandidatesOfAllSets::settle(const ParentSpace& space, std::span<const Near> near, double least_gain,
                                 Control& control, Kept& kept) {
    std::vector<Family> families;
    std::vector<double> values(near.size());
    for (std::size_t begin = 0; begin < near.size(); begin += kBatch) {
        const std::size_t size = std::min(kBatch, near.size() - begin);
        families.clear();
        for (const Near& one : near.subspan(begin, size))
            families.push_back({space.child, fits_.members(one.set)});
        score_.local(families, std::span(values).subspan(begin, size), control);
    }
    for (std::size_t i = 0; i < near.size(); ++i) {
        bool beats = true;
        for (std::size_t k = 0; k < near.size() && beats && !near[i].sure; ++k)
            if (near[k].set != near[i].set && (near[k].set & ~near[i].set) == 0)
                beats = values[i] > values[k] + least_gain;
        if (!beats) continue;
        kept.sets.push_back(fits_.members(near[i].set));
        kept.scores.push_back(values[i]);
    }
}

}  // namespace dagwright

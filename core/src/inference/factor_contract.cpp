// Products of tables. The axes are split into outer ones, walked like an odometer, and one inner block whose
// cells are addressed through offsets computed once; where a table is contiguous or constant along the inner
// block the loop is a plain vector loop.
#include <algorithm>
#include <array>
#include <limits>

#include "dagwright/base/errors.hpp"
#include "dagwright/inference/factor.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kMaxInputs = 3;
constexpr std::size_t kSmallBlock = 64;  // inner blocks grow until they have this many cells
constexpr std::size_t kWideAxis = 16;    // a contiguous axis this long is a block of its own

enum Access { constant, contiguous, scattered };

struct Axis {
    std::size_t size = 0;
    std::size_t out = 0;
    std::array<std::size_t, kMaxInputs> in{};
    bool kept = false;
};

struct Block {
    std::size_t size = 1;
    bool kept = false;
    std::array<Access, kMaxInputs> access{};
    std::array<std::vector<std::uint32_t>, kMaxInputs> offsets;
};

template <Access W>
inline double at(const double* base, const std::uint32_t* offsets, std::size_t j) {
    if constexpr (W == constant) return base[0];
    if constexpr (W == contiguous) return base[j];
    return base[offsets[j]];
}

template <Reduction R>
inline double joined(double a, double b) {
    if constexpr (R == Reduction::sum) return a + b;
    return a < b ? b : a;
}

struct Inner {
    double* out;
    const double* a;
    const double* b;
    const double* c;
    const std::uint32_t* at_a;
    const std::uint32_t* at_b;
    const std::uint32_t* at_c;
    std::size_t size;
};

// Along a kept block each cell of the result has its own sum; along a reduced block all go into one.
template <Reduction R, int K, Access A, Access B, Access C, bool Kept>
void inner_loop(const Inner& i) {
    double total = R == Reduction::sum ? 0.0 : i.out[0];
    for (std::size_t j = 0; j < i.size; ++j) {
        double value = at<A>(i.a, i.at_a, j);
        if constexpr (K > 1) value *= at<B>(i.b, i.at_b, j);
        if constexpr (K > 2) value *= at<C>(i.c, i.at_c, j);
        if constexpr (Kept)
            i.out[j] = joined<R>(i.out[j], value);
        else
            total = joined<R>(total, value);
    }
    if constexpr (!Kept) i.out[0] = R == Reduction::sum ? i.out[0] + total : total;
}

using Loop = void (*)(const Inner&);

template <Reduction R, int K, Access A, Access B, Access C>
Loop pick(bool kept) {
    return kept ? &inner_loop<R, K, A, B, C, true> : &inner_loop<R, K, A, B, C, false>;
}
template <Reduction R, int K, Access A, Access B>
Loop pick(Access c, bool kept) {
    if constexpr (K > 2) {
        if (c == constant) return pick<R, K, A, B, constant>(kept);
        if (c == contiguous) return pick<R, K, A, B, contiguous>(kept);
        return pick<R, K, A, B, scattered>(kept);
    } else {
        return pick<R, K, A, B, constant>(kept);
    }
}
template <Reduction R, int K, Access A>
Loop pick(Access b, Access c, bool kept) {
    if constexpr (K > 1) {
        if (b == constant) return pick<R, K, A, constant>(c, kept);
        if (b == contiguous) return pick<R, K, A, contiguous>(c, kept);
        return pick<R, K, A, scattered>(c, kept);
    } else {
        return pick<R, K, A, constant>(c, kept);
    }
}
template <Reduction R, int K>
Loop pick(const std::array<Access, kMaxInputs>& access, bool kept) {
    if (access[0] == constant) return pick<R, K, constant>(access[1], access[2], kept);
    if (access[0] == contiguous) return pick<R, K, contiguous>(access[1], access[2], kept);
    return pick<R, K, scattered>(access[1], access[2], kept);
}
template <Reduction R>
Loop pick(std::size_t inputs, const std::array<Access, kMaxInputs>& access, bool kept) {
    if (inputs == 1) return pick<R, 1>(access, kept);
    if (inputs == 2) return pick<R, 2>(access, kept);
    return pick<R, 3>(access, kept);
}

// Neighboring axes become one where every table runs through them as if they were.
void merge_axes(std::vector<Axis>& axes, std::size_t inputs) {
    std::vector<Axis> merged;
    for (const Axis& axis : axes) {
        if (axis.size == 1) continue;
        bool fits =
            !merged.empty() && merged.back().kept == axis.kept && merged.back().out == axis.out * axis.size;
        for (std::size_t k = 0; fits && k < inputs; ++k) fits = merged.back().in[k] == axis.in[k] * axis.size;
        if (fits) {
            const std::size_t size = merged.back().size * axis.size;
            merged.back() = axis;
            merged.back().size = size;
        } else {
            merged.push_back(axis);
        }
    }
    axes = std::move(merged);
}

// Takes axes of one kind off the end of the list into the inner block.
Block take_block(std::vector<Axis>& axes, std::size_t inputs, bool kept) {
    std::vector<Axis> taken;
    Block block;
    block.kept = kept;
    while (!axes.empty() && block.size < kSmallBlock) {
        const std::size_t last = axes.size() - 1;
        if (axes[last].kept != kept) break;
        if (!taken.empty() && block.size >= kWideAxis) break;
        block.size *= axes[last].size;
        taken.push_back(axes[last]);
        axes.pop_back();
    }
    for (std::size_t k = 0; k < inputs; ++k) {
        bool fixed = true;
        for (const Axis& axis : taken) fixed = fixed && axis.in[k] == 0;
        if (fixed) {
            block.access[k] = constant;
        } else if (taken.size() == 1 && taken[0].in[k] == 1) {
            block.access[k] = contiguous;
        } else {
            block.access[k] = scattered;
            std::vector<std::uint32_t>& offsets = block.offsets[k];
            offsets.assign(block.size, 0);
            std::size_t repeat = 1;
            for (const Axis& axis : taken) {
                for (std::size_t j = 0; j < block.size; ++j)
                    offsets[j] += static_cast<std::uint32_t>(j / repeat % axis.size * axis.in[k]);
                repeat *= axis.size;
            }
        }
    }
    return block;
}

void walk_outer(const std::vector<Axis>& outer, const Block& block, Loop loop, std::size_t inputs,
                double* out, std::array<const double*, kMaxInputs> in) {
    Inner inner{out,
                in[0],
                in[1],
                in[2],
                block.offsets[0].data(),
                block.offsets[1].data(),
                block.offsets[2].data(),
                block.size};
    std::vector<std::size_t> place(outer.size(), 0);
    const auto move = [&](const Axis& axis, std::size_t steps, bool forward) {
        const auto shift = [&](auto*& pointer, std::size_t stride) {
            pointer = forward ? pointer + steps * stride : pointer - steps * stride;
        };
        shift(inner.out, axis.out);
        shift(inner.a, axis.in[0]);
        if (inputs > 1) shift(inner.b, axis.in[1]);
        if (inputs > 2) shift(inner.c, axis.in[2]);
    };
    for (;;) {
        loop(inner);
        std::size_t i = outer.size();
        for (;;) {
            if (i == 0) return;
            --i;
            if (++place[i] < outer[i].size) {
                move(outer[i], 1, true);
                break;
            }
            move(outer[i], outer[i].size - 1, false);
            place[i] = 0;
        }
    }
}

Factor contract_few(std::span<const Factor* const> factors, const Scope& keep, Cards cards,
                    Reduction reduction) {
    Scope all;
    for (const Factor* factor : factors) all = union_of(all, factor->variables);
    Factor result;
    result.variables = keep;
    result.strides.resize(keep.size());
    std::size_t cells = 1;
    for (std::size_t i = keep.size(); i-- > 0; cells *= cards[keep[i]]) result.strides[i] = cells;

    const auto stride_of = [](const Factor& factor, Var v) {
        for (std::size_t i = 0; i < factor.variables.size(); ++i)
            if (factor.variables[i] == v) return factor.strides[i];
        return std::size_t{0};
    };
    // The axes that are kept stand outside, those that are reduced inside: the cells being summed into stay
    // in the cache.
    std::vector<Axis> kept, reduced;
    for (const Var v : all) {
        Axis axis;
        axis.size = cards[v];
        axis.kept = std::binary_search(keep.begin(), keep.end(), v);
        if (axis.kept) axis.out = stride_of(result, v);
        for (std::size_t k = 0; k < factors.size(); ++k) axis.in[k] = stride_of(*factors[k], v);
        (axis.kept ? kept : reduced).push_back(axis);
    }
    merge_axes(kept, factors.size());
    merge_axes(reduced, factors.size());
    std::size_t kept_block = 1, reduced_cells = 1;
    for (std::size_t i = kept.size(); i-- > 0 && kept_block < kSmallBlock;) kept_block *= kept[i].size;
    for (const Axis& axis : reduced) reduced_cells *= axis.size;
    const bool along_kept = kept_block >= kWideAxis || kept_block >= reduced_cells;
    Block block;
    std::vector<Axis> outer;
    if (along_kept) {
        block = take_block(kept, factors.size(), true);
        outer = std::move(kept);
        outer.insert(outer.end(), reduced.begin(), reduced.end());
    } else {
        block = take_block(reduced, factors.size(), false);
        outer = std::move(kept);
        outer.insert(outer.end(), reduced.begin(), reduced.end());
    }
    const double start = reduction == Reduction::sum ? 0.0 : -std::numeric_limits<double>::infinity();
    auto values = std::make_shared<std::vector<double>>(cells, start);
    std::array<const double*, kMaxInputs> in{};
    for (std::size_t k = 0; k < factors.size(); ++k) in[k] = factors[k]->data();
    const Loop loop = reduction == Reduction::sum
                          ? pick<Reduction::sum>(factors.size(), block.access, block.kept)
                          : pick<Reduction::max>(factors.size(), block.access, block.kept);
    walk_outer(outer, block, loop, factors.size(), values->data(), in);
    result.cells = std::move(values);
    return result;
}

}  // namespace

Factor contract(std::span<const Factor* const> factors, const Scope& keep, Cards cards, Reduction reduction) {
    if (factors.empty()) throw Error("a product needs at least one factor");
    if (factors.size() <= 2) return contract_few(factors, keep, cards, reduction);
    // Small tables are multiplied first, as long as their product stays far below the whole; the last two or
    // three go through the large table together.
    std::vector<const Factor*> left(factors.begin(), factors.end());
    std::vector<std::unique_ptr<Factor>> made;
    Scope all;
    for (const Factor* factor : left) all = union_of(all, factor->variables);
    const double whole = cells_of(all, cards);
    while (left.size() > 2) {
        double smallest = std::numeric_limits<double>::infinity();
        std::size_t first = 0, second = 1;
        for (std::size_t i = 0; i < left.size(); ++i) {
            for (std::size_t j = i + 1; j < left.size(); ++j) {
                const double size = cells_of(union_of(left[i]->variables, left[j]->variables), cards);
                if (size < smallest) {
                    smallest = size;
                    first = i;
                    second = j;
                }
            }
        }
        if (left.size() == 3 && smallest > whole / 4) break;
        const std::array<const Factor*, 2> pair{left[first], left[second]};
        made.push_back(std::make_unique<Factor>(
            contract_few(pair, union_of(pair[0]->variables, pair[1]->variables), cards, Reduction::sum)));
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(second));
        left[first] = made.back().get();
    }
    return contract_few(left, keep, cards, reduction);
}

}  // namespace dagwright

#include "dagwright/inference/sampling.hpp"

#include <algorithm>
#include <array>

#include "dagwright/base/errors.hpp"
#include "dagwright/base/mix.hpp"
#include "dagwright/base/random.hpp"

namespace dagwright {

namespace {

constexpr std::size_t kBlock = 4096;
constexpr std::uint64_t kOne = std::uint64_t{1} << 63;  // the probability 1; drawn numbers lie below
constexpr std::uint32_t kLinear = 16;                   // from here on the thresholds are searched by halving

// Output number i of the stream that starts at `key`, as 63 bits.
std::uint64_t number(std::uint64_t key, std::uint64_t i) noexcept {
    return Random(key + i * kGoldenStep).next() >> 1;
}

// How many of the thresholds lie at or below u: the drawn state.
std::uint32_t state_of(const std::uint64_t* thresholds, std::uint32_t size, std::uint64_t u) noexcept {
    if (size >= kLinear)
        return static_cast<std::uint32_t>(std::upper_bound(thresholds, thresholds + size, u) - thresholds);
    std::uint32_t state = 0;
    for (std::uint32_t k = 0; k < size; ++k) state += u >= thresholds[k];
    return state;
}

template <class Code>
void add_digit(const Code* codes, std::uint32_t radix, std::size_t rows, std::uint32_t* keys) {
    for (std::size_t i = 0; i < rows; ++i) keys[i] = keys[i] * radix + codes[i];
}

// The number of thresholds is a constant for small nodes, which the compiler then unrolls.
template <std::uint32_t Size, class Code>
void draw_column(const std::uint64_t* thresholds, std::uint32_t size, const std::uint32_t* keys,
                 std::uint64_t key, std::uint64_t first, std::size_t rows, Code* out) {
    const std::uint32_t width = Size ? Size : size;
    for (std::size_t i = 0; i < rows; ++i)
        out[i] = static_cast<Code>(
            state_of(thresholds + std::size_t{keys[i]} * width, width, number(key, first + i)));
}

template <class Code>
void draw_states(const std::uint64_t* thresholds, std::uint32_t size, const std::uint32_t* keys,
                 std::uint64_t key, std::uint64_t first, std::size_t rows, Code* out) {
    switch (size) {
        case 1:
            return draw_column<1>(thresholds, size, keys, key, first, rows, out);
        case 2:
            return draw_column<2>(thresholds, size, keys, key, first, rows, out);
        case 3:
            return draw_column<3>(thresholds, size, keys, key, first, rows, out);
        default:
            return draw_column<0>(thresholds, size, keys, key, first, rows, out);
    }
}

}  // namespace

void Sampler::add(std::uint32_t cardinality, std::vector<std::uint32_t> parents, std::uint64_t stream,
                  std::span<const double> table) {
    std::size_t configurations = 1;
    for (const std::uint32_t parent : parents) {
        if (parent >= nodes_.size()) throw Error("a parent comes after its child");
        configurations *= nodes_[parent].cardinality;
        if (configurations > 0xffffffffULL) throw CapacityError("a table too large to sample from");
    }
    if (cardinality == 0 || table.size() != configurations * cardinality)
        throw Error("a table does not fit the states of its node and parents");
    if (configurations * cardinality > 0xffffffffULL) throw CapacityError("a table too large to sample from");
    std::vector<std::uint64_t> thresholds;
    thresholds.reserve(configurations * (cardinality - 1));
    for (std::size_t j = 0; j < configurations; ++j) {
        const std::span<const double> row = table.subspan(j * cardinality, cardinality);
        std::size_t last = cardinality - 1;  // rounding must never draw a state of probability zero
        while (last > 0 && !(row[last] > 0)) --last;
        double sum = 0;
        for (std::size_t k = 0; k + 1 < cardinality; ++k) {
            if (!(row[k] >= 0))
                throw Error("a probability must not be negative, got " + std::to_string(row[k]));
            sum += row[k];
            thresholds.push_back(k >= last || sum >= 1.0 ? kOne : static_cast<std::uint64_t>(sum * 0x1.0p63));
        }
    }
    nodes_.push_back({cardinality, std::move(parents), stream, std::move(thresholds)});
}

void Sampler::draw(std::uint64_t seed, std::uint64_t first, std::size_t rows,
                   std::span<const DrawnColumn> columns, Workers& workers) const {
    if (columns.size() != nodes_.size()) throw Error("one column per node is needed");
    const std::size_t blocks = (rows + kBlock - 1) / kBlock;
    workers.run(blocks, [&](std::size_t block, unsigned) {
        const std::size_t start = block * kBlock;
        draw_block(seed, first + start, start, std::min(kBlock, rows - start), columns);
    });
}

void Sampler::draw_block(std::uint64_t seed, std::uint64_t first, std::size_t start, std::size_t rows,
                         std::span<const DrawnColumn> columns) const {
    std::array<std::uint32_t, kBlock> keys;
    for (std::size_t v = 0; v < nodes_.size(); ++v) {
        const Node& node = nodes_[v];
        std::fill_n(keys.begin(), rows, 0U);
        for (const std::uint32_t parent : node.parents) {
            const DrawnColumn& given = columns[parent];
            const std::uint32_t radix = nodes_[parent].cardinality;
            if (given.narrow)
                add_digit(given.narrow + start, radix, rows, keys.data());
            else
                add_digit(given.wide + start, radix, rows, keys.data());
        }
        const std::uint64_t key = Random(seed ^ Random(node.stream).next()).next();
        const std::uint64_t* thresholds = node.thresholds.data();
        const std::uint32_t size = node.cardinality - 1;
        if (columns[v].narrow)
            draw_states(thresholds, size, keys.data(), key, first, rows, columns[v].narrow + start);
        else
            draw_states(thresholds, size, keys.data(), key, first, rows, columns[v].wide + start);
    }
}

}  // namespace dagwright

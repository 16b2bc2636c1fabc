// A value on its grid, q, is split into limbs of 24 bits, q = h 2^24 + l with |h|, |l| <= 2^23. For two
// columns, sum q q' = H 2^48 + (M - H - L) 2^24 + L with H = sum h h', L = sum l l' and
// M = sum (h + l)(h' + l'): three products of 32-bit numbers each (Karatsuba & Ofman 1962), added in 64 bits
// over a stretch of rows and then in 256. A weighted row takes w q in place of q, in as many limbs as it
// needs.
#include "dagwright/statistics/moments.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <new>

#include "limb_products.hpp"

namespace dagwright {

namespace {

constexpr int kGridBits = 47;
constexpr unsigned kLimb = 24;
constexpr std::size_t kRowsAtOnce = 64;    // rows that are packed together
constexpr std::size_t kStretch = 1 << 13;  // rows whose products fit in 64 bits
constexpr std::size_t kBlock = 128;        // columns of a block
constexpr std::size_t kAlignment = 64;

// Aligned numbers for vector loads.
class Packed {
  public:
    explicit Packed(std::size_t size)
        : numbers_(static_cast<std::int64_t*>(
              ::operator new(size * sizeof(std::int64_t), std::align_val_t{kAlignment}))) {}
    ~Packed() { ::operator delete(numbers_, std::align_val_t{kAlignment}); }
    Packed(const Packed&) = delete;
    Packed& operator=(const Packed&) = delete;
    std::int64_t* data() { return numbers_; }

  private:
    std::int64_t* numbers_;
};

// The whole number nearest to x, |x| <= 2^47, by the bits of x + 1.5 2^52: halfway cases go to the even one.
std::int64_t nearest(double x) {
    constexpr double shift = 6755399441055744.0;
    return std::bit_cast<std::int64_t>(x + shift) - std::bit_cast<std::int64_t>(shift);
}

// Rows to be summed, with their weights: those of weight 0 are left out.
struct Rows {
    const std::uint32_t* list = nullptr;  // null: consecutive rows from `first`
    std::size_t first = 0;
    std::size_t size = 0;

    std::size_t operator[](std::size_t i) const { return list ? list[i] : first + i; }
    Rows part(std::size_t begin, std::size_t count) const {
        return {list ? list + begin : nullptr, first + begin, count};
    }
};

// Values of a column of ones, for sums of values.
void values_of(const MomentColumn* column, const Rows& rows, std::int64_t* out) {
    if (column == nullptr) {
        std::fill(out, out + rows.size, std::int64_t{1});
    } else if (column->indicator()) {
        for (std::size_t i = 0; i < rows.size; ++i) out[i] = column->codes[rows[i]] == column->state ? 1 : 0;
    } else {
        // In two steps: for the smallest numbers 2^exponent alone would overflow.
        const double center = column->center, scale = std::ldexp(1.0, std::min(column->exponent, 1000));
        const double more = std::ldexp(1.0, std::max(column->exponent - 1000, 0));
        if (rows.list == nullptr)
            for (std::size_t i = 0; i < rows.size; ++i)
                out[i] = nearest((column->numbers[rows.first + i] - center) * scale * more);
        else
            for (std::size_t i = 0; i < rows.size; ++i)
                out[i] = nearest((column->numbers[rows.list[i]] - center) * scale * more);
    }
}

std::int64_t low_limb(std::int64_t q) {
    constexpr std::int64_t half = std::int64_t{1} << (kLimb - 1);
    return ((q + half) & ((std::int64_t{1} << kLimb) - 1)) - half;
}

// Digits of w q to the base 2^24, all with the sign of q.
void weighted_limbs(std::int64_t q, std::uint64_t weight, std::size_t limbs, std::int64_t* out,
                    std::size_t stride) {
    auto [high, low] = multiply(static_cast<std::uint64_t>(q < 0 ? -q : q), weight);
    for (std::size_t k = 0; k < limbs; ++k) {
        const auto digit = static_cast<std::int64_t>(low & ((std::uint64_t{1} << kLimb) - 1));
        out[k * stride] = q < 0 ? -digit : digit;
        low = (low >> kLimb) | (high << (64 - kLimb));
        high >>= kLimb;
    }
}

// The products of one block of columns with another, over one stretch of rows.
class BlockProducts {
  public:
    BlockProducts(std::span<const MomentColumn> columns, std::span<const std::uint64_t> weights,
                  std::uint64_t largest_weight)
        : columns_(columns),
          weights_(weights),
          multiply_(limb_products()),
          limbs_(std::max<std::size_t>(
              3, (static_cast<std::size_t>(std::bit_width(largest_weight)) + kGridBits + kLimb) / kLimb)),
          stride_(std::min(kBlock, (columns.size() + kPanel) / kPanel * kPanel)),
          part_(stride_ * kRowsAtOnce),
          left_(limbs_ * part_),
          right_(3 * part_),
          sums_((weights.empty() ? 3 : 2 * limbs_) * stride_ * stride_) {}

    // visit(i, k, sum of the products of columns i and k) for i in block a, k in block b, i >= k.
    template <class Visit>
    void run(std::size_t a, std::size_t b, const Rows& rows, Visit&& visit) {
        const std::size_t rows_of_a = width(a), columns_of_b = width(b);
        std::fill(sums_.begin(), sums_.end(), 0);
        for (std::size_t begin = 0; begin < rows.size; begin += kRowsAtOnce) {
            const Rows part = rows.part(begin, std::min(kRowsAtOnce, rows.size - begin));
            if (weights_.empty()) {
                pack_plain(b, part, right_.data());
                if (a != b) pack_plain(a, part, left_.data());
                const std::int64_t* left = a == b ? right_.data() : left_.data();
                for (std::size_t t = 0; t < 3; ++t)
                    add_products(left + t * part_, right_.data() + t * part_, part.size, rows_of_a,
                                 columns_of_b, a == b, t);
            } else {
                pack_plain(b, part, right_.data());
                pack_weighted(a, part);
                for (std::size_t t = 0; t < 2 * limbs_; ++t)
                    add_products(left_.data() + t / 2 * part_, right_.data() + (1 - t % 2) * part_, part.size,
                                 rows_of_a, columns_of_b, a == b, t);
            }
        }
        for (std::size_t i = 0; i < rows_of_a; ++i)
            for (std::size_t k = 0; k < columns_of_b && a * kBlock + i >= b * kBlock + k; ++k)
                visit(a * kBlock + i, b * kBlock + k, total(i, k));
    }

  private:
    // With the column of ones at the end.
    std::size_t width(std::size_t block) const {
        return std::min(kBlock, columns_.size() + 1 - block * kBlock);
    }
    const MomentColumn* column(std::size_t block, std::size_t i) const {
        const std::size_t at = block * kBlock + i;
        return at < columns_.size() ? &columns_[at] : nullptr;
    }

    // visit(panel of the column, its place there, values), and zeros for the columns that fill the last
    // panel.
    template <class Store>
    void for_each_column(std::size_t block, const Rows& rows, Store&& store) {
        std::int64_t values[kRowsAtOnce] = {};
        const std::size_t wide = width(block);
        for (std::size_t i = 0; i < (wide + kPanel - 1) / kPanel * kPanel; ++i) {
            if (i < wide)
                values_of(column(block, i), rows, values);
            else
                std::fill(values, values + rows.size, std::int64_t{0});
            store(i / kPanel * kPanel * kRowsAtOnce + i % kPanel, values);
        }
    }

    // high, low, high + low
    void pack_plain(std::size_t block, const Rows& rows, std::int64_t* out) {
        for_each_column(block, rows, [&](std::size_t at, const std::int64_t* values) {
            std::int64_t* high = out + at;
            std::int64_t* low = high + part_;
            std::int64_t* both = low + part_;
            for (std::size_t i = 0; i < rows.size; ++i) {
                const std::int64_t l = low_limb(values[i]), h = (values[i] - l) >> kLimb;
                high[i * kPanel] = h;
                low[i * kPanel] = l;
                both[i * kPanel] = h + l;
            }
        });
    }

    void pack_weighted(std::size_t block, const Rows& rows) {
        for_each_column(block, rows, [&](std::size_t at, const std::int64_t* values) {
            for (std::size_t i = 0; i < rows.size; ++i)
                weighted_limbs(values[i], weights_[rows[i]], limbs_, left_.data() + at + i * kPanel, part_);
        });
    }

    void add_products(const std::int64_t* left, const std::int64_t* right, std::size_t rows,
                      std::size_t rows_of_a, std::size_t columns_of_b, bool diagonal, std::size_t table) {
        std::int64_t* sums = sums_.data() + table * stride_ * stride_;
        for (std::size_t i = 0; i < rows_of_a; i += kPanel)
            for (std::size_t k = 0; k < columns_of_b && (!diagonal || k <= i); k += kPanel)
                multiply_(left + i * kRowsAtOnce, right + k * kRowsAtOnce, rows, sums + i * stride_ + k,
                          stride_);
    }

    WideInt total(std::size_t i, std::size_t k) const {
        const auto of = [&](std::size_t table) { return sums_[(table * stride_ + i) * stride_ + k]; };
        WideInt sum;
        if (weights_.empty()) {
            sum.add(of(0), 2 * kLimb);
            sum.add(of(2) - of(0) - of(1), kLimb);
            sum.add(of(1), 0);
        } else {
            // Table t: limb t / 2 of the left with the low limb (t even) or the high one of the right.
            for (std::size_t t = 0; t < 2 * limbs_; ++t)
                sum.add(of(t), kLimb * static_cast<unsigned>(t / 2 + t % 2));
        }
        return sum;
    }

    std::span<const MomentColumn> columns_;
    std::span<const std::uint64_t> weights_;
    LimbProducts multiply_;
    std::size_t limbs_;   // of a value times its weight
    std::size_t stride_;  // columns of a block, with those that fill its last panel
    std::size_t part_;    // numbers of a limb
    Packed left_, right_;
    std::vector<std::int64_t> sums_;
};

}  // namespace

void Grid::include(const double* numbers, std::size_t rows) {
    for (std::size_t row = 0; row < rows; ++row) {  // comparisons with NaN are false
        if (numbers[row] < least) least = numbers[row];
        if (numbers[row] > largest) largest = numbers[row];
    }
}

void Grid::include(const Grid& other) {
    least = std::min(least, other.least);
    largest = std::max(largest, other.largest);
}

double Grid::center() const {
    // Zero, not minus zero, and halves first: the sum of two large numbers could overflow.
    return least <= largest ? (least == largest ? least : least / 2.0 + largest / 2.0) + 0.0 : 0.0;
}

int Grid::exponent() const {
    const double half = largest / 2.0 - least / 2.0;
    if (!(half > 0.0)) return 0;
    int exponent = 0;
    (void)std::frexp(std::max(half, std::max(largest - center(), center() - least)), &exponent);
    return kGridBits - exponent;
}

std::vector<Grid> grids_of(const MixedTable& table) {
    std::vector<Grid> grids;
    for (Var v = 0; v < table.variables(); ++v)
        for (const double* numbers : table.variable(v).numbers) {
            grids.emplace_back();
            grids.back().include(numbers, table.rows());
        }
    return grids;
}

std::vector<MomentColumn> moment_columns(const MixedTable& table, std::span<const Grid> grids) {
    const std::vector<Grid> own = grids.empty() ? grids_of(table) : std::vector<Grid>{};
    if (grids.empty()) grids = own;
    std::vector<MomentColumn> columns;
    std::size_t next = 0;
    for (Var v = 0; v < table.variables(); ++v) {
        const MixedVariable& variable = table.variable(v);
        for (const double* numbers : variable.numbers) {
            if (next == grids.size()) throw Error("moments need one grid for each column of numbers");
            const Grid& grid = grids[next++];
            columns.push_back({.variable = v,
                               .numbers = numbers,
                               .center = grid.center(),
                               .exponent = grid.exponent(),
                               .codes = {},
                               .state = 0});
        }
        for (std::uint32_t state = 0; !variable.continuous() && state < variable.codes.cardinality; ++state)
            columns.push_back({.variable = v,
                               .numbers = nullptr,
                               .center = 0.0,
                               .exponent = 0,
                               .codes = variable.codes,
                               .state = state});
    }
    return columns;
}

double MomentMatrix::covariance(std::size_t i, std::size_t k) const {
    return std::ldexp(steps(i, k), -(exponents_[i] + exponents_[k]));
}

std::optional<int> MomentMatrix::resolution(std::size_t i) const {
    if (!(steps(i, i) > 0.0)) return {};
    return static_cast<int>(std::floor(std::log2(std::sqrt(steps(i, i)))));
}

MomentMatrix::MomentMatrix(double N, std::vector<double> means, std::vector<double> packed)
    : N_(N), means_(std::move(means)), packed_(std::move(packed)), exponents_(means_.size(), 0) {
    if (packed_.size() != columns() * (columns() + 1) / 2)
        throw Error("a moment matrix needs a covariance for each pair of columns");
}

MomentSums::MomentSums(std::size_t columns) : columns_(columns), sums_((columns + 1) * (columns + 2) / 2) {}

void MomentSums::add(const MixedTable& table, std::span<const MomentColumn> columns, Workers& workers,
                     std::optional<std::span<const std::uint32_t>> rows) {
    if (columns.size() != columns_) throw Error("moments of blocks need the same columns in each");
    if (unit_ != 0.0 && unit_ != table.unit())
        throw Error("moments of blocks need weights in the same unit: whole numbers, or one block");
    unit_ = table.unit();
    // Of weighted rows, those that count.
    std::vector<std::uint32_t> counted;
    std::uint64_t largest = 1;
    const std::span<const std::uint64_t> weights = table.weights();
    if (!weights.empty()) {
        const std::size_t size = rows ? rows->size() : table.rows();
        for (std::size_t i = 0; i < size; ++i) {
            const auto row = rows ? (*rows)[i] : static_cast<std::uint32_t>(i);
            if (weights[row] > 0) counted.push_back(row);
            largest = std::max(largest, weights[row]);
        }
        rows = counted;
    }
    const Rows all = rows ? Rows{rows->data(), 0, rows->size()} : Rows{nullptr, 0, table.rows()};
    const std::size_t blocks = (columns_ + kBlock) / kBlock;
    const std::size_t pairs = blocks * (blocks + 1) / 2;
    const std::size_t stretches = (all.size + kStretch - 1) / kStretch;
    std::vector<std::unique_ptr<BlockProducts>> products(workers.threads());
    std::vector<std::mutex> mutexes(pairs);
    workers.run(pairs * stretches, [&](std::size_t task, unsigned worker) {
        if (!products[worker]) products[worker] = std::make_unique<BlockProducts>(columns, weights, largest);
        const std::size_t pair = task % pairs, begin = task / pairs * kStretch;
        std::size_t a = 0;
        while ((a + 1) * (a + 2) / 2 <= pair) ++a;
        std::unique_lock<std::mutex> lock;
        products[worker]->run(a, pair - a * (a + 1) / 2,
                              all.part(begin, std::min(kStretch, all.size - begin)),
                              [&](std::size_t i, std::size_t k, const WideInt& found) {
                                  if (!lock) lock = std::unique_lock(mutexes[pair]);
                                  sum(i, k) += found;
                              });
    });
}

void MomentSums::add(const MomentSums& other) {
    if (other.columns_ != columns_) throw Error("moments of blocks need the same columns in each");
    if (other.unit_ == 0.0) return;
    if (unit_ != 0.0 && unit_ != other.unit_)
        throw Error("moments of blocks need weights in the same unit: whole numbers, or one block");
    unit_ = other.unit_;
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
}

std::vector<std::uint64_t> MomentSums::words() const { return words_of(sums_); }

void MomentSums::set_words(double unit, std::span<const std::uint64_t> words) {
    sums_ = from_words(words, sums_.size());
    unit_ = unit;
}

// With m the whole number nearest to the mean, sum (q - m)(q' - m') is exact, and the rest of the mean,
// at most half a step, is all that is left to rounding.
MomentMatrix MomentSums::matrix(std::span<const MomentColumn> columns) const {
    MomentMatrix result;
    const double units = sum(columns_, columns_).to_double();
    const WideInt& W = sum(columns_, columns_);
    result.N_ = units * unit_;
    result.packed_.assign(columns_ * (columns_ + 1) / 2, 0.0);
    std::vector<std::int64_t> middle(columns_, 0);
    std::vector<double> rest(columns_, 0.0);
    for (std::size_t i = 0; i < columns_; ++i) {
        const WideInt& S = sum(columns_, i);
        if (units > 0.0) {
            middle[i] = std::llrint(S.to_double() / units);
            rest[i] = (S - W * WideInt(middle[i])).to_double();
        }
        result.exponents_.push_back(columns[i].exponent);
        const double steps = static_cast<double>(middle[i]) + (units > 0.0 ? rest[i] / units : 0.0);
        result.means_.push_back(columns[i].center + std::ldexp(steps, -columns[i].exponent));
    }
    for (std::size_t i = 0; i < columns_ && units > 0.0; ++i)
        for (std::size_t k = 0; k <= i; ++k) {
            const WideInt mi(middle[i]), mk(middle[k]);
            const WideInt about = sum(i, k) - mi * sum(columns_, k) - mk * sum(columns_, i) + W * mi * mk;
            result.packed_[i * (i + 1) / 2 + k] = (about.to_double() - rest[i] * rest[k] / units) / units;
        }
    return result;
}

}  // namespace dagwright

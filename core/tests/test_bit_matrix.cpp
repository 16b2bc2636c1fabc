#include "check.hpp"
#include "dagwright/base/bit_matrix.hpp"

using dagwright::BitMatrix;

TEST("bit matrix sets, clears and counts across word borders") {
    for (const std::size_t n :
         {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{5000}}) {
        BitMatrix matrix(n);
        matrix.set(n - 1, n - 1);
        matrix.set(n - 1, 0);
        CHECK(matrix.get(n - 1, n - 1));
        CHECK(matrix.row_count(n - 1) == (n == 1 ? 1U : 2U));
        matrix.clear(n - 1, n - 1);
        CHECK(!matrix.get(n - 1, n - 1));
    }
}

TEST("bit matrix visits bits in ascending order and transposes") {
    BitMatrix matrix(130);
    for (const std::size_t column : {std::size_t{129}, std::size_t{0}, std::size_t{64}})
        matrix.set(7, column);
    std::vector<std::size_t> seen;
    matrix.for_each_in_row(7, [&](std::size_t j) { seen.push_back(j); });
    CHECK((seen == std::vector<std::size_t>{0, 64, 129}));
    const BitMatrix turned = matrix.transpose();
    CHECK(turned.get(129, 7) && turned.get(64, 7) && turned.get(0, 7) && !turned.get(7, 129));
    CHECK(turned.transpose() == matrix);
}

TEST("an empty bit matrix has no rows") { CHECK(BitMatrix(0).size() == 0 && BitMatrix(0) == BitMatrix()); }

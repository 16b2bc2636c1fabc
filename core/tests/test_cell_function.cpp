#include <numeric>
#include <random>
#include <vector>

#include "check.hpp"
#include "dagwright/statistics/cell_function.hpp"

using namespace dagwright;

TEST("the cells of a set make the same together as one by one") {
    std::mt19937_64 draw(3);
    for (const double cells : {2.0, 90.0, 4000.0, 1e300})
        for (const double unit : {1.0, 0.25})
            for (const std::size_t size : {1u, 7u, 127u, 128u, 129u, 1001u}) {
                std::vector<std::uint32_t> counts(size);
                for (std::uint32_t& n : counts)
                    n = draw() % 3 == 0 ? 0
                                        : static_cast<std::uint32_t>(draw() % (draw() % 9 == 0 ? 700 : 70));
                const double N = unit * std::accumulate(counts.begin(), counts.end(), 0.0);
                for (const CellFunctionId id :
                     {adaptive_cell(cells, 700.0), dirichlet_cell(1.0, cells, 700.0)}) {
                    const CellFunction function(id, N, static_cast<double>(size), unit);
                    std::vector<std::int64_t> sums(function.parts(), 0);
                    for (const std::uint32_t n : counts) function.add(n, sums);
                    CHECK(function.total(std::span<const std::uint32_t>(counts)) == function.fit(sums, N));
                }
            }
}

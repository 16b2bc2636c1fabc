#include <algorithm>
#include <map>
#include <vector>

#include "check.hpp"
#include "dagwright/statistics/row_refinement.hpp"
#include "sample_table.hpp"

using namespace dagwright;

namespace {

// Sums of n^2 over the configurations of the members, and of those with the child, counted one by one.
struct Plain {
    std::int64_t given = 0, joint = 0;
    std::uint64_t configurations = 0, cells = 0;

    Plain(const Table& table, const std::vector<Var>& members, Var child) {
        std::map<std::vector<std::uint32_t>, std::int64_t> seen, families;
        for (std::size_t row = 0; row < table.rows(); ++row) {
            std::vector<std::uint32_t> codes;
            for (const Var v : members) codes.push_back(table.column(v)[row]);
            ++seen[codes];
            codes.push_back(table.column(child)[row]);
            ++families[codes];
        }
        for (const auto& [codes, n] : seen) given += n * n;
        for (const auto& [codes, n] : families) joint += 3 * n * n;
        configurations = seen.size();
        cells = families.size();
    }
};

}  // namespace

TEST("refined groups count what single rows count") {
    for (const auto& [rows, parts] :
         {std::pair<std::size_t, std::size_t>{1, 1}, {2, 7}, {3, 1}, {40, 7}, {700, 1}, {700, 7}}) {
        const sample::Sample drawn =
            sample::draw(static_cast<unsigned>(rows), {rows, {2, 3, 9, 2, 4, 40, 2}, false, {}});
        const Table& table = *drawn.table;
        CHECK(CodedRows::fits(table));
        const CodedRows coded(table);
        RowRefinement refinement(coded);
        std::vector<std::int64_t> squares, triples;
        for (std::size_t n = 0; n <= rows; ++n) {
            // Part k of the cell functions is k + 1 times the square.
            for (std::size_t k = 1; k <= parts; ++k) {
                squares.push_back(static_cast<std::int64_t>(k * n * n));
                triples.push_back(static_cast<std::int64_t>(3 * k * n * n));
            }
        }
        const std::vector<std::vector<Var>> walk{{}, {0}, {0, 1}, {0, 1, 2}, {0, 2}, {2, 3}, {3}, {3, 1, 0}};
        for (const Var child : {4u, 6u, 4u})
            for (const std::vector<Var>& members : walk) {
                std::vector<Extension> extensions;
                for (Var y = 0; y < table.variables(); ++y)
                    if (y != child && std::find(members.begin(), members.end(), y) == members.end())
                        extensions.push_back({.variable = y,
                                              .given = squares.data(),
                                              .joint = triples.data(),
                                              .parts = parts});
                refinement.move_to(child, members);
                std::vector<Extension> cells = extensions;
                refinement.count_cells(cells);
                refinement.count(extensions);
                for (std::size_t k = 0; k < cells.size(); ++k) {
                    CHECK(cells[k].given_cells == extensions[k].given_cells);
                    CHECK(cells[k].joint_cells == extensions[k].joint_cells);
                }
                for (const Extension& one : extensions) {
                    std::vector<Var> larger = members;
                    larger.push_back(one.variable);
                    const Plain plain(table, larger, child);
                    for (std::size_t k = 0; k < parts; ++k) {
                        CHECK(one.given_sum[k] == static_cast<std::int64_t>(k + 1) * plain.given);
                        CHECK(one.joint_sum[k] == static_cast<std::int64_t>(k + 1) * plain.joint);
                    }
                    CHECK(one.given_cells == plain.configurations);
                    CHECK(one.joint_cells == plain.cells);
                }
            }
    }
}

TEST("rows with gaps or weights are not for refinement") {
    CHECK(!CodedRows::fits(*sample::draw(1, {50, {2, 2, 2, 2}, true, {}}).table));
    const std::vector<double> weights(50, 2.0);
    CHECK(!CodedRows::fits(*sample::draw(1, {50, {2, 2}, false, weights}).table));
    CHECK(!CodedRows::fits(*sample::draw(1, {50, {2, 300}, false, {}}).table));
}

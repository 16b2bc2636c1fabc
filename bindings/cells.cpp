#include "cells.hpp"

using namespace dagwright;

nb::tuple cells_of(const Counter& counter, const Members& variables, const Members& observed) {
    const std::size_t n = counter.table().variables();
    (void)to_varset(variables, n);
    const VarSet known = to_varset(observed, n);
    Cells found;
    {
        const nb::gil_scoped_release release;
        CountScratch scratch;
        found = counter.cells(variables, counter.table().incomplete(known), scratch);
    }
    std::vector<double> weights(found.counts.begin(), found.counts.end());
    for (double& weight : weights) weight *= counter.table().unit();
    const std::size_t rows = weights.size();  // arguments are evaluated in any order: not after the move
    auto* codes = new std::vector<std::uint32_t>(std::move(found.codes));
    const nb::capsule owner(codes,
                            [](void* p) noexcept { delete static_cast<std::vector<std::uint32_t>*>(p); });
    return nb::make_tuple(
        nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<2>>(codes->data(), {rows, variables.size()}, owner),
        to_array(std::move(weights)));
}

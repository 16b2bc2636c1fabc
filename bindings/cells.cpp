#include "cells.hpp"

using namespace dagwright;

namespace {

template <class Count>
nb::tuple as_arrays(const Members& variables, const Members& observed, const TableShape& shape,
                    Count&& count) {
    const std::size_t n = shape.variables();
    (void)to_varset(variables, n);
    const VarSet known = to_varset(observed, n);
    Cells found;
    {
        const nb::gil_scoped_release release;
        found = count(shape.incomplete(known));
    }
    std::vector<double> weights(found.counts.begin(), found.counts.end());
    for (double& weight : weights) weight *= shape.unit();
    const std::size_t rows = weights.size();  // arguments are evaluated in any order: not after the move
    auto* codes = new std::vector<std::uint32_t>(std::move(found.codes));
    const nb::capsule owner(codes,
                            [](void* p) noexcept { delete static_cast<std::vector<std::uint32_t>*>(p); });
    return nb::make_tuple(
        nb::ndarray<nb::numpy, std::uint32_t, nb::ndim<2>>(codes->data(), {rows, variables.size()}, owner),
        to_array(std::move(weights)));
}

}  // namespace

nb::tuple cells_of(const Counter& counter, const Members& variables, const Members& observed) {
    return as_arrays(variables, observed, counter.table().shape(), [&](const VarSet& known) {
        CountScratch scratch;
        return counter.cells(variables, known, scratch);
    });
}

nb::tuple cells_of(CellSource& source, const Members& variables, const Members& observed) {
    return as_arrays(variables, observed, source.shape(),
                     [&](const VarSet& known) { return source.cells(variables, known); });
}

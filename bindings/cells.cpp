#include "cells.hpp"

using namespace dagwright;

namespace {

template <class Count>
CellTable counted(const Members& variables, const Members& observed, const TableShape& shape, Count&& count) {
    const std::size_t n = shape.variables();
    (void)to_varset(variables, n);
    const VarSet known = to_varset(observed, n);
    const nb::gil_scoped_release release;
    Cells found = count(shape.incomplete(known));
    return {std::move(found.codes), variables.size(), std::move(found.counts), shape.unit()};
}

}  // namespace

CellTable cells_of(const Counter& counter, const Members& variables, const Members& observed) {
    return counted(variables, observed, counter.table().shape(), [&](const VarSet& known) {
        CountScratch scratch;
        return counter.cells(variables, known, scratch);
    });
}

CellTable cells_of(CellSource& source, const Members& variables, const Members& observed) {
    return counted(variables, observed, source.shape(),
                   [&](const VarSet& known) { return source.cells(variables, known); });
}

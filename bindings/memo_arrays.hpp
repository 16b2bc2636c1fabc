// What a memo remembers as NumPy arrays, for every class that has one.
#pragma once
#include "arrays.hpp"
#include "conversions.hpp"
#include "dagwright/statistics/memo_entries.hpp"

using NamedArrays = nb::typed<nb::dict, nb::str, nb::ndarray<nb::numpy, nb::ndim<1>>>;

NamedArrays memo_arrays(dagwright::MemoEntries entries);

// The methods remembered() and remember(...).
template <class Class>
void bind_memory(Class& bound) {
    using nb::literals::operator""_a;
    using Owner = typename Class::Type;
    using Number = std::uint32_t;
    using Member = dagwright::VarSet::Member;
    bound.def(
        "remembered",
        [](const Owner& self) {
            dagwright::MemoEntries entries;
            {
                const nb::gil_scoped_release release;
                entries = self.remembered();
            }
            return memo_arrays(std::move(entries));
        },
        "Everything remembered, as arrays that remember() takes.");
    bound.def(
        "remember",
        [](Owner& self, const Input<Number>& sizes, const Input<Member>& members, const Input<Number>& kinds,
           const Input<double>& parameters, const Input<Number>& rows, const Input<double>& values,
           const Input<Number>& selection_sizes, const Input<Member>& selection_members) {
            self.remember({{copied(sizes), copied(members)},
                           copied(kinds),
                           copied(rows),
                           copied(parameters),
                           copied(values),
                           {copied(selection_sizes), copied(selection_members)}});
        },
        nb::kw_only(), "sizes"_a.noconvert(), "members"_a.noconvert(), "kinds"_a.noconvert(),
        "parameters"_a.noconvert(), "rows"_a.noconvert(), "values"_a.noconvert(),
        "selection_sizes"_a.noconvert(), "selection_members"_a.noconvert(),
        "Take up what was remembered; ValueError for what cannot be.");
}

#include "memo_arrays.hpp"

NamedArrays memo_arrays(dagwright::MemoEntries entries) {
    NamedArrays arrays;
    arrays["sizes"] = to_array(std::move(entries.sets.sizes));
    arrays["members"] = to_array(std::move(entries.sets.members));
    arrays["kinds"] = to_array(std::move(entries.kinds));
    arrays["parameters"] = to_array(std::move(entries.parameters));
    arrays["rows"] = to_array(std::move(entries.rows));
    arrays["values"] = to_array(std::move(entries.values));
    arrays["selection_sizes"] = to_array(std::move(entries.selections.sizes));
    arrays["selection_members"] = to_array(std::move(entries.selections.members));
    return arrays;
}

// Knowledge over variable numbers; dagwright.knowledge compiles names, tiers and patterns into it.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "dagwright/base/errors.hpp"
#include "dagwright/graph/knowledge.hpp"

using dagwright::Knowledge;

namespace {

void forbid_arcs(Knowledge& knowledge, const InputMatrix<bool>& mask) {
    const std::size_t n = knowledge.size();
    if (mask.shape(0) != n || mask.shape(1) != n) {
        throw dagwright::Error("the mask of forbidden arcs must have one row and one column per variable");
    }
    const bool* cell = mask.data();
    for (std::uint32_t from = 0; from < n; ++from) {
        for (std::uint32_t to = 0; to < n; ++to, ++cell) {
            if (*cell && from != to) knowledge.forbid_arc(from, to);
        }
    }
}

// The core trusts its callers inside loops; Python callers are checked here.
std::uint32_t known(const Knowledge& knowledge, std::uint32_t variable) {
    if (variable >= knowledge.size()) {
        throw nb::index_error(("variable number out of range: " + std::to_string(variable)).c_str());
    }
    return variable;
}

std::optional<std::size_t> max_parents(const Knowledge& knowledge, std::uint32_t child) {
    const std::size_t most = knowledge.max_parents(known(knowledge, child));
    if (most == Knowledge::kUnbounded) return std::nullopt;
    return most;
}

bool allows(const Knowledge& knowledge, std::uint32_t child, const std::vector<std::uint32_t>& parents) {
    for (const std::uint32_t parent : parents) known(knowledge, parent);
    return knowledge.allows(known(knowledge, child), parents);
}

}  // namespace

void bind_knowledge(nb::module_& m) {
    using nb::literals::operator""_a;
    nb::class_<Knowledge>(m, "Knowledge", "Compiled knowledge over variable numbers.")
        .def(nb::init<std::size_t>(), "n"_a)
        .def("__len__", &Knowledge::size)
        .def("empty", &Knowledge::empty)
        .def(
            "allows_arc",
            [](const Knowledge& k, std::uint32_t from, std::uint32_t to) {
                return k.allows_arc(known(k, from), known(k, to));
            },
            "source"_a, "target"_a)
        .def(
            "requires_arc",
            [](const Knowledge& k, std::uint32_t from, std::uint32_t to) {
                return k.requires_arc(known(k, from), known(k, to));
            },
            "source"_a, "target"_a)
        .def(
            "requires_link",
            [](const Knowledge& k, std::uint32_t a, std::uint32_t b) {
                return k.requires_link(known(k, a), known(k, b));
            },
            "a"_a, "b"_a)
        .def("max_parents", &max_parents, "child"_a)
        .def("allows", &allows, "child"_a, "parents"_a)
        .def(
            "allowed_parents",
            [](const Knowledge& k, std::uint32_t child) { return k.allowed_parents(known(k, child)); },
            "child"_a)
        .def("required_arcs", &Knowledge::required_arcs)
        .def("required_links", &Knowledge::required_links)
        .def("forbid_arc", &Knowledge::forbid_arc, "source"_a, "target"_a)
        .def("forbid_arcs", &forbid_arcs, "mask"_a)
        .def("require_arc", &Knowledge::require_arc, "source"_a, "target"_a)
        .def("require_link", &Knowledge::require_link, "a"_a, "b"_a)
        .def("bound_parents", &Knowledge::bound_parents, "child"_a, "most"_a)
        .def(
            "renumbered",
            [](const Knowledge& k, const std::vector<std::uint32_t>& permutation) {
                return k.renumbered(permutation);
            },
            "permutation"_a);
}

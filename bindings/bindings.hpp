#pragma once
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_cancel(nb::module_& m);
void bind_equivalence(nb::module_& m);
void bind_errors(nb::module_& m);
void bind_inference(nb::module_& m);
void bind_completion(nb::module_& m);
void bind_expected_rows(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_knowledge(nb::module_& m);
void bind_special(nb::module_& m);
void bind_table(nb::module_& m);
void bind_cell_source(nb::module_& m);
void bind_evidence(nb::module_& m);
void bind_moments(nb::module_& m);
void bind_search(nb::module_& m);
void bind_order_search(nb::module_& m);
void bind_candidates(nb::module_& m);
void bind_cluster_cuts(nb::module_& m);
void bind_exact(nb::module_& m);
void bind_skeleton(nb::module_& m);
void bind_colliders(nb::module_& m);
void bind_independence(nb::module_& m);
void bind_trees(nb::module_& m);
void bind_layout(nb::module_& m);
void bind_model(nb::module_& m);
void bind_posterior(nb::module_& m);

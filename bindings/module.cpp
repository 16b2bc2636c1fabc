// The Python module dagwright._core. One bind_* function for each part of the core, each in its own file.
#include "bindings.hpp"

NB_MODULE(_core, m) {
    // Tables that a script still holds when the interpreter ends are no leaks worth a message.
    nb::set_leak_warnings(false);
    m.doc() = "Native core of dagwright: counting, evidence, graphs and search loops.";
    bind_errors(m);
    bind_cancel(m);
    bind_graph(m);
    bind_knowledge(m);
    bind_equivalence(m);
    bind_special(m);
    bind_table(m);
    bind_cell_source(m);
    bind_evidence(m);
    bind_moments(m);
    bind_search(m);
    bind_order_search(m);
    bind_candidates(m);
    bind_cluster_cuts(m);
    bind_exact(m);
    bind_skeleton(m);
    bind_independence(m);
    bind_colliders(m);
    bind_trees(m);
    bind_model(m);
    bind_posterior(m);
    bind_inference(m);
    bind_completion(m);
    bind_expected_rows(m);
    bind_layout(m);
}

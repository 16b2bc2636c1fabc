// The Python module dagwright._core. One bind_* function per room of the core, each in its own file.
#include "bindings.hpp"

NB_MODULE(_core, m) {
    m.doc() = "Native core of dagwright: counting, evidence, graphs and search loops.";
    bind_errors(m);
    bind_graph(m);
    bind_knowledge(m);
    bind_special(m);
    bind_table(m);
    bind_evidence(m);
    bind_search(m);
}

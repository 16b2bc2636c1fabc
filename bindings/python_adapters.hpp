// What adapters for objects written in Python share.
#pragma once
#include <nanobind/nanobind.h>

#include "dagwright/base/varset.hpp"

namespace nb = nanobind;

inline nb::frozenset to_frozenset(const dagwright::VarSet& set) {
    nb::set members;
    for (const dagwright::Var v : set) members.add(nb::int_(v));
    return nb::frozenset(members);
}

// The adapters hold Python objects that may hold the adapters: the garbage collector must see through them.
// An adapter has a member `held`, the object.
template <class Adapter>
int traverse_held(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(Py_TYPE(self));
    if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<Adapter>(self)->held.ptr());
    return 0;
}

template <class Adapter>
int clear_held(PyObject* self) {
    nb::inst_ptr<Adapter>(self)->held.reset();
    return 0;
}

template <class Adapter>
PyType_Slot collectable[] = {{Py_tp_traverse, reinterpret_cast<void*>(&traverse_held<Adapter>)},
                             {Py_tp_clear, reinterpret_cast<void*>(&clear_held<Adapter>)},
                             {0, nullptr}};

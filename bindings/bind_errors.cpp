// Core exceptions become dagwright.errors types, so that Python users catch one hierarchy.
#include "bindings.hpp"
#include "dagwright/base/errors.hpp"

namespace {

void raise_as(const char* type_name, const char* message) {
    nb::object type = nb::module_::import_("dagwright.errors").attr(type_name);
    PyErr_SetString(type.ptr(), message);
}

void translate(const std::exception_ptr& pointer, void*) {
    try {
        std::rethrow_exception(pointer);
    } catch (const dagwright::CapacityError& error) {
        raise_as("CapacityError", error.what());
    } catch (const dagwright::CycleError& error) {
        raise_as("CycleError", error.what());
    } catch (const dagwright::Error& error) {
        raise_as("DagwrightError", error.what());
    } catch (const nb::cast_error&) {
        raise_as("DagwrightError", "an argument, or what a Python callback returned, has the wrong type");
    }
}

}  // namespace

void bind_errors(nb::module_&) { nb::register_exception_translator(translate); }

#include "dagwright/errors.hpp"

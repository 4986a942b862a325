// Label and field selectors, as list, watch and deletecollection take them.
#pragma once

#include "registry/field_selector.h"
#include "registry/label_selector.h"

#include "CCounterfoilSimdJSON.h"

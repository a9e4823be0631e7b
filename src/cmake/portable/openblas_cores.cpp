// For portable builds. A static OpenBLAS brings its kernels for twenty kinds of processor, 28 MB in
// each program. These names stand in for those that cannot run x86-64-v3 code anyway, so the linker
// leaves their kernels out. PRESCOTT stays: OpenBLAS falls back to it on what it does not know.

namespace {
constexpr int table_size = 8192; // OpenBLAS 0.3.21 has tables of 4736 bytes; nobody reads these
}

#define CONTRAFLOW_LEAVE_OUT(core)                                                                 \
  extern "C" {                                                                                     \
  char gotoblas_##core[table_size];                                                                \
  }

CONTRAFLOW_LEAVE_OUT(ATOM)
CONTRAFLOW_LEAVE_OUT(BARCELONA)
CONTRAFLOW_LEAVE_OUT(BOBCAT)
CONTRAFLOW_LEAVE_OUT(BULLDOZER)
CONTRAFLOW_LEAVE_OUT(CORE2)
CONTRAFLOW_LEAVE_OUT(DUNNINGTON)
CONTRAFLOW_LEAVE_OUT(NANO)
CONTRAFLOW_LEAVE_OUT(NEHALEM)
CONTRAFLOW_LEAVE_OUT(OPTERON)
CONTRAFLOW_LEAVE_OUT(OPTERON_SSE3)
CONTRAFLOW_LEAVE_OUT(PENRYN)
CONTRAFLOW_LEAVE_OUT(PILEDRIVER)
CONTRAFLOW_LEAVE_OUT(SANDYBRIDGE)
CONTRAFLOW_LEAVE_OUT(STEAMROLLER)

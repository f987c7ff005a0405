# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=FILE -DFILES=a;b -P interface.cmake: a header with one name for what the files say, so that two libraries which were built
# from different ones can tell.
set(all "")
foreach(file IN LISTS FILES)
  file(SHA256 ${file} hash)
  string(APPEND all ${hash})
endforeach()
string(SHA256 all "${all}")
file(WRITE ${OUT} "#define JIT_INTERFACE \"${all}\"\n")

#!/usr/bin/env bash
# Compile mmcv for the PyTorch in VENV: build_mmcv.sh VENV onedl-mmcv==2.3.6
# Its headers, nearly all of the time, are precompiled once. CUDA operators are
# built with FORCE_CUDA=1 or beside a GPU and a toolkit of PyTorch's CUDA.
set -euo pipefail
package=$2 name=${2%==*} log=$1/mmcv.log
export PATH=$PWD/$1/bin:$PATH

works() { # torch first: it brings the libraries that the operators need
    python -c 'import importlib.util as util, sys, torch
sys.path += util.find_spec("mmcv").submodule_search_locations; import _ext'
}
install() {
    python -m pip install --verbose --no-deps --force-reinstall \
        --no-build-isolation "$package" 2>&1 | tee "$log" |
        sed -nu 's/^ *\(\[[0-9]*\/[0-9]*\]\).*/mmcv \1/p'
}
cuda='import subprocess, torch, torch.utils.cpp_extension as cpp
nvcc = subprocess.getoutput(f"{cpp.CUDA_HOME}/bin/nvcc --version")
print(int(torch.cuda.is_available() and f" {torch.version.cuda}," in nvcc))'
flags='import sysconfig, torch, torch.utils.cpp_extension as cpp
paths = [*cpp.include_paths(), sysconfig.get_path("include")]
print(sysconfig.get_config_var("CFLAGS"), *(f"-I{path}" for path in paths),
      "-g0 -fPIC -std=c++17 -DTORCH_API_INCLUDE_EXTENSION_H -DTORCH_EXTENSION_NAME"
      f"=_ext -D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}")'

works 2>/dev/null && exit
if python -m pip cache list "${name/-/_}" 2>/dev/null | grep -q whl; then
    install && works 2>/dev/null && exit
    python -m pip cache remove "${name/-/_}" # no operators, or of other torch
fi
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
printf '#include <torch/types.h>\n#include <vector>\n' >"$folder/torch.h"
CFLAGS=$(python -c "$flags" 2>/dev/null)
xargs "${CXX:-c++}" -x c++-header "$folder/torch.h" <<<"$CFLAGS"
export MMCV_WITH_OPS=1 CFLAGS="$CFLAGS -include $folder/torch.h"
export FORCE_CUDA=${FORCE_CUDA:-$(python -c "$cuda" 2>/dev/null || echo 0)}
[ "$FORCE_CUDA" = 1 ] || export CUDA_VISIBLE_DEVICES=
install
works || { echo "error: mmcv does not work; see $log" >&2 && exit 1; }

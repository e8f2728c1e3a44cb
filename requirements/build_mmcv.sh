#!/usr/bin/env bash
# Install mmcv with its operators, compiled against the PyTorch in VENV.
#
#   bash requirements/build_mmcv.sh VENV onedl-mmcv==2.3.6
#
# PyTorch's headers, nearly all of the time, are precompiled once. CUDA operators
# are built with FORCE_CUDA=1 or beside a GPU and a toolkit of PyTorch's CUDA.
set -euo pipefail
python=$1/bin/python package=$2

works() { # torch first: it brings the libraries that the operators need
    "$python" -c 'import sys, torch, importlib.util as util
sys.path += util.find_spec("mmcv").submodule_search_locations
import _ext' 2>/dev/null
}
cuda='import subprocess, torch, torch.utils.cpp_extension as cpp
nvcc = subprocess.getoutput(f"{cpp.CUDA_HOME}/bin/nvcc --version")
print(int(torch.cuda.is_available() and f" {torch.version.cuda}," in nvcc))'
flags='import sysconfig, torch.utils.cpp_extension as cpp
paths = [*cpp.include_paths(), sysconfig.get_path("include")]
print(sysconfig.get_config_var("CFLAGS"), "-g0 -fPIC -std=c++17",
      *(f"-I{path}" for path in paths),
      "-DTORCH_API_INCLUDE_EXTENSION_H -DTORCH_EXTENSION_NAME=_ext")'

install() {
    PATH=$PWD/$1/bin:$PATH "$python" -m pip install --verbose --no-deps \
        --force-reinstall --no-build-isolation "$package" 2>&1 |
        tee "$1/mmcv.log" | sed -nu 's/^ *\(\[[0-9]*\/[0-9]*\]\).*/mmcv \1/p'
}

works && exit
name=$(tr - _ <<<"${package%==*}")
if "$python" -m pip cache list "$name" 2>/dev/null | grep -q whl; then
    install "$1" && works && exit
    "$python" -m pip cache remove "$name" # without operators, or of other torch
fi
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
printf '#include <torch/types.h>\n#include <vector>\n' >"$folder/torch.h"
CFLAGS=$("$python" -c "$flags" 2>/dev/null)
# shellcheck disable=SC2086 # the flags are words
${CXX:-c++} $CFLAGS -x c++-header "$folder/torch.h" -o "$folder/torch.h.gch" ||
    echo 'headers are not precompiled: slower'
FORCE_CUDA=${FORCE_CUDA:-$("$python" -c "$cuda" 2>/dev/null || echo 0)}
export FORCE_CUDA MMCV_WITH_OPS=1 CFLAGS="$CFLAGS -include $folder/torch.h"
[ "$FORCE_CUDA" = 1 ] || export CUDA_VISIBLE_DEVICES=
install "$1"
works || { echo "error: mmcv does not work; see $1/mmcv.log" >&2 && exit 1; }

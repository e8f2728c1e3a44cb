"""Start the processes of dist_run.sh: torchrun, without its tracebacks.

What went wrong is said by the process that met it; its exit status, or that
of the signal that ended all, is that of this program.
"""

import os
import signal
import sys

from torch.distributed.elastic.multiprocessing import SignalException
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.run import main

if __name__ == '__main__':
    # torchrun passes on no other; it would end, and leave its processes.
    signal.signal(
        signal.SIGUSR1, lambda *_: os.kill(os.getpid(), signal.SIGTERM)
    )
    try:
        main()
    except SignalException as stop:
        sys.exit(128 + stop.sigval)
    except ChildFailedError as error:
        rank, first = error.get_first_failure()
        # A process that was killed has the negative number of the signal.
        status = first.exitcode
        if status > 0:
            sys.exit(status)
        print(
            f'error: process {rank} was ended by '
            f'{signal.Signals(-status).name}, and the others with it; by '
            'SIGKILL a system ends programs where its memory is full. The '
            'last checkpoint is intact; run the same command to resume.',
            file=sys.stderr,
        )
        sys.exit(128 - status)

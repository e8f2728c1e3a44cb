"""Start the processes of dist_run.sh: torchrun, without its tracebacks.

What went wrong is said by the process that met it; its exit status, or that
of the signal that ended all, is that of this program.
"""

import logging
import os
import signal
import sys
from pathlib import Path

from torch.distributed.elastic.multiprocessing import SignalException
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
from torch.distributed.run import main

from mmdrloc.apis.cli import parse, refuse_words
from mmdrloc.utils.errors import first_line, usage_errors_in_one_sentence

if __name__ == '__main__':
    # torchrun passes on no other; it would end, and leave its processes.
    signal.signal(
        signal.SIGUSR1, lambda *_: os.kill(os.getpid(), signal.SIGTERM)
    )
    # Its lines on the ends of processes, of which they tell themselves.
    logging.disable()
    # Options of torchrun stand before the tool.
    first = next(n for n, w in enumerate(sys.argv) if n and w[0] != '-')
    tool, *words = sys.argv[first:]
    with usage_errors_in_one_sentence():
        # Here, or each process would tell what is wrong.
        refuse_words(parse([Path(tool).stem, *words])[1])
    try:
        main()
    except SignalException as stop:
        sys.exit(128 + stop.sigval)
    except RuntimeError as error:  # of torchrun's own connection
        sys.exit(
            f'error: the processes cannot meet: {first_line(error)}. Set PORT '
            'to a port that is free, and on several machines MASTER_ADDR to '
            'the address of the first, both the same on all.'
        )
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

"""A training of next to nothing: a hundred steps and saves in a second."""

import multiprocessing
import os

import torch
from mmengine.dist import is_distributed
from mmengine.evaluator import BaseMetric, Evaluator
from mmengine.model import BaseModel
from torch import nn

from mmdrloc.engine.runner import ResumableRunner

FORK = multiprocessing.get_context('fork')


def join_group(folder, rank, ranks):
    """Make this process one of several on CPUs."""
    os.environ.update(
        RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(ranks)
    )
    store = f'file://{folder}/store'
    torch.distributed.init_process_group(
        'gloo', init_method=store, rank=rank, world_size=ranks
    )


def on_two_processes(folder, task):
    """Call ``task(rank)`` in two processes; the texts that it returns."""

    def child(rank):
        join_group(folder, rank, 2)
        (folder / f'{rank}.txt').write_text(task(rank))

    processes = [FORK.Process(target=child, args=(rank,)) for rank in (0, 1)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
        process.kill()
    return [(folder / f'{rank}.txt').read_text() for rank in (0, 1)]


class Toy(BaseModel):
    """A line through points."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 1)
        # Of statistics that processes share.
        self.norm = nn.BatchNorm1d(1, affine=False)

    def forward(self, inputs, data_samples, mode):
        if mode == 'loss':
            return dict(loss=(self.layer(inputs) - inputs).square().mean())
        return [float(x) for x in inputs]


class Growing(BaseMetric):
    """Better at every validation."""

    def __init__(self, validations):
        super().__init__(prefix='')
        self.validations = validations

    def process(self, data_batch, data_samples):
        self.results.append(0)

    def compute_metrics(self, results):
        self.validations += 1
        return dict(score=float(self.validations))


def points():
    inputs = torch.linspace(0, 1, 4)[:, None]
    return [dict(inputs=x, data_samples=0) for x in inputs]


def toy_runner(
    work_dir,
    epochs=2,
    workers=0,
    resume=None,
    hooks=(),
    validations=0,
    accumulate=1,
    schedule=None,
    **checkpoint,
):
    """Two steps an epoch, a checkpoint after each and a validation."""

    def loader(workers=0):
        config = dict(batch_size=2, num_workers=workers)
        sampler = dict(type='DefaultSampler', shuffle=False)
        collate = dict(type='default_collate')
        return dict(
            config, dataset=points(), sampler=sampler, collate_fn=collate
        )

    cfg = dict(resume=resume is not None)
    if is_distributed():
        wrapper = dict(type='MMDistributedDataParallel', device_ids=None)
        cfg['model_wrapper_cfg'] = wrapper
    torch.manual_seed(0)
    return ResumableRunner(
        Toy(),
        str(work_dir),
        train_dataloader=loader(workers),
        val_dataloader=loader(),
        val_evaluator=Evaluator([Growing(validations)]),
        train_cfg=dict(by_epoch=True, max_epochs=epochs),
        val_cfg=dict(),
        param_scheduler=schedule,
        optim_wrapper=dict(
            optimizer=dict(type='SGD', lr=0.01, momentum=0.9),
            accumulative_counts=accumulate,
        ),
        launcher='pytorch' if is_distributed() else 'none',
        env_cfg=dict(dist_cfg=dict(backend='gloo')),
        cfg=cfg,
        default_hooks=dict(
            logger=None,
            checkpoint=dict(
                dict(type='CheckpointHook', interval=1, max_keep_ckpts=2),
                **checkpoint,
            ),
            resume=dict(type='mmdrloc.ResumeHook'),
            interrupt=dict(type='mmdrloc.InterruptHook'),
        ),
        custom_hooks=list(hooks),
        load_from=resume and str(resume),
        resume=resume is not None,
        experiment_name=f'{work_dir}'.replace('/', '_'),
        log_level='ERROR',
    )

"""One process takes one GPU, whatever else the machine has."""

import os


def take_one_gpu() -> None:
    """Leaves the first GPU visible, if this is the only process and several are visible.

    Otherwise a model would be spread over all GPUs of the machine, layer after layer, and only one of them would
    compute at a time. Call it before anything starts CUDA, as some libraries do while they are imported: later it has
    no effect.
    """
    import torch

    # torchrun and accelerate set these in each of several processes.
    if {"WORLD_SIZE", "LOCAL_RANK"} & os.environ.keys():
        return
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")  # Slurm sets it to all GPUs of a job
    gpus = torch.cuda.device_count() if visible is None else len(visible.split(","))  # does not start CUDA
    if gpus > 1:
        os.environ["CUDA_VISIBLE_DEVICES"] = "0" if visible is None else visible.split(",")[0]
        print(
            f"one process, {gpus} GPUs: the first one is used; CUDA_VISIBLE_DEVICES=1 takes the second, "
            f"accelerate launch --num_processes {gpus} takes all of them",
            flush=True,
        )

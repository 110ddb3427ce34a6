"""Score prediction files as the paper's tables do: the same as the command `bap-v2 score`.

    python training/score.py runs/smoke/test.jsonl
    python training/score.py runs/a/test.jsonl runs/b/test.jsonl --baseline stack --json scores.json

Rows EB, NEB and Overall; columns Type, Color, Location, Shape and Overall (fairer F1), in percent, with bootstrap
intervals, paired tests against the first system, and the metric's signature. `--help` lists the options.
"""

import sys

from bap_v2_dataset.cli import main

if __name__ == "__main__":
    sys.argv[1:1] = ["score"]
    main()

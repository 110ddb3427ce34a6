"""`python -m bap_v2_dataset` is `bap-v2`."""

from bap_v2_dataset.cli import main

if __name__ == "__main__":
    main()

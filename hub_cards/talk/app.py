"""The Space of talks: a person says what to build, and a Builder builds it.

`bap-v2 push --talk-space` puts this file and the packages that it needs into the Space. The Builder is the one in
`model.txt`, unless BAP_V2_MODEL names another; for a private one the Space needs the secret HF_TOKEN.
"""

import os
from pathlib import Path

from bap_v2_dataset.explorer import server
from bap_v2_dataset.games.talk import Talk, talker_of

if __name__ == "__main__":
    named = os.environ.get("BAP_V2_MODEL") or Path(__file__).with_name("model.txt").read_text(encoding="utf-8")
    talker = talker_of(named.strip())
    server.serve_talk(talker, Talk.begun(talker))

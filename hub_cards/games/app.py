"""The Space of full games: a person builds what the simulated Architect asks for.

`bap-v2 push --games-space` puts this file and the packages that it needs into the Space. It needs no dataset.
"""

from bap_v2_dataset.explorer import server

if __name__ == "__main__":
    server.serve_games()

"""Words of people that a perturbation would make wrong: where one of them is said, there is no such variant.

The lists were written from the chat lines of the human corpus. Simulated instructions need none: the symbolic reader
understands them, and a variant that it reads in another way is refused (see `validity`).
"""

import re

# Blocks that are added or taken away elsewhere would be meant, too, or change which block is meant: those that come
# first, for instance, for added blocks are the first of the history.
QUANTIFIERS = re.compile(
    r"\b(?:\w+most|furthest|farthest|closest|nearest|highest|lowest|tallest|shortest|first|middle|center|centre|every|"
    r"each|all|both|any|only|others?|same|rest|everything|everywhere|corners?|edges?|structures?|whole|entire|"
    r"symmetr\w*|mirror\w*|opposite|repeat\w*|layers?|original\w*|initial\w*|earlier|remaining|references?|"
    r"starting (?:block|brick|one|point|square)s?)\b"
)
# Blocks that were just placed: where the history has one run of actions, the added ones are among them.
PLURALS = re.compile(r"\b(?:those|these|them|they|ones|(?:blocks|bricks) you)\b")
# Directions and coordinates of the world, which do not turn with the Builder: "north", "the x-axis", "at (3, 3)".
COMPASS = re.compile(
    r"\b(?:(?:north|south)(?:[ -]?(?:east|west))?|east|west)(?:ern|wards?)?\b"
    r"|\b[xyz][ -]?(?:axis|direction|coordinates?)|\b(?:counter|anti)?[ -]?clockwise\b"
    r"|\(\s*-?\d+\s*,\s*-?\d+\s*(?:,\s*-?\d+\s*)?\)"
)
# Places of the BuildRegion, from which a shift leads away.
REGION = re.compile(
    r"\b(?:middle|center|centre|central|centered|centred|corners?|edges?|borders?|boundar\w*|perimeter|board|grid|region|"
    r"area|walls?|arena|map|zone|field|limits?|white|platform)\b"
    r"|\ball the way\b"
    r"|\b(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth) (?:space|square|spot|tile)s? (?:to|from)\b"
)
# Blocks named by when they were placed, which another order of the actions changes: "the first block you placed".
PLACED_IN_ORDER = re.compile(
    r"\b(?:first|second|third|fourth|1st|2nd|3rd|4th|earlier|original(?:ly)?)\b[^\n.]{0,40}"
    r"\b(?:you|u)\b[^\n.]{0,12}\b(?:put|placed|built|made|laid|did)\b"
    r"|\b(?:first|second|1st|2nd)\b[^\n.]{0,25}\bplaced\b"
    r"|\b(?:you|u) (?:first|originally) (?:put|placed|built|made)\b"
)
# Colors that no block has, by which people mean one that does, and what has its colors by itself.
FOREIGN_COLORS = re.compile(
    r"\b(?:brown|pink|violet|magenta|lavender|maroon|burgundy|crimson|scarlet|gold|golden|lime|teal|cyan|turquoise|navy|"
    r"indigo|tan|beige|peach|rainbow|primary colou?rs?|traffic lights?|christmas|halloween)\b"
)

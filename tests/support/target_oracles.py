"""Slow and plain ways to say what a target is, to check the fast ones against."""

from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Cell


def share_a_face_or_an_edge(a, b):
    return sorted(abs(p - q) for p, q in zip(a, b)) in ([0, 0, 1], [0, 1, 1])


def in_one_piece(cells_of_it):
    """Oracle for connectedness: pieces are joined until nothing joins."""
    pieces = [{cell} for cell in cells_of_it]
    joined = True
    while joined:
        joined = False
        for i, piece in enumerate(pieces):
            for other in pieces[i + 1 :]:
                if any(share_a_face_or_an_edge(a, b) for a in piece for b in other):
                    piece |= other
                    pieces.remove(other)
                    joined = True
                    break
            if joined:
                break
    return len(pieces) <= 1


def canonical(target):
    """What is equal for two targets exactly if a quarter turn and a horizontal translation make them equal."""
    forms = []
    for turns in range(4):
        turn = Transform(turns, 0, 0)
        moved = [(turn(Cell(*cell)), color.value) for cell, color in target.items()]
        x0, z0 = min(cell.x for cell, _ in moved), min(cell.z for cell, _ in moved)
        forms.append(tuple(sorted((cell.x - x0, cell.y, cell.z - z0, color) for cell, color in moved)))
    return min(forms)

"""The base of all errors that a user can fix, and how values are shown."""


class UserError(ValueError):
    """Wrong input, with a message that names the value and the fix.

    The command line shows the message alone. Any other error is a bug of ours and shows its traceback.
    """


class InputError(UserError):
    """Predictions or references that cannot be scored; the message names the item, the field and the value."""


class NothingInCommonError(InputError):
    """Two systems that have no item in common that tells them apart."""


def no_formula(cell: object) -> object:
    """Return a cell of a CSV file; a spreadsheet that opens it must not compute a text.

    >>> no_formula("=1+1"), no_formula("pick"), no_formula(-1)
    ("'=1+1", 'pick', -1)
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def shortened(value: object) -> str:
    """Return a value in a message, as it would be typed: at most 80 characters of it."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."

"""The base of all errors that a user can fix."""


class UserError(ValueError):
    """Wrong input, with a message that names the value and the fix.

    The command line shows the message alone. Any other error is a bug of ours and shows its traceback.
    """


class InputError(UserError):
    """Predictions or references that cannot be scored; the message names the item, the field and the value."""


class NothingInCommonError(InputError):
    """Two systems that have no item in common that tells them apart."""


def shortened(value: object) -> str:
    """Return a value in a message, as it would be typed: at most 80 characters of it."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."

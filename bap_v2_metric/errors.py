"""The base of all errors that a user can fix."""


class UserError(ValueError):
    """Wrong input, with a message that names the value and the fix.

    The command line shows the message alone. Any other error is a bug of ours and shows its traceback.
    """

"""The error of a training or prediction run that a user can fix."""

from bap_v2_metric.errors import UserError


class UsageError(UserError):
    """A request that cannot be carried out; the message says what to change."""

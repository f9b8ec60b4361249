"""The versions of packages."""

import time


def between(number, seconds, commit):
    """The version of a commit that has no tag. It is newer than the release `number`, and than that
    of an earlier commit: the time is in UTC.
    """
    return f"{number}+{time.strftime('%Y%m%d%H%M%S', time.gmtime(seconds))}.{commit[:8]}"

"""Settings of the jobs, from the environment."""

import os

DEFAULT_PAUSE_DAYS = 7


def load_settings() -> dict:
    """Read the settings; what is not set has its default."""
    return {
        "pause_days": int(os.environ.get("SHELF_PAUSE_DAYS", DEFAULT_PAUSE_DAYS)),
        "relay": os.environ.get("SHELF_RELAY", "localhost"),
    }

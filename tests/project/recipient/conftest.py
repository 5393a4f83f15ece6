"""A recipient whose answers score nothing, except what every institution scores."""

import pytest

SAFE = {
    "institution": "other",
    **dict.fromkeys(("shaming", "profit", "ban_missing", "open_data"), "no"),
    **dict.fromkeys(
        ("training", "handling_plan", "safe_transfer", "intrusion_protection", "access_records", "security_checks"),
        "yes",
    ),
    **dict.fromkeys(("expertise", "resources", "other_databases"), "no"),
    "working_years": 0,
}


@pytest.fixture
def safe() -> dict[str, object]:
    return dict(SAFE)

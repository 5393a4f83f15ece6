"""BIO-STREAMS deliverable D4.2 (2025): the configuration of appendix A and the report of figure 4."""

import json
import re
from pathlib import Path

import pytest
import yaml

from sfumato.studies.bio_streams.configuration import PUBLISHED
from sfumato.studies.bio_streams.configuration_file import read_configuration_file
from sfumato.studies.bio_streams.study import FileNames
from sfumato.studies.bio_streams.summary import PilotFindings, SensitiveFindings, summary_text
from sfumato.studies.bio_streams.validation import validate_config

DELIVERABLE = Path(__file__).parents[3] / "shared/seeds/002_50da4816f19d1d0c.txt"
PENTELI = PilotFindings("PENTELI", PUBLISHED, 633, 19, (SensitiveFindings("LB__Cholesterol", 86, 11),))

APPENDIX_A = {
    "categorical_qis": ["DM__SEX", "SC__Country of Permanent Address", "SC__District of Permanent Address"],
    "continuous_qis": ["DM__AGE", "VS__BMI"],
    "binning_config": {"DM__AGE": [0, 6, 12, 18], "VS__BMI": [0, 20, 30, 40]},
    "sensitive_feature": "LB__Cholesterol",
    "sensitive_binning_config_for_L": {"LB__Cholesterol": [100, 150, 200, 250]},
    "K": 5,
    "L": 5,
    "T": 50,
}


def spelled(script: bool) -> dict:
    names = {"L": "ℓ", "sensitive_binning_config_for_L": "sensitive_binning_config_for_ℓ"} if script else {}
    return {names.get(key, key): value for key, value in APPENDIX_A.items()}


@pytest.fixture
def deliverable() -> str:
    if not DELIVERABLE.exists():
        pytest.skip("the text of the deliverable is not on this machine (../shared/seeds)")
    return DELIVERABLE.read_text(encoding="utf-8")


def test_the_report_on_penteli_is_figure_4_without_pictograms(deliverable):
    figure = re.search(r"```\n(# [^\n]*Privacy Report for PILOT.*?)\n```", deliverable, re.DOTALL).group(1)
    letters = re.sub(r"^(#+) [^\x00-\x7fℓ]+ ", r"\1 ", figure, flags=re.MULTILINE).replace("ℓ", "l")
    assert letters.isascii()
    assert summary_text(PENTELI).split("\n\n## Notes")[0] == letters


@pytest.mark.parametrize(("flagged", "share"), [(19, "3.0%"), (86, "13.6%"), (11, "1.7%")])
def test_the_shares_of_figure_4_are_those_of_633_records(flagged, share):
    findings = PilotFindings("PENTELI", PUBLISHED, 633, flagged, ())
    assert f"| PENTELI | 633 | {flagged} | {share} |" in summary_text(findings)


@pytest.mark.parametrize("script", [False, True])
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_the_configuration_of_appendix_a_is_read_as_it_stands(tmp_path, form, script):
    path = tmp_path / f"config.{form}"
    values = spelled(script)
    text = json.dumps(values) if form == "json" else yaml.safe_dump(values, allow_unicode=True)
    path.write_text(text, encoding="utf-8")
    config = validate_config(read_configuration_file(path))
    assert (config.K, config.L, config.T) == (5, 5, 50)
    assert config.sensitive_features == ("LB__Cholesterol",)
    assert config.quasi_identifiers == (*APPENDIX_A["categorical_qis"], *APPENDIX_A["continuous_qis"])
    assert config.binning_config == {"DM__AGE": (0, 6, 12, 18), "VS__BMI": (0, 20, 30, 40)}
    assert config.sensitive_binning_config_for_L == {"LB__Cholesterol": (100, 150, 200, 250)}
    assert config.sensitive_binning_config == {}


def test_the_configuration_of_the_published_run_differs_from_appendix_a_in_t_only():
    """A2-1: the appendix says T = 50, the figures and the file name say 30."""
    assert validate_config(APPENDIX_A | {"T": 30}) == PUBLISHED
    assert validate_config(APPENDIX_A) != PUBLISHED


def test_the_files_are_called_as_in_appendix_a(deliverable):
    names = FileNames("PENTELI", PUBLISHED)
    listed = [names.risky_k, names.risky_l("<sensitive>"), names.risky_t("<sensitive>")]
    for name in listed:
        assert name.replace("_sensitive_", "<sensitive>") in deliverable
    assert names.summary.replace("PENTELI", "<PILOT>") in deliverable

# `make demo` shows Sfumato at work; `make test` checks everything. Both set up what they need.
SHELL := /bin/bash
BIN := .venv/bin
# What tests write lies in memory where there is room for it: files that are made sure to be on a disk cost a wait each.
ROOM := $(shell df --output=avail /dev/shm 2>/dev/null | tail -n 1)
export PYTEST_DEBUG_TEMPROOT := $(shell [ "$(ROOM)" -gt 8000000 ] 2>/dev/null && echo /dev/shm)

.PHONY: setup dev pictures demo check test test-oldest test-pythons soak quality bench site wheel lock clean

setup:                      ## .venv with the command `sfumato`
	@tools/environment
	@tools/assets

dev:                        ## .venv with the development tools, and what the tests need of the system
	@tools/environment dev
	@tools/assets
	@tools/system-packages

pictures:                   ## .venv with what draws charts as well
	@tools/environment plots
	@tools/assets

demo: pictures                 ## a made-up pilot of 633 children assessed; a hospital's table released, attacked and reported
	@$(BIN)/sfumato demo --folder demo
	@$(BIN)/sfumato study bio-streams --root demo || test $$? -eq 1
	@echo; echo "The same table by columns of your choice, with the risk ladder:"; echo
	@$(BIN)/sfumato assess demo/pilot_report/PENTELI/processed_for_anonym/combined_dataset.csv \
	  --subject USUBJID --quasi "DM__SEX,SC__District of Permanent Address,DM__AGE,VS__BMI" \
	  --bins DM__AGE=0,6,12,18 --bins VS__BMI=0,20,30,40 --sensitive LB__Cholesterol \
	  --k 5 --t 0.3 --out demo/study_flagged --json demo/study_assessment.json || test $$? -eq 1
	@echo; echo "A hospital's admissions: which columns identify, and the release by a plan:"; echo
	@$(BIN)/sfumato identify demo/hospital_admissions.csv --combinations 2
	@$(BIN)/sfumato plan show recipe:hospital
	@$(BIN)/sfumato apply recipe:hospital demo/hospital_admissions.csv -o demo/hospital_released.csv --release-rest
	@echo; echo "Who could be found before and after, and what each step cost:"; echo
	@$(BIN)/sfumato risk demo/hospital_admissions.csv --plan recipe:hospital \
	  --quasi Age,Gender,Outcome,DateOfFirstPositiveLabResult --sensitive DIABETES \
	  --scenario "neighbour=Age,Gender" --scenario "colleague=Age,Gender,Outcome" \
	  --scenario "who knows the day=Age,Gender,DateOfFirstPositiveLabResult" --attempts 500 --out demo/hospital_exposed
	@$(BIN)/sfumato plan effects recipe:hospital demo/hospital_admissions.csv \
	  --quasi Age,Gender,Outcome,HospitalisationDays
	@echo; echo "The whole story by a project file: the release that loses least, its report, and the proof:"; echo
	@$(BIN)/sfumato release --project demo/hospital_admissions.yaml --out demo/hospital_package --force
	@$(BIN)/sfumato verify demo/hospital_package --evidence demo/hospital_package-evidence --original demo/hospital_admissions.csv
	@echo; echo "The report is demo/hospital_package-evidence/report.html, the one for a recipient demo/hospital_package/report.html: open them in a browser."

check: dev                  ## style, types, and which way imports point
	@$(BIN)/ruff check src tests benchmarks tools docs
	@$(BIN)/ruff format --check --quiet src tests benchmarks tools docs
	@$(BIN)/mypy
	@$(BIN)/lint-imports

test: check                 ## everything
	@$(BIN)/pytest --numprocesses 2 --dist loadscope

test-oldest:                ## every test with the oldest versions that pyproject.toml allows
	@tools/system-packages
	@VENV=.venv-oldest tools/environment oldest
	@VENV=.venv-oldest tools/assets
	@.venv-oldest/bin/pytest --numprocesses 2 --dist loadscope

test-pythons:               ## every test with every Python from 3.11 on that is here
	@tools/system-packages
	@tools/test-pythons

soak: dev                   ## long campaigns of random cases, of which `make test` runs a slice: half an hour and more
	@$(BIN)/pytest --numprocesses 2 -m soak tests
	@HYPOTHESIS_PROFILE=explore $(BIN)/pytest --numprocesses 2 tests/properties

quality: dev                ## docs/detection-quality.md anew: how well columns are recognised
	@$(BIN)/python tools/detection_quality.py

bench: dev                  ## speed and memory beside the peers, as ratios within one run
	@$(BIN)/python benchmarks/assess.py
	@$(BIN)/python benchmarks/identify.py
	@$(BIN)/python benchmarks/columns.py
	@$(BIN)/python benchmarks/apply.py
	@$(BIN)/python benchmarks/steps.py
	@$(BIN)/python benchmarks/spark.py
	@$(BIN)/python benchmarks/cluster.py
	@$(BIN)/python benchmarks/compare.py
	@$(BIN)/python benchmarks/risk.py
	@$(BIN)/python benchmarks/release.py
	@$(BIN)/python benchmarks/search.py
	@$(BIN)/python benchmarks/in_engine.py
	@$(BIN)/python benchmarks/anytime.py
	@$(BIN)/python benchmarks/evaluate.py
	@$(BIN)/python benchmarks/local.py
	@$(BIN)/python benchmarks/anonymise.py
	@$(BIN)/python benchmarks/defaults.py
	@$(BIN)/python benchmarks/tabulate.py
	@$(BIN)/python benchmarks/growth.py
	@$(BIN)/python benchmarks/parts.py
	@$(BIN)/python benchmarks/reading.py
	@$(BIN)/python benchmarks/from_csv.py
	@$(BIN)/python benchmarks/service.py
	@$(BIN)/python benchmarks/workbench.py

site:                       ## the documentation as pages that open from disk, without a network: site/index.html
	@tools/environment dev
	@$(BIN)/python tools/build_site.py site

wheel: dev                  ## dist/: the wheel, the sources and a list of all parts (SBOM, CycloneDX), built without a network
	@rm -rf dist
	@$(BIN)/python -m build --no-isolation --outdir dist . >/dev/null
	@PYTHONWARNINGS=ignore $(BIN)/cyclonedx-py requirements locks/all.txt --pyproject pyproject.toml --output-reproducible \
	  --output-file dist/sfumato.cdx.json
	@ls dist/*

lock: dev                   ## locks/: the versions that are tested, with hashes; `tools/lock --upgrade` takes newer ones
	@tools/lock

clean:
	rm -rf .venv .venv-* demo site dist benchmarks/data .mypy_cache .ruff_cache .pytest_cache .hypothesis

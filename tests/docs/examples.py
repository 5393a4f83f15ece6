"""The files that the pages speak of: the tests read the pages in a folder that holds them."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]

EXAMPLES: dict[str, str] = {
    "patients.csv": """\
patient_id,age,sex,postcode,diagnosis,cholesterol
P01,34,F,0151,asthma,182
P02,37,F,0151,migraine,201
P03,31,F,0151,asthma,176
P04,36,F,0151,eczema,190
P05,35,M,0151,diabetes,243
P06,38,M,0151,diabetes,251
P07,33,M,0151,diabetes,238
P08,52,F,0203,migraine,212
P09,58,F,0203,asthma,NA
P10,55,F,0203,hypertension,229
P11,57,F,0203,diabetes,247
P12,54,M,0203,hypertension,236
""",
    "visits.csv": """\
patient_id;age;stage;weight
P01;34;II;61,5
P01;34;II;62,0
P02;;I;70,25
P03;36;III;NA
P04;36;I;81,0
P05;;III;58,75
""",
    "postcode.csv": "0151;015*;*\n0203;020*;*\n",
    "empty.csv": "age,sex\n",
    # A column that neither its name nor its values tell anything of.
    "coded.csv": "age,sex,zqv\n" + "".join(f"{30 + i % 6},{'FM'[i % 2]},{'ABC'[i % 3]}\n" for i in range(12)),
    "plan.yaml": """\
steps:
  - drop: {columns: [patient_id]}
  - generalise: {column: age, level: 1, hierarchy: {kind: intervals, width: 10}}
  - mask: {columns: [postcode], keep_left: 2}
  - recode: {column: diagnosis, mapping: {asthma: respiratory}, otherwise: keep}
  - add_noise: {column: cholesterol, range: [-3, 3]}
""",
    "hospital.yaml": (ROOT / "tests" / "examples" / "hospital.yaml").read_text(encoding="utf-8"),
    "clinic.yaml": """\
data:
  source: patients.csv
subject: patient_id
columns:
  age: {role: quasi, bins: [30, 40, 50, 60]}
  sex: {role: quasi}
  postcode: {role: direct}
  diagnosis: {role: sensitive}
  cholesterol: {role: non-sensitive}
measures:
  - {measure: k_anonymity, at_least: 3}
  - {measure: entropy_l_diversity, sensitive: diagnosis, at_least: 2}
""",
    "asthma.yaml": """\
data:
  source: patients.csv
subject: patient_id
columns:
  patient_id: {role: direct}
  age: {role: quasi, bins: [30, 40, 50, 60]}
  sex: {role: quasi}
  postcode: {role: quasi}
  diagnosis: {role: sensitive}
  cholesterol: {role: sensitive}
context:
  purpose: Research into asthma
  release: restricted
  recipient: Low
  projects: {purpose_stated: yes, legal_basis: yes, minimised: no}
  people: {agreement: partly}
  dpia: {sensitive_data: yes, vulnerable_people: yes}
  benefits:
    age: {need: high, likelihood: high, form: ten-year bands}
    sex: medium
    postcode: none
    diagnosis: high
""",
    "wards.yaml": """\
data:
  source: patients.csv
subject: patient_id
columns:
  sex: {role: quasi}
  postcode: {role: quasi, hierarchy: postcode.csv}
  age: {role: direct}
  diagnosis: {role: sensitive}
  cholesterol: {role: non-sensitive}
measures:
  - {measure: k_anonymity, at_least: 4}
anonymise:
  levels: {sex: 0}
""",
    "published.yaml": """\
preset: ema_0070
data:
  source: patients.csv
columns:
  age: {role: quasi, bins: [30, 40, 50, 60]}
  sex: {role: quasi}
  diagnosis: {role: sensitive}
""",
    "admissions.csv": """\
mrn,name,age,sex,postcode,admitted,days,diagnosis
1001,Ada,31,F,0151,2024-02-19,1,eczema
1008,Ben,42,M,0151,2024-01-03,9,migraine
1015,Cleo,44,F,0207,2024-01-08,1,eczema
1022,Dan,65,F,0203,2024-03-27,11,diabetes
1029,Eva,24,M,0151,2024-03-23,2,eczema
1036,Finn,47,M,0203,2024-02-19,8,hypertension
1043,Gina,46,F,0203,2024-03-16,6,migraine
1050,Hugo,77,M,0155,2024-02-05,8,migraine
1057,Iris,22,M,0203,2024-03-16,10,migraine
1064,Jan,43,F,0151,2024-03-23,5,eczema
1071,Kim,53,F,0207,2024-02-06,10,asthma
1078,Leo,70,F,0155,2024-02-13,8,asthma
1085,Mia,26,M,0155,2024-02-28,9,hypertension
1092,Nils,52,F,0151,2024-01-05,4,diabetes
1099,Olga,59,M,0203,2024-01-05,7,eczema
1106,Paul,65,F,0207,2024-03-26,9,migraine
1113,Quin,33,M,0207,2024-01-07,2,diabetes
1120,Rosa,46,F,0151,2024-01-19,3,eczema
1127,Sam,41,F,0207,2024-01-21,5,hypertension
1134,Tara,64,M,0207,2024-02-16,5,asthma
1141,Udo,25,M,0155,2024-03-01,4,eczema
1148,Vera,45,M,0151,2024-03-28,5,eczema
1155,Will,52,M,0155,2024-03-26,4,diabetes
1162,Xena,77,M,0203,2024-03-01,1,hypertension
1169,Yann,36,M,0203,2024-02-03,4,asthma
1176,Zoe,56,F,0207,2024-03-20,1,migraine
1183,Anton,44,F,0207,2024-01-14,11,hypertension
1190,Berta,73,F,0155,2024-01-05,1,diabetes
1197,Carl,39,M,0155,2024-03-18,3,asthma
1204,Dora,44,M,0155,2024-01-01,5,diabetes
1211,Emil,48,M,0207,2024-01-02,12,hypertension
1218,Frida,74,F,0155,2024-03-17,1,migraine
""",
    "admissions.yaml": """\
data:
  source: admissions.csv
subject: mrn
columns:
  mrn: {role: direct}
  name: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  postcode: {role: quasi}
  admitted: {role: quasi}
  days: {role: non-sensitive}
  diagnosis: {role: sensitive}
measures:
  - {measure: k_anonymity, at_least: 3}
  - {measure: distinct_l_diversity, sensitive: diagnosis, at_least: 2}
anonymise:
  suppress: 0
  levels: {age: [0, 3]}
""",
    "stays.csv": """\
patient_id,age,sex,admitted,ward
P01,34,F,03.01.2024,A
P01,34,F,17.02.2024,A
P01,34,F,05.03.2024,B
P02,37,F,11.01.2024,A
P03,52,M,23.01.2024,B
P03,52,M,30.01.2024,B
P04,55,M,about May,C
P05,58,M,28.02.2024,C
""",
    "seen.csv": "patient_id,seen\nP1,03/01/2024\nP2,04/02/2024\n",
    "register.csv": """\
patient_id,age,weight,born,admitted
P1,34,61.5,19-Feb-79,20130219
P2,?,70.2,02-Mar-80,20130301
P3,52,-99,11-Nov-61,20130305
P4,58,81.0,30-Jun-55,20130311
""",
    "open.yaml": """\
preset: open_data
data:
  source: admissions.csv
subject: mrn
columns:
  mrn: {role: direct}
  name: {role: direct}
  age: {role: quasi}
  sex: {role: quasi}
  postcode: {role: quasi}
  admitted: {role: quasi}
  diagnosis: {role: sensitive}
""",
    "strict.yaml": """\
steps:
  - generalise: {column: age, level: 2, hierarchy: {kind: ages}}
  - keep: {columns: [age, sex, diagnosis], only: true}
""",
    "months.yaml": """\
steps:
  - truncate_dates: {columns: [seen], to: month, format: "%d/%m/%Y"}
""",
    "slips.yaml": """\
data:
  source: patients.csv
columns:
  age: {role: quasy}
  sex: {role: quasi}
  diagnosis: {rol: sensitive}
mesures: []
""",
}


def _coarser(table: str, columns: set[str]) -> str:
    """The patients with some of their columns de-identified, as a reader may have done it by other means."""
    header, *records = (line.split(",") for line in table.splitlines())
    become = {"age": lambda age: f"{age[0]}0-{age[0]}9", "sex": lambda _: "*", "postcode": lambda code: code[:2] + "**"}
    rows = [
        [become[name](cell) if name in columns else cell for name, cell in zip(header, record, strict=True)]
        for record in records
    ]
    return "".join(",".join(row) + "\n" for row in [header, *rows])


EXAMPLES |= {
    "by_age.csv": _coarser(EXAMPLES["patients.csv"], {"age"}),
    "by_age_sex.csv": _coarser(EXAMPLES["patients.csv"], {"age", "sex"}),
    "by_age_sex_postcode.csv": _coarser(EXAMPLES["patients.csv"], {"age", "sex", "postcode"}),
    "arx_release.csv": _coarser(EXAMPLES["patients.csv"], {"age", "postcode"}),
}

"""Words of categorical columns per language, separated by bars; English where a language has none of its own."""

from __future__ import annotations

SEX = {
    "en": "M|F",
    "nl": "man|vrouw",
    "de": "männlich|weiblich|divers",
    "fr": "H|F",
    "pt": "Masculino|Feminino",
    "es": "Hombre|Mujer",
    "el": "Άνδρας|Γυναίκα",
    "ko": "남|여",
}
COUNTRY = {
    "en": "United Kingdom|USA|Ireland|Canada|India",
    "nl": "Nederland|België|Marokko|Turkije|Suriname",
    "de": "Deutschland|Österreich|Schweiz|Türkei|Polen",
    "fr": "France|Belgique|Algérie|Maroc|Sénégal",
    "pt": "Portugal|Brasil|Angola|Cabo Verde|Moçambique",
    "es": "España|Ecuador|Marruecos|Rumanía|Perú",
    "el": "Ελλάδα|Κύπρος|Αλβανία|Βουλγαρία",
    "ko": "대한민국|중국|베트남|미국|일본",
}
STATE = {
    "en": "California|Texas|Ohio|New York|Vermont|Georgia|Maine",
    "de": "Bayern|Hessen|Sachsen|Nordrhein-Westfalen|Thüringen",
}
NATIONALITY = {
    "en": "British|American|Irish|Indian|Polish|Nigerian",
    "nl": "Nederlandse|Belgische|Turkse|Marokkaanse|Duitse",
    "de": "deutsch|türkisch|polnisch|italienisch|syrisch",
    "fr": "française|belge|algérienne|marocaine|portugaise",
    "pt": "portuguesa|brasileira|angolana|ucraniana",
    "es": "española|ecuatoriana|marroquí|rumana|colombiana",
    "el": "ελληνική|αλβανική|κυπριακή|βουλγαρική",
    "ko": "한국|중국|베트남|필리핀|미국",
}
ETHNICITY = {
    "en": "White British|Black African|Hispanic or Latino|Asian|Mixed|Other|Not stated",
    "nl": "Nederlands|Turks|Marokkaans|Surinaams|Overig westers",
    "de": "europäisch|asiatisch|afrikanisch|gemischt",
    "fr": "européenne|maghrébine|subsaharienne|asiatique",
    "pt": "branca|negra|cigana|asiática|mista",
    "es": "caucásica|gitana|latina|asiática|africana",
    "el": "Έλληνας|Ρομά|Αλβανός|άλλο",
    "ko": "한국인|중국계|동남아시아인|기타",
}
MARITAL = {
    "en": "Single|Married|Divorced|Widowed|Separated",
    "nl": "ongehuwd|gehuwd|gescheiden|weduwe/weduwnaar|samenwonend",
    "de": "ledig|verheiratet|geschieden|verwitwet",
    "fr": "célibataire|marié(e)|divorcé(e)|veuf/veuve|pacsé(e)",
    "pt": "solteiro|casado|divorciado|viúvo|união de facto",
    "es": "soltero|casado|divorciado|viudo|pareja de hecho",
    "el": "άγαμος|έγγαμος|διαζευγμένος|χήρος",
    "ko": "미혼|기혼|이혼|사별",
}
OCCUPATION = {
    "en": "Teacher|Nurse|Bus driver|Retired|Farmer|Accountant|Chef|Software engineer|Student|Cleaner|Priest",
    "nl": "leraar|verpleegkundige|buschauffeur|gepensioneerd|boer|boekhouder|kok|student|schilder|predikant",
    "de": "Lehrerin|Krankenpfleger|Busfahrer|Rentner|Landwirt|Buchhalterin|Koch|Schüler|Maurer",
    "fr": "enseignant|infirmière|chauffeur|retraité|agriculteur|comptable|cuisinier|étudiant|maçon",
    "pt": "professor|enfermeira|motorista|reformado|agricultor|contabilista|cozinheiro|estudante|pedreiro",
    "es": "profesor|enfermera|conductor|jubilado|agricultor|contable|cocinero|estudiante|albañil",
    "el": "δάσκαλος|νοσηλεύτρια|οδηγός|συνταξιούχος|αγρότης|λογιστής|μάγειρας|φοιτητής",
    "ko": "교사|간호사|운전기사|은퇴|농업|회사원|요리사|학생|자영업",
}
EDUCATION = {
    "en": "Primary|Secondary|College|University|None",
    "nl": "basisschool|vmbo|havo/vwo|mbo|hbo|wo",
    "de": "Hauptschule|Realschule|Abitur|Hochschule",
    "fr": "primaire|collège|lycée|bac+2|bac+5",
    "pt": "1.º ciclo|3.º ciclo|secundário|licenciatura",
    "es": "primaria|secundaria|bachillerato|universidad",
    "el": "δημοτικό|γυμνάσιο|λύκειο|πανεπιστήμιο",
    "ko": "초졸|중졸|고졸|대졸|대학원",
}
SPEECH = {
    "en": "English|Spanish|Polish|Urdu|Mandarin",
    "nl": "Nederlands|Turks|Arabisch|Papiaments|Fries",
    "de": "Deutsch|Türkisch|Russisch|Arabisch",
    "fr": "français|arabe|portugais|turc",
    "pt": "português|crioulo|ucraniano",
    "es": "castellano|catalán|euskera|gallego|árabe",
    "el": "ελληνικά|αλβανικά|αγγλικά",
    "ko": "한국어|중국어|베트남어",
}
SITE = {
    "en": "St Thomas' Hospital|Mount Sinai|Royal Free|Mercy General|Queen Elizabeth Hospital",
    "nl": "Erasmus MC|St. Antonius Ziekenhuis|OLVG|Catharina Ziekenhuis|Diakonessenhuis",
    "de": "Charité|St. Josef Krankenhaus|Klinikum rechts der Isar|Robert-Bosch-Krankenhaus",
    "fr": "Hôpital Necker|CHU Pellegrin|Hôpital Saint-Louis|Hôpital Cochin",
    "pt": "Hospital de Santa Maria|Hospital de São João|Hospital Garcia de Orta|Hospital Curry Cabral",
    "es": "Hospital La Paz|Hospital Clínico San Carlos|Hospital Vall d'Hebron|Hospital Gregorio Marañón",
    "el": "Ευαγγελισμός|Ιπποκράτειο|Αττικόν|Γ. Γεννηματάς|Αγία Σοφία",
    "ko": "세브란스병원|아산병원|성모병원|백병원|삼성병원",
}
DIAGNOSIS = {
    "en": "Type 2 diabetes|Hypertension|Asthma|Breast cancer|COPD|Epilepsy|Stroke|Obesity|Crohn's disease|Migraine",
    "nl": "diabetes mellitus type 2|hypertensie|astma|mammacarcinoom|COPD|epilepsie|CVA|obesitas|ziekte van Crohn",
    "de": "Diabetes mellitus Typ 2|Hypertonie|Asthma bronchiale|Mammakarzinom|Epilepsie|Schlaganfall|Morbus Crohn",
    "fr": "diabète de type 2|hypertension artérielle|asthme|cancer du sein|BPCO|épilepsie|AVC|maladie de Crohn",
    "pt": "diabetes tipo 2|hipertensão arterial|asma|cancro da mama|DPOC|epilepsia|AVC|obesidade",
    "es": "diabetes tipo 2|hipertensión arterial|asma|cáncer de mama|EPOC|epilepsia|ictus|obesidad",
    "el": "σακχαρώδης διαβήτης τύπου 2|υπέρταση|άσθμα|καρκίνος μαστού|ΧΑΠ|επιληψία|παχυσαρκία",
    "ko": "제2형 당뇨병|고혈압|천식|유방암|만성폐쇄성폐질환|뇌전증|뇌졸중|비만",
}
DRUG = {
    "en": "Metformin 500 mg|Lisinopril|Atorvastatin 20mg|Warfarin|Salbutamol|Sertraline|Insulin glargine|Ozempic|"
    "Amoxicillin",
    "nl": "metformine 500 mg|enalapril|simvastatine 40mg|acenocoumarol|salbutamol|sertraline|paracetamol|omeprazol",
    "de": "Metformin 500 mg|Ramipril|Marcumar|Salbutamol|Sertralin|Ibuprofen 600|Pantoprazol|Bisoprolol",
    "fr": "metformine 500 mg|Doliprane|Kardégic|salbutamol|sertraline|Levothyrox|amoxicilline",
    "pt": "metformina 500 mg|Ben-u-ron|varfarina|salbutamol|sertralina|omeprazol|ramipril",
    "es": "metformina 500 mg|Nolotil|Sintrom|salbutamol|sertralina|omeprazol|enalapril",
    "el": "μετφορμίνη 500 mg|Depon|Sintrom|σαλβουταμόλη|σερτραλίνη|ομεπραζόλη",
    "ko": "메트포르민 500mg|타이레놀|와파린|살부타몰|아토르바스타틴|암로디핀",
}
PROCEDURE = {
    "en": "Appendectomy|Hip replacement|Colonoscopy|CABG|Cataract surgery|MRI brain",
    "nl": "appendectomie|heupprothese|coloscopie|CABG|staaroperatie",
    "de": "Appendektomie|Hüft-TEP|Koloskopie|Bypass-OP|Katarakt-OP",
    "fr": "appendicectomie|prothèse de hanche|coloscopie|pontage",
    "pt": "apendicectomia|prótese da anca|colonoscopia|bypass coronário",
    "es": "apendicectomía|prótesis de cadera|colonoscopia|bypass",
    "el": "σκωληκοειδεκτομή|ολική αρθροπλαστική|κολονοσκόπηση",
    "ko": "충수절제술|고관절치환술|대장내시경|백내장수술",
}
RELIGION = {
    "en": "Church of England|Catholic|Muslim|Hindu|Jewish|None",
    "nl": "rooms-katholiek|protestants|islam|geen|joods",
    "de": "römisch-katholisch|evangelisch|muslimisch|keine",
    "fr": "catholique|musulmane|protestante|sans religion|juive",
    "pt": "católica|evangélica|nenhuma|muçulmana",
    "es": "católica|ninguna|musulmana|evangélica",
    "el": "Χριστιανός Ορθόδοξος|Μουσουλμάνος|καμία",
    "ko": "개신교|천주교|불교|무교",
}
RESULT = {
    "en": "negative|positive|indeterminate",
    "nl": "negatief|positief|onbekend",
    "de": "negativ|positiv",
    "fr": "négatif|positif",
    "pt": "negativo|positivo",
    "es": "negativo|positivo|indeterminado",
    "el": "αρνητικό|θετικό",
    "ko": "음성|양성",
}
YES_NO = {
    "en": "Yes|No",
    "nl": "ja|nee",
    "de": "Ja|Nein",
    "fr": "oui|non",
    "pt": "Sim|Não",
    "es": "Sí|No",
    "el": "Ναι|Όχι",
    "ko": "예|아니오",
}
GRADE = {
    "en": "mild|moderate|severe",
    "nl": "licht|matig|ernstig",
    "de": "leicht|mittel|schwer",
    "fr": "léger|modéré|sévère",
    "pt": "leve|moderado|grave",
    "es": "leve|moderado|grave",
    "el": "ήπιο|μέτριο|σοβαρό",
    "ko": "경증|중등도|중증",
}
SUBSTANCE = {
    "en": "never|former|daily|weekly",
    "nl": "nooit|gestopt|dagelijks|wekelijks",
    "de": "nie|früher|täglich|gelegentlich",
    "fr": "jamais|ancien|quotidien|occasionnel",
    "pt": "nunca|ex-consumidor|diário|ocasional",
    "es": "nunca|exconsumidor|diario|ocasional",
    "el": "ποτέ|πρώην|καθημερινά|σπάνια",
    "ko": "없음|과거|매일|가끔",
}
QUALITY = {
    "en": "good|fair|poor",
    "nl": "goed|redelijk|slecht",
    "de": "gut|mittel|schlecht",
    "fr": "bonne|moyenne|mauvaise",
    "pt": "boa|razoável|má",
    "es": "buena|regular|mala",
    "el": "καλή|μέτρια|κακή",
    "ko": "좋음|보통|나쁨",
}
STAGE = {"en": "I|II|IIIA|IV"}
DELIVERY = {
    "en": "vaginal|caesarean|forceps",
    "nl": "vaginaal|keizersnede|vacuüm",
    "de": "spontan|Sectio|Vakuum",
    "fr": "voie basse|césarienne|forceps",
    "pt": "eutócico|cesariana|ventosa",
    "es": "eutócico|cesárea|fórceps",
    "el": "φυσιολογικός|καισαρική",
    "ko": "자연분만|제왕절개",
}
INSURANCE = {
    "en": "public|private|none",
    "nl": "basis|aanvullend|onverzekerd",
    "de": "gesetzlich|privat",
    "fr": "régime général|CMU|privé",
    "pt": "SNS|privado|ADSE",
    "es": "pública|privada|mutua",
    "el": "ΕΟΠΥΥ|ιδιωτική",
    "ko": "건강보험|의료급여|산재",
}
UNIT = {"en": "mmol/L|mg/dL|mmHg|kg|%|g/L|IU/mL"}

"""Files of images, recordings and letters, one per record."""

from __future__ import annotations

import re

from sfumato.columns.lexicon import Hipaa
from sfumato.columns.recognisers.recogniser import Recogniser
from sfumato.schema import Role

RECORDED = re.compile(
    r"[^\n?*\"<>|]{1,240}\.(?:jpe?g|png|tiff?|bmp|gif|webp|heic|dcm|dicom|ima|nii|nii\.gz|mgz|mha|nrrd|svs|ndpi|czi|pdf|docx?|rtf|odt"
    r"|wav|mp3|m4a|flac|ogg|mp4|avi|mov|edf|bdf|xdf|vcf|vcf\.gz|bam|cram|fastq|fastq\.gz|hea)",
    re.IGNORECASE,
)


class RecordedFile(Recogniser):
    """The file that holds a picture, a recording or a letter of one person: a key to it, and often with a name in it.

    Files of data and of programs (csv, xml, log) are those of the study, and so are files that many records share.
    """

    concept = "file of one record"
    role = Role.DIRECT
    hipaa = Hipaa.OTHER
    strength = 0.88
    varied = 0.5
    longest = 260

    def matches(self, value: str) -> bool:
        return RECORDED.fullmatch(value) is not None

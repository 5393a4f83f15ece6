"""What a step of a scikit-learn pipeline is given and asked for. scikit-learn is not needed, but for its tags."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from sfumato.errors import UnfitData, UnusableInput
from sfumato.tables.source_frame import library

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray


def as_table(frame: Any) -> Any:
    """What a step is given, as `load` reads it: an array has columns x0, x1, ... as scikit-learn calls them."""
    if library(frame) == "scipy":
        raise UnfitData("Sparse input is not supported: give a dense array, or a frame.")
    if not _is_array(frame):
        return frame
    import numpy as np
    import pyarrow as pa

    array = np.asarray(frame)
    if array.ndim != 2:
        raise UnfitData(f"Expected 2D array, got {array.ndim}D array instead. Reshape your data: rows, and columns.")
    if array.dtype.kind == "c":
        raise UnfitData("Complex data not supported: give the parts as columns of their own.")
    if not array.size:
        empty = "feature(s)" if len(array) else "sample(s)"
        raise UnfitData(f"Found array with 0 {empty} (shape={array.shape}) while a minimum of 1 is required.")
    return pa.table({f"x{i}": _column(array[:, i]) for i in range(array.shape[1])})


def _is_array(frame: Any) -> bool:
    """Whether rows come without names of columns: an array, or lists."""
    return isinstance(frame, list) or (hasattr(frame, "__array__") and not hasattr(frame, "__arrow_c_stream__"))


def _column(values: NDArray[Any]) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(values, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([None if value is None else str(value) for value in values])


def feature_names(frame: Any) -> NDArray[np.object_] | None:
    """The names of the columns of a frame; None where it has none, or some are no texts."""
    import numpy as np

    names = getattr(frame, "columns" if library(frame) != "pyarrow" else "column_names", None)
    if names is None or not all(isinstance(name, str) for name in names):
        return None
    return np.array(list(names), dtype=object)


def as_output(released: Any, frame: Any, kind: str | None) -> Any:
    """What was released as the kind of frame that is asked for, by a step or for all of them (`sklearn.set_config`).

    "default" is the kind that was given.
    """
    configured = sys.modules.get("sklearn")
    wanted = kind or (configured.get_config().get("transform_output") if configured else None) or "default"
    if wanted == "default":
        return _array(released) if _is_array(frame) else released
    if wanted == library(released):
        return released
    if wanted == "pandas":
        return released.to_pandas()
    if wanted == "polars":
        import polars

        return polars.from_arrow(released) if library(released) == "pyarrow" else polars.from_pandas(released)
    raise UnusableInput(f"There is no output {wanted!r}: pandas, polars or default.")


def _array(released: pa.Table) -> NDArray[Any]:
    """The columns of a table beside each other: numbers where all are numbers, else objects."""
    import numpy as np

    columns = [column.to_numpy() for column in released.columns]
    numeric = all(column.dtype.kind in "iufb" for column in columns)
    return np.column_stack(columns if numeric else [column.astype(object) for column in columns])


def unfitted() -> UnusableInput:
    """The error of a step that was not fitted; where scikit-learn is in use, also one that it knows."""
    problem = "Nothing was found yet: call fit first."
    known = sys.modules.get("sklearn.exceptions")
    if known is None:
        return UnusableInput(problem)
    both: type[UnusableInput] = type("NotFitted", (UnusableInput, known.NotFittedError), {})
    return both(problem)


def tags_of() -> Any:
    """What scikit-learn wants to know of a step before it checks it: needs scikit-learn 1.6 or newer."""
    from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

    return Tags(
        estimator_type="transformer",
        target_tags=TargetTags(required=False),
        transformer_tags=TransformerTags(preserves_dtype=[]),
        input_tags=InputTags(string=True, categorical=True, allow_nan=True),
    )

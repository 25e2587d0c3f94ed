"""What holds a table in memory: arrays, nested lists, and the frames of other packages, by what they can be asked.

pandas and polars have `columns` and `to_numpy`, pyarrow `column_names`, xarray `data_vars`.  None of them is imported.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..ground.errors import InvalidPoints
from ..ground.wording import counted
from .tables import DATES, PLAIN_NUMBERS, Table


def is_frame(data: object) -> bool:
    """Whether `data` is a DataFrame, or looks like one."""
    return hasattr(data, "columns") and hasattr(data, "to_numpy")


def is_columnar(data: object) -> bool:
    """Whether the columns of what is in memory have names: a Table, a DataFrame, a table of pyarrow, a set of xarray, an
    array of records."""
    return (isinstance(data, Table) or is_frame(data) or _is_arrow(data) or _is_dataset(data) or _is_labelled(data)
            or _is_records(data))


def table_of(data: Any) -> Table:
    """A table of what is in memory: a Table, a DataFrame, an array (of numbers or of records) or nested lists.

    Examples
    --------
    >>> table_of([[1, 2], [3, 4], [5, 6]]).count
    3
    """
    if isinstance(data, Table):
        return data
    if hasattr(data, "collect") and hasattr(data, "collect_schema"):
        raise InvalidPoints(f"got a {type(data).__name__}, whose rows are not there yet; pass .collect()")
    if _is_labelled(data):
        data = data.to_dataset(dim=data.dims[1])
    if _is_dataset(data):
        data = _flat(data)
    if _is_arrow(data):
        return _of_columns(data.column_names, [_of_arrow(column) for column in data.columns])
    if _is_records(data):
        for name in data.dtype.names:
            if data[name].ndim > 1:
                raise InvalidPoints(f"must be one number in each row, got {counted(data[name][0].size, 'number')}", column=name)
        return _of_columns(list(data.dtype.names), [data[name] for name in data.dtype.names])
    return _of_frame(data) if is_frame(data) else _of_array(data)


def _is_arrow(data: object) -> bool:
    return hasattr(data, "column_names") and hasattr(data, "schema")


def _is_records(data: object) -> bool:
    return isinstance(data, np.ndarray) and bool(data.dtype.names) and data.ndim == 1


def _is_dataset(data: object) -> bool:
    return hasattr(data, "data_vars") and hasattr(data, "to_dataframe")


def _is_labelled(data: Any) -> bool:
    """Whether it is an array of xarray with a name for each column."""
    if not hasattr(data, "to_dataset") or not hasattr(data, "dims") or len(data.dims) != 2:
        return False
    return data.dims[1] in data.coords and data.coords[data.dims[1]].dtype.kind in "UO"


def _flat(dataset: Any) -> Any:
    """The frame of a set of xarray: its coordinates, then its variables; dimensions without coordinates are none."""
    frame = dataset.to_dataframe().reset_index()
    coordinates = [name for name in frame.columns if name in dataset.coords]
    return frame[[*coordinates, *(name for name in frame.columns if name in dataset.data_vars)]]


def _of_arrow(column: Any) -> np.ndarray:
    if hasattr(column.type, "value_type") and hasattr(column.type, "index_type"):
        column = column.cast(column.type.value_type)                   # a category is its words
    # a column of a batch copies only if it is told that it may
    return column.to_numpy() if hasattr(column, "chunks") else column.to_numpy(zero_copy_only=False)


def _of_frame(frame: Any) -> Table:
    names = list(frame.columns)
    # names of a pandas frame need not differ
    found = [frame.iloc[:, j] for j in range(len(names))] if hasattr(frame, "iloc") else [frame[name] for name in names]
    return _of_columns(names, [column.to_numpy() for column in found])


def _of_columns(names: list[Any], cells: list[np.ndarray]) -> Table:
    if not names:
        raise InvalidPoints("the table has no columns")
    return Table(tuple(str(name) for name in names), tuple(cells))


def _of_array(data: Any) -> Table:
    if isinstance(data, np.ma.MaskedArray):
        data = np.ma.filled(data.astype(float), np.nan)
    if hasattr(data, "toarray"):
        raise InvalidPoints(f"must be a dense array, got a {type(data).__name__}; pass its toarray()")
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise InvalidPoints(f"need rows of equal length ({error})") from None
    if np.iscomplexobj(array):
        raise InvalidPoints("must be real, got complex numbers")
    if array.ndim == 0:
        got = array.item() if isinstance(data, np.ndarray) else data
        raise InvalidPoints(f"need an array of shape (points, variables), got {type(got).__name__}")
    if array.dtype.kind not in PLAIN_NUMBERS + DATES + "OUS":
        raise InvalidPoints(f"must be numbers, got an array of {array.dtype}")
    if array.ndim == 1:
        raise InvalidPoints(f"need an array of shape (points, variables), got shape {array.shape}; for "
                            "points on a line use points.reshape(-1, 1)")
    if array.ndim != 2 or array.shape[1] == 0:
        raise InvalidPoints(f"need an array of shape (points, variables), got shape {array.shape}")
    return Table(None, tuple((array if array.dtype.kind in PLAIN_NUMBERS + DATES else array.astype(object)).T))

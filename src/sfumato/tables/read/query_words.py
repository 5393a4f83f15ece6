"""What a query may be made of: parts of a SELECT, types and functions. What is not listed here is refused.

The parts are classes of sqlglot's tree by name, since which of them exist depends on its version.
"""

from __future__ import annotations

# A statement that reads, and the ways of putting several together.
QUERIES = frozenset({"Select", "Union", "Intersect", "Except", "Subquery", "Values"})

PARTS = QUERIES | {
    # clauses
    "CTE", "Cube", "Distinct", "Fetch", "From", "Group", "GroupingSets", "Having", "Join", "Limit", "LimitOptions",
    "Offset", "Order", "Ordered", "Qualify", "Rollup", "Table", "TableAlias", "Where", "Window", "WindowSpec", "With",
    # names and values
    "Alias", "Boolean", "Bracket", "Column", "DataType", "DataTypeParam", "Identifier", "Interval", "IntervalSpan",
    "Literal", "Null", "Paren", "Slice", "Star", "Tuple", "Var",
    # operators
    "Add", "All", "Any", "AtTimeZone", "Between", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "Collate",
    "DPipe", "Div", "EQ", "Escape", "Filter", "GT", "GTE", "Glob", "ILike", "IgnoreNulls", "In", "IntDiv", "Is", "LT",
    "LTE", "Like", "Mod", "Mul", "NEQ", "Neg", "Not", "NullSafeEQ", "NullSafeNEQ", "RespectNulls", "SimilarTo", "Sub",
    "WithinGroup",
}  # fmt: skip

# The parts that may stand in an item of FROM; a sample, a pivot, a version, a hint or rows of functions may not.
OF_TABLES = frozenset({"this", "db", "alias", "joins"})

# Parts that sqlglot counts among the functions: words of the language, and what it puts around the arguments of others.
WORDS = frozenset({
    "And", "Or", "Xor", "Case", "Cast", "TryCast", "Exists", "Extract", "If", "Collate", "RegexpLike", "RegexpILike",
    "TsOrDsToDate", "TsOrDsToDatetime", "TsOrDsToTimestamp", "TsOrDsToTime", "TsOrDsToDateStr", "TimeStrToTime",
    "TsOrDsAdd", "TsOrDsDiff",
})  # fmt: skip

TYPES = frozenset({
    "BIGDECIMAL", "BIGINT", "BINARY", "BLOB", "BOOLEAN", "BPCHAR", "CHAR", "DATE", "DATETIME", "DECIMAL", "DOUBLE",
    "FLOAT", "INT", "INT128", "INTERVAL", "MEDIUMINT", "NAME", "NCHAR", "NVARCHAR", "SMALLDATETIME", "SMALLINT",
    "TEXT", "TIME", "TIMESTAMP", "TIMESTAMPNTZ", "TIMESTAMPTZ", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP_S",
    "TIMETZ", "TINYINT", "UBIGINT", "UINT", "USMALLINT", "UTINYINT", "UUID", "VARBINARY", "VARCHAR",
})  # fmt: skip

# Functions that give a value of their arguments (or the time) and do nothing else, in every database that has them.
# Left out on purpose: what reads or writes files, settings, other servers or the catalogue, runs a text as a query,
# waits, draws at random, takes numbers of a sequence, or makes rows or long texts out of nothing.
FUNCTIONS = frozenset({
    # text
    "ascii", "btrim", "char_length", "character_length", "chr", "concat", "concat_ws", "contains", "ends_with",
    "initcap", "instr", "lcase", "left", "len", "length", "levenshtein", "lower", "lpad", "ltrim", "md5",
    "octet_length", "overlay", "position", "prefix", "quote_literal", "regexp_extract", "regexp_full_match",
    "regexp_like", "regexp_matches", "regexp_replace", "regexp_substr", "regexp_instr", "regexp_count", "replace",
    "reverse", "right", "rpad", "rtrim", "sha256", "soundex", "split_part", "starts_with", "str_position",
    "strip_accents", "strpos", "substr", "substring", "suffix", "to_char", "to_number", "translate", "trim", "ucase",
    "unaccent", "unicode", "upper",
    # numbers
    "abs", "acos", "asin", "atan", "atan2", "cbrt", "ceil", "ceiling", "cos", "cot", "degrees", "div", "even", "exp",
    "floor", "fmod", "isfinite", "isinf", "isnan", "is_inf", "is_nan", "ln", "log", "log10", "log2", "mod", "pi", "pow",
    "power", "radians", "round", "round_even", "sign", "sin", "sqrt", "tan", "trunc", "width_bucket",
    # choice
    "coalesce", "greatest", "iif", "ifnull", "least", "max_by", "min_by", "nullif", "nvl", "nvl2", "try", "typeof",
    # dates and times
    "age", "century", "current_date", "current_datetime", "current_time", "current_timestamp", "date", "date_add",
    "date_bin", "date_diff", "date_part", "date_sub", "date_trunc", "datediff", "datepart", "datesub", "datetime",
    "datetrunc", "day", "day_of_month", "day_of_week", "day_of_year", "dayname", "dayofmonth", "dayofweek",
    "dayofweek_iso", "dayofyear", "epoch", "epoch_ms", "era", "hour", "isodow", "isoyear", "julian", "julianday",
    "justify_days", "justify_hours", "justify_interval", "last_day", "localtime", "localtimestamp", "make_date",
    "make_interval", "make_time", "make_timestamp", "minute", "month", "monthname", "now", "quarter", "second",
    "strftime", "strptime", "sub_dates", "time", "time_bucket", "time_to_str", "timediff", "timestamp_trunc",
    "to_date", "to_days", "to_hours", "to_minutes", "to_months", "to_seconds", "to_timestamp", "to_weeks", "to_years",
    "today", "try_strptime", "str_to_date", "str_to_time", "unixepoch", "week", "weekday", "week_of_year", "weekofyear",
    "year", "yearweek", "timezone", "timestamp_add", "timestamp_diff", "timestamp_sub", "datetime_diff", "unix_to_time",
    "time_to_unix", "date_from_parts", "timestamp_from_parts",
    # aggregates
    "any_value", "approx_count_distinct", "approx_distinct", "approx_quantile", "arg_max", "arg_min", "avg", "bit_and",
    "bit_or", "bool_and", "bool_or", "corr", "count", "count_if", "count_star", "countif", "covar_pop", "covar_samp",
    "every", "first", "group_concat", "grouping", "kurtosis", "last", "listagg", "logical_and", "logical_or", "max",
    "mean", "median", "min", "mode", "percentile_cont", "percentile_disc", "product", "quantile", "quantile_cont",
    "quantile_disc", "regr_intercept", "regr_r2", "regr_slope", "skewness", "stddev", "stddev_pop", "stddev_samp",
    "string_agg", "sum", "total", "var_pop", "var_samp", "variance", "variance_pop",
    # windows
    "cume_dist", "dense_rank", "first_value", "lag", "last_value", "lead", "nth_value", "ntile", "percent_rank", "rank",
    "row_number",
})  # fmt: skip

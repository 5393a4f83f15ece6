"""What the compiled loop of a proof reads and writes: arrays, in named groups."""

from __future__ import annotations

from typing import Any, NamedTuple

COSTS, BITS, CLASS_SIZE, DISCERNIBILITY = 0, 1, 2, 3  # how nodes are scored
ROOMY = 16  # numbers per row up to which classes are counted in a list, and above by hashing; chosen, not measured
CROWDED = 2  # numbers per row from which on classes are numbered anew before they are split further; chosen
MOST_KEYS = 2**62  # as `KEY_LIMIT` of a table: above, rows are not rolled up
VAIN = 64  # levels that are remembered because no rows became one there
# The rows of a box: those of the table, each in its place; without many that are suppressed; fewer, as some became one.
WHOLE, SOME, ROLLED = 0, 1, 2
MOST_STEPS = 2**16  # labels that are one a level higher, up to which the places of rows among them are kept


class LoopRows(NamedTuple):
    """The table: codes and what they become, of which nothing changes."""

    codes: Any  # by column and row
    weights: Any  # records of each row
    labels: Any  # of each leaf at each level, all in one line
    label_start: Any  # by column and level: where these begin
    label_count: Any
    steps: Any  # the same for the place of a label among those that are one a level higher
    step_start: Any
    step_count: Any
    step_line: Any  # where the places of all rows are kept; -1 where there are too many labels for that
    order: Any  # columns, those of the fewest leaves first: split in this order, classes are few for long
    leaf_start: Any  # by column: where its leaves begin, and a last number where they end


class Scores(NamedTuple):
    """What nodes cost, of which nothing changes."""

    how: int
    base: Any  # by column and level, where nothing is suppressed
    unit: Any  # by column: of the costs, or what bits are divided by
    extra: Any  # by leaf and level: whole units that a suppressed record adds
    listed: Any  # of each number s of records: s log s
    weights: Any  # of columns
    bits: Any  # by column and level: what a label says
    factor: float  # of bits, or of kept classes
    other: float  # the second factor of the class size
    columns: float  # by which a sum is divided
    least: float  # score
    cuts: Any  # by column, lowest and highest level: the highest level of the lower part of a box that is split
    reach: Any  # by part, column and level: `Reach.factors`; of one part where no node bounds what is above it
    floors: Any  # of groups of columns
    floor_of: Any  # by column: the place of its group among them; -1 where it is in none


class Rules(NamedTuple):
    """What is asked, and when it is worth rolling rows up or trying columns by themselves."""

    fewest: int  # records of a class
    limit: int  # records that may be suppressed
    total: int
    close: float
    rolled: float  # nodes of a box
    worth_rolling: int
    doubtful: float
    strides: Any  # by column: what a level adds to the number of a node
    first: int  # so that the lowest node has the number 0


class BoxPlaces(NamedTuple):
    """A line for each box that is open: its rows and their classes at its highest node, and what is known of it.

    At first all rows of the table are there; those that are suppressed for good have no records any more and are in any
    class. When they are many, or when rows become one, rows are listed that are there.
    """

    rows: Any  # by their numbers in the table, where not all are there
    ids: Any
    weights: Any
    leaves: Any  # how many suppressed records hold each leaf
    parts: Any  # what each column costs at each level at the least
    highs: Any
    lows: Any
    lost: Any
    bounds: Any
    aboves: Any  # what no node above the highest one scores below
    # Rows, classes, suppressed records, which rows they are; the records of each row times as many as its class
    # has at the least, added up; rows with as many records as a class needs; and as how many classes the records of
    # each could be kept if they were cut anyhow, added up.
    numbers: Any


class Room(NamedTuple):
    """What a look needs for a while."""

    row_steps: Any  # by line and row: the place of a label among those that are one a level higher
    filled: Any  # which of these lines are
    parts: Any  # the class of each row
    counts: Any  # of its records, 0 between two looks
    used: Any  # the numbers of classes that have any
    gone: Any  # rows that are suppressed from here on, and their records
    gone_weights: Any
    keys: Any
    known: Any
    place_of: Any
    levels: Any
    by_label: Any
    held: Any  # leaves that suppressed records have
    counted: Any  # whether a node was looked at; nothing where each look counts
    vain: Any  # levels at which rows did not become one
    best: Any  # levels of the best node
    score: Any  # its score, and below what a score is clearly better
    levels_above: Any  # of nodes that were looked at, and what no node above each scores below
    bounds_above: Any
    # Place of the newest box, looks, ties, whether there is a best node, vain levels, nodes with bounds, `Reach.parts`.
    state: Any

"""Suppression of records: people who are left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sfumato.errors import PolicyError
from sfumato.plans.blocks.breaking_classes import broken_requirements, in_breaking_classes, required
from sfumato.plans.blocks.parameters import choice, column_names, whole
from sfumato.plans.blocks.people_per_value import in_small_classes, left_out, noted
from sfumato.plans.condition import Condition
from sfumato.plans.draft import Draft
from sfumato.plans.kept_files import FilesByName, Steward, is_kept
from sfumato.plans.step_interface import Resources, Transformation
from sfumato.privacy.policy import Scenario
from sfumato.schema import Role

RELEASE, ORIGINAL = "release", "original"


@dataclass(frozen=True)
class SuppressRecords(Transformation):
    r"""Leave out records: those that a condition means, or those in classes that are not safe enough.

    .. math:: \{ r \in E : |E| < k \}

    With `class_size` k, a record goes when fewer than k people (subjects, or records where there is no subject) have
    the same values in `columns`, which are the quasi-identifiers unless others are named. A missing value is a value:
    it equals another missing one.

    With `requirements`, a list such as `['k_anonymity >= 5', 't_closeness(diagnosis) <= 0.3']`, a record goes when its
    class breaks one of them. Where measures compare with everybody, everybody is those who stay: classes go until
    the others keep to the requirements among themselves. `orders` are the values of ordinal columns, lowest first.
    With `scenarios`, such as `{neighbour: [age, sex]}`, the requirements hold for the classes on the columns of each
    of them, instead of those on all columns. With `against: original`, everybody is all records of the table; where
    what stays breaks the requirements by itself, it is not written.

    References
    ----------
    Samarati (2001). Protecting respondents' identities in microdata release.
    IEEE Transactions on Knowledge and Data Engineering 13(6), 1010-1027 (suppression of tuples).

    Examples
    --------
    >>> SuppressRecords(class_size=5, columns=("age", "sex")).explained()
    'Leave out the records whose values of age, sex are those of fewer than 5 people.'
    >>> SuppressRecords(where={"column": "country", "equals": "Malta"}).explained()
    "Leave out the records where country is 'Malta'."
    """

    where: Any = None
    class_size: int | None = None
    columns: str | tuple[str, ...] | None = None
    requirements: Any = None
    orders: Any = None
    scenarios: Any = None
    against: str = RELEASE

    leaves_values = True

    def __post_init__(self) -> None:
        choice(self, "against", self.against, (RELEASE, ORIGINAL))
        if sum(given is not None for given in (self.where, self.class_size, self.requirements)) != 1:
            raise self.wrong("give one of where (a condition), class_size (a number) and requirements (a list).")
        if self.class_size is not None:
            whole(self, "class_size", self.class_size, 2)
        if self.where is not None:
            Condition.of(self.where)
            if self.columns is not None:
                raise self.wrong("columns belong to class_size or requirements.")
        if self.requirements is not None:
            self._check_requirements()
        if self.columns is not None:
            object.__setattr__(self, "columns", column_names(self, self.columns))

    def apply(self, draft: Draft, resources: Resources) -> Draft:
        if self.where is None:  # classes are counted, and then records are looked for in them
            draft = draft.held(draft.source.table.count())
        before = draft.count()
        if self.where is not None:
            meant = Condition.of(self.where).sql(draft)
            left, suppressed = draft.where(f"NOT {meant}"), draft.count(meant)
        else:
            rows = self._unsafe(draft, resources)
            left, suppressed = left_out(draft, rows) if rows else (draft, 0)
        if before and suppressed >= before:
            raise self.wrong("no record would be left. Generalise first, or ask for less.")
        return noted(left, f"Records suppressed: {suppressed} of {before}.")

    def explained(self) -> str:
        if self.where is not None:
            return f"Leave out the records where {Condition.of(self.where).words()}."
        columns = ", ".join(self.columns) if self.columns else "the quasi-identifiers"
        if self.requirements is not None:
            named = " or ".join(requirement.text for requirement in required(self.requirements).requirements)
            if self.scenarios:
                columns = " or ".join(", ".join(known) for known in self.scenarios.values())
            return f"Leave out the records whose class on {columns} breaks {named}."
        return f"Leave out the records whose values of {columns} are those of fewer than {self.class_size} people."

    def _columns(self, draft: Draft) -> tuple[str, ...]:
        columns = tuple(self.columns or ()) or draft.with_role(Role.QUASI)
        if not columns:
            raise self.wrong("name the columns that make a class: no column has the role quasi.")
        draft.require(*columns)
        return columns

    def handed_on(self, steward: Steward) -> tuple[SuppressRecords, FilesByName]:
        """The orders of ordinal values list values, whether the release has them or not."""
        stated = dict(self.orders or {})
        contents: FilesByName = {}
        for column, order in stated.items():
            if not is_kept(order):
                kept, files = steward.keep_list(f"order_{column}", list(order))
                stated[column], contents = kept.document(), {**contents, **files}
        return (replace(self, orders=stated), contents) if contents else (self, {})

    def _unsafe(self, draft: Draft, resources: Resources) -> str | None:
        """A SELECT of the numbers of the records in unsafe classes; None where there are none."""
        columns = self._columns(draft)
        if self.class_size is not None:
            return in_small_classes(draft, columns, self.class_size)
        released = self.against == RELEASE
        return in_breaking_classes(
            draft,
            columns,
            required(self.requirements),
            resources.located(self.orders or {}),
            self._scenarios,
            until_settled=released,
        )

    def broken_by(self, release: Draft, resources: Resources) -> tuple[str, ...]:
        """Requirements of classes hold of what is released in the end, whatever the steps after this one do."""
        if self.requirements is None:
            return ()
        columns = tuple(self.columns or ()) or release.with_role(Role.QUASI)
        orders = resources.located(self.orders or {})
        return broken_requirements(release, columns, required(self.requirements), orders, self._scenarios)

    @property
    def _scenarios(self) -> tuple[Scenario, ...]:
        return tuple(Scenario(name, known) for name, known in (self.scenarios or {}).items())

    def _check_requirements(self) -> None:
        given = self.requirements
        if not isinstance(given, list | tuple) or not given:
            raise self.wrong("requirements must be a list, such as ['k_anonymity >= 5'].")
        if self.orders is not None and not isinstance(self.orders, Mapping):
            raise self.wrong("orders must name the values of a column, lowest first: {severity: [mild, severe]}.")
        if self.scenarios is not None and not isinstance(self.scenarios, Mapping):
            raise self.wrong("scenarios must name the columns that are known: {neighbour: [age, sex]}.")
        object.__setattr__(self, "requirements", tuple(given))
        try:
            required(given)
        except PolicyError as error:
            raise self.wrong(str(error)) from None

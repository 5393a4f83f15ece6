"""Plans as sheets: every step in a sentence, the transformations and the recipes there are."""

from __future__ import annotations

from sfumato.show.documents.plan import PlanDocument, RecipesDocument, TransformationsDocument
from sfumato.show.sheet import Section, Sheet, counted


def plan_sheet(document: PlanDocument) -> Sheet:
    """The steps for somebody who has to sign them."""
    steps = document.steps
    reasoned = any(step.because or step.proposed_by for step in steps)
    rows = tuple(
        (
            str(step.number),
            step.transformation,
            step.explanation,
            *((reason(step.because, step.proposed_by),) * reasoned),
        )
        for step in steps
    )
    examples = tuple(
        (str(step.number), step.transformation, before, after) for step in steps for before, after in step.examples
    )
    secrets = tuple(f"Secret needed: {name}." for name in document.secrets)
    seed = f", seed {document.seed}" if document.seed is not None else ""
    return Sheet(
        title=f"Plan {document.plan}",
        verdict=f"{counted(len(steps), 'step')}{seed}.",
        sections=(
            Section(
                "Steps",
                ("", "step", "what it does", *(("because",) * reasoned)),
                rows,
                (*secrets, *document.remarks),
                numbers=(0,),
            ),
            Section("Examples, made up", ("", "step", "before", "after"), examples, numbers=(0,)),
        ),
    )


def reason(because: str | None, proposed_by: str | None) -> str:
    """Why a step is done, and who proposed it."""
    return because if because and not proposed_by else f"{because or 'proposed'} ({proposed_by})" if proposed_by else ""


def transformations_sheet(document: TransformationsDocument) -> Sheet:
    """The transformations there are, or one in full."""
    known = document.transformations
    if document.in_full:
        sections = (Section(known[0].name, remarks=tuple(known[0].explanation.splitlines())),)
    else:
        rows = tuple((t.name, ", ".join(t.parameters), ", ".join(t.aliases), t.summary) for t in known)
        sections = (Section("Transformations", ("name", "parameters", "PHUSE rule", "what it does"), rows),)
    return Sheet("Transformations", f"{counted(len(known), 'transformation')}.", sections)


def recipes_sheet(document: RecipesDocument) -> Sheet:
    """The plans that come with the package, and what each is for."""
    rows = tuple((f"recipe:{recipe.name}", str(recipe.steps), recipe.description) for recipe in document.recipes)
    return Sheet(
        "Recipes",
        f"{counted(len(rows), 'plan')} to apply as they are, or to copy and change.",
        (Section("Recipes", ("plan", "steps", "what it is for"), rows, numbers=(1,)),),
    )

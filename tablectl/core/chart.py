"""State charts: one table of arrows for the step, the sentence of what cannot follow, the diagram.

A chart has no state of its own. The state is a plain word that the caller keeps; an unlisted
trigger is odd and comes back as a sentence, never as an exception.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from transitions import Machine

ANY: Final = "*"
"""As the only source of an arrow: every state."""
SAME: Final = "="
"""As the end of an arrow: the state that it comes from."""

Ways = tuple[tuple[str | None, str], ...]
"""What one trigger can do in one state: (guard or None, end), in the order they are tried."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """`trigger` leads from each of `sources` to `to`, where `guard` holds if it names one."""

    trigger: str
    sources: tuple[str, ...]
    to: str
    guard: str | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Odd:
    """Something that cannot follow; `sentence` says to people what was told and what was known."""

    sentence: str


@dataclass(frozen=True, eq=False)
class Chart:
    """States and triggers with the words people read, and the arrows between them.

    `states`: how things stand ("the walls are up"); `triggers`: what happened ("the hatch
    opened"); `guards`: what an arrow needs ("the walls fit the rule"). Raises ValueError if an
    arrow names something that is in none of them, or if one of them is not used.
    """

    name: str
    states: Mapping[str, str]
    triggers: Mapping[str, str]
    arrows: tuple[Arrow, ...]
    initial: str
    guards: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        words = {word for arrow in self.arrows for word in (*arrow.sources, arrow.to)}
        self._compare("states", words - {ANY, SAME} | {self.initial}, self.states)
        self._compare("triggers", {arrow.trigger for arrow in self.arrows}, self.triggers)
        self._compare("guards", {arrow.guard for arrow in self.arrows if arrow.guard}, self.guards)

    def next(self, state: str, trigger: str, guards: Collection[str] = ()) -> str | Odd:
        """The state after `trigger`, `guards` being the conditions that hold. Pure and total."""
        for guard, to in self.ways(state, trigger):
            if guard is None or guard in guards:
                return to
        return Odd(self._sentence(state, trigger))

    def ways(self, state: str, trigger: str) -> Ways:
        """Where `trigger` can lead from `state`; empty where it is odd."""
        return self._table.get((state, trigger), ())

    def mermaid(self) -> str:
        """The chart as a Mermaid state diagram, with a newline at its end. An arrow from most
        states is drawn once, from `any`, and says from which states it does not go."""
        labels: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        for arrow in self.arrows:
            label = f"{arrow.trigger} [{arrow.guard}]" if arrow.guard else arrow.trigger
            sources = arrow.sources
            rest = () if ANY in sources else tuple(s for s in self.states if s not in sources)
            if len(rest) * 3 < len(self.states):
                sources = ("any",)
                label += f" (not from {', '.join(rest)})" if rest else ""
            for source in sources:
                labels[source, source if arrow.to == SAME else arrow.to].append(label)
        lines = ["stateDiagram-v2", f"    [*] --> {self.initial}"]
        for (source, to), texts in labels.items():
            lines.append(f"    {source} --> {to} : {', '.join(texts)}")
        left = {source for source, to in labels if source != to}
        lines += [f"    {state} --> [*]" for state in self.states if state not in left]
        return "\n".join(lines) + "\n"

    @cached_property
    def machine(self) -> Machine:
        """The `transitions` machine of this table, with no model and no callbacks."""
        # Here and not above: a command line that follows no hand need not load the library.
        from transitions import Machine

        machine = Machine(
            model=None,
            states=list(self.states),
            initial=self.initial,
            auto_transitions=False,
            send_event=False,
            name=self.name,
        )
        for arrow in self.arrows:
            machine.add_transition(
                arrow.trigger,
                ANY if ANY in arrow.sources else list(arrow.sources),
                arrow.to,
                conditions=arrow.guard,
            )
        return machine

    @cached_property
    def _table(self) -> dict[tuple[str, str], Ways]:
        # Asked for each fact of a history that is folded again, so the machine's own events are
        # compiled once into a plain dictionary.
        return {
            (source, trigger): tuple(
                (
                    str(step.conditions[0].func) if step.conditions else None,
                    source if step.dest is None else step.dest,
                )
                for step in steps
            )
            for trigger, event in self.machine.events.items()
            for source, steps in event.transitions.items()
            if steps
        }

    def _sentence(self, state: str, trigger: str) -> str:
        told = self.triggers.get(trigger, f'"{trigger}" was told')
        known = self.states.get(state, f'the state is "{state}"')
        needed = [self.guards[guard] for guard, _ in self.ways(state, trigger) if guard]
        if needed:
            return f"{told}, and {known}: that can follow only if {' or '.join(needed)}"
        return f"{told}, but {known}: that cannot follow"

    def _compare(self, what: str, used: Collection[str], told: Collection[str]) -> None:
        if wrong := sorted(set(used) ^ set(told)):
            raise ValueError(
                f"chart {self.name}: {what} {', '.join(wrong)}: told or used, not both"
            )

"""Two measurements beside each other: the names of their machines, and what else sets them apart."""

from engine.measure.experiment import Experiment
from engine.measure.machine import Machine
from engine.messages import Message, message


def machine_name(machine: Machine | None) -> Message:
    """A machine in a few words: "AMD EPYC 7763, 8 cores"."""
    if machine is None:
        return message("an unknown machine")
    words = message("{processor}, 1 core") if machine.cores == 1 else message("{processor}, {cores} cores")
    return message(words, processor=machine.processor or machine.system, cores=machine.cores)


def names_of_both(one: Experiment, other: Experiment) -> tuple[Message, Message]:
    """Names that tell two measurements from each other, though both may be of the same machine."""
    return (
        message("here, {machine}", machine=machine_name(one.machine)),
        message("there, {machine}", machine=machine_name(other.machine)),
    )


def difference(one: Experiment, other: Experiment) -> Message | None:
    """Why the speedups of two measurements are not of the same search, in a sentence; None if they are."""
    here, there = one.job, other.job
    if (here.game, here.position) != (there.game, there.position):
        return message("The other measurement is of another position: {position}.", position=there.position)
    if here.limit.depth != there.limit.depth:
        return message("The other measurement is of another depth.")
    if one.fixed_time != other.fixed_time:
        return message("One measurement is of weak scaling, and their runs have different times.")
    if (here.schedule, here.split) != (there.schedule, there.split):
        return message(
            "The other measurement deals the tasks differently: {schedule}, split depth {plies}.",
            schedule=there.schedule,
            plies=there.split,
        )
    return None

"""Types as rosapi describes them: the fields of a message and of all nested types."""

from outrider.bridges.rosbridge.encoding.forms import Form, slots, spelled
from outrider.core.structure import Data
from outrider.messages.fields import Field
from outrider.messages.store import full_name, message_class, store

_MOMENTS = {"builtin_interfaces/msg/Time": "time", "builtin_interfaces/msg/Duration": "duration"}


def type_details(name: str, form: Form) -> list[Data]:
    """Return a type and the types of its fields, each once."""
    full = full_name(name)
    message_class(full)  # says so if there is none
    found: dict[str, Data] = {}
    _gather(full, form, found)
    return list(found.values())


def _gather(full: str, form: Form, found: dict[str, Data]) -> None:
    if full in found:
        return
    fields = slots(full, form)
    constants = store().fielddefs[full][0]
    found[full] = {
        "type": spelled(full, form),
        "fieldnames": [key for key, _ in fields],
        "fieldtypes": [_type(field, form) for _, field in fields],
        "fieldarraylen": [field.count for _, field in fields],
        "examples": [_example(field) for _, field in fields],
        "constnames": [name for name, _, _ in constants],
        "constvalues": [str(value) for _, _, value in constants],
    }
    for _, field in fields:
        if field.message and _type(field, form) not in _MOMENTS.values():
            _gather(field.message, form, found)


def _type(field: Field, form: Form) -> str:
    if form == "ros1" and field.message in _MOMENTS:
        return _MOMENTS[field.message]
    return spelled(field.message, form) if field.message else field.base


def _example(field: Field) -> str:
    if field.is_array:
        return "[]"
    if field.message:
        return "{}"
    return {"string": "", "bool": "False"}.get(field.base, "0")

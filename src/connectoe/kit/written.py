"""Rules written out: the source of functions that are closures, with the values they close over put in.

A rule of a recipe is a closure over numbers and other rules. Here its source is parsed, numbers and names of fields are
put in, short rules are inlined where they are called, and what remains is written as plain functions.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from connectoe.core.rules import is_rule
from connectoe.core.wide import WideConstant, WidePosition
from connectoe.kit.folded import INDENT, WIDTH

SMALL = 256
"""Numbers below this are written where they are used; larger ones get a name."""
LONGEST_INLINED = 64
"""Rules whose result is longer than this are called, not inlined."""


class Writer:
    """A file that is being written: its imports, constants and functions, each written once."""

    def __init__(self, fields: tuple[str, ...], position_class: type[Any], about_parts: frozenset[str]) -> None:
        self.fields = fields
        self.about_parts = about_parts  # modules whose rules are given a part of the position, without names
        self.position_class = position_class
        self.position_name = "WidePosition" if issubclass(position_class, WidePosition) else "Position"
        self.imports: dict[str, set[str]] = {}
        self.constants: dict[str, Any] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        self._names: dict[int, str] = {}
        self._kept: list[Callable[..., Any]] = []  # so that no id is used twice

    def add(self, function: Callable[..., Any], name: str) -> None:
        """Write a rule and what it calls, under a name of its own."""
        self._names[id(function)] = name
        self._kept.append(function)
        self.functions[name] = self._definition(function, name)
        self.functions[name] = self.functions.pop(name)  # after what it calls

    def constant_lines(self) -> Iterator[str]:
        """Yield the constants, a line each."""
        for name, value in self.constants.items():
            if isinstance(value, bytes):
                yield f"{name} = bytes("
                yield _in_lines(f"({', '.join(map(str, value))},)")
                yield ")"
            elif isinstance(value, tuple) and len(repr(value)) > WIDTH // 2:
                yield f"{name} = ("
                yield _in_lines(f"{', '.join(map(repr, value))},")
                yield ")"
            elif isinstance(value, WideConstant):
                yield f"{name} = sized({value if value < SMALL else hex(value)}, BITS)"
            else:
                yield f"{name} = {hex(value) if isinstance(value, int) else repr(value)}"

    def function_texts(self) -> Iterator[str]:
        """Yield the functions, those that are called before those that call them."""
        for definition in self.functions.values():
            yield ast.unparse(ast.fix_missing_locations(definition))

    def _definition(self, function: Callable[..., Any], name: str) -> ast.FunctionDef:
        """Return the definition of a rule with everything put in."""
        parsed = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        assert isinstance(parsed, ast.FunctionDef)
        parsed.name, parsed.returns = name, None
        parsed.decorator_list = [ast.Name("rule")]
        self.imports.setdefault("connectoe", set()).add("rule")
        for argument in parsed.args.args:
            argument.annotation = None
        if ast.get_docstring(parsed) is not None and len(parsed.body) > 1:
            del parsed.body[0]
        written = _PutIn(self, function).visit(parsed)
        assert isinstance(written, ast.FunctionDef)
        return written

    def reference(self, value: Any, name: str) -> ast.expr:
        """Return how a value that a rule uses is written."""
        if value is self.position_class:
            return ast.Name(self.position_name)
        if callable(value):
            return ast.Name(self._function(value))
        is_small = isinstance(value, int) and not isinstance(value, WideConstant) and abs(value) < SMALL
        if is_small or isinstance(value, bool | str):
            return ast.Constant(value)
        wanted = unused = name.upper()
        number = 2
        while unused in self.constants and not _is_same_constant(self.constants[unused], value):
            unused, number = f"{wanted}_{number}", number + 1
        self.constants[unused] = value
        return ast.Name(unused)

    def _function(self, function: Any) -> str:
        """Return the name under which a function is found, written or imported."""
        if hasattr(builtins, getattr(function, "__name__", "")):
            return str(function.__name__)
        if is_rule(function) and "<locals>" not in function.__qualname__ and _is_ours(function):
            self.imports.setdefault(function.__module__, set()).add(function.__name__)
            return str(function.__name__)
        if id(function) not in self._names:
            name, number = function.__name__, 2
            while name in self._names.values():
                name, number = f"{function.__name__}_{number}", number + 1
            self.add(function, name)
            self._merge(name, function)
        return self._names[id(function)]

    def _merge(self, name: str, function: Callable[..., Any]) -> None:
        """Drop a function that does the same as one written before, and call that one."""
        mine = self.functions[name]
        for other, definition in self.functions.items():
            if other != name and _is_same_function(definition, mine):
                del self.functions[name]
                self._names[id(function)] = other
                return

    def inlined(self, function: Any, arguments: list[ast.expr], called: str) -> ast.expr | None:
        """Return the result of a short rule for these arguments; None if it is better called."""
        if not is_rule(function) or "<locals>" not in function.__qualname__:
            return None
        parsed = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
        assert isinstance(parsed, ast.FunctionDef)
        if len(parsed.body) != 1 or not isinstance(parsed.body[0], ast.Return) or parsed.body[0].value is None:
            return None
        names = [argument.arg for argument in parsed.args.args]
        uses = [node.id for node in ast.walk(parsed.body[0]) if isinstance(node, ast.Name)]
        for name, argument in zip(names, arguments, strict=True):
            if uses.count(name) > 1 and not isinstance(argument, ast.Name | ast.Constant | ast.Attribute):
                return None
        given = dict(zip(names, arguments, strict=True))
        written = _PutIn(self, function, given, called).visit(parsed.body[0].value)
        assert isinstance(written, ast.expr)
        return written if len(ast.unparse(written)) <= LONGEST_INLINED else None


def _is_same_function(one: ast.FunctionDef, other: ast.FunctionDef) -> bool:
    """Whether two functions differ by their names only."""
    return ast.dump(one.args) == ast.dump(other.args) and list(map(ast.dump, one.body)) == list(
        map(ast.dump, other.body)
    )


def _in_lines(text: str) -> str:
    """Return a text in indented lines."""
    return textwrap.fill(text, WIDTH - 4, initial_indent=INDENT, subsequent_indent=INDENT)


def _is_same_constant(constant: Any, other: Any) -> bool:
    """Whether two constants are written alike: a wide int is not an int of the same value."""
    return type(constant) is type(other) and bool(constant == other)


def _is_ours(function: Callable[..., Any]) -> bool:
    """Whether a rule can be imported from this package, as opposed to one in the recipe's own file."""
    return function.__module__.startswith("connectoe.")


def _values_in(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the values of the names that a function takes from around it."""
    found = inspect.getclosurevars(function)
    return {**found.globals, **found.nonlocals}


class _PutIn(ast.NodeTransformer):
    """Puts the values into one function that it closes over."""

    def __init__(
        self,
        writer: Writer,
        function: Callable[..., Any],
        given: dict[str, ast.expr] | None = None,
        called: str = "",
    ) -> None:
        self.writer = writer
        self.has_fields = function.__module__ not in writer.about_parts
        self.called = called
        self.values = _values_in(function)
        self.given = given or {}

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.given:
            return self.given[node.id]
        if node.id in ("ONGOING", "DRAWN"):
            self.writer.imports.setdefault("connectoe", set()).add(node.id)
            return node
        if node.id not in self.values:
            return node
        value = self.values[node.id]
        is_table = isinstance(value, bytes) and self.called  # named for what the rule is called, as `number_of`
        return self.writer.reference(value, self.called if is_table else node.id)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        assert node.value is not None
        return self.visit(ast.Assign([node.target], node.value))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        arguments = [self.visit(argument) for argument in node.args]
        if isinstance(node.func, ast.Name) and node.func.id in self.values:
            function = self.values[node.func.id]
            if not any(isinstance(argument, ast.Starred) for argument in arguments):
                short = self.writer.inlined(function, arguments, node.func.id)
                if short is not None:
                    return short
            return ast.Call(self.writer.reference(function, node.func.id), arguments, [])
        return ast.Call(self.visit(node.func), arguments, [])

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        value, index = self.visit(node.value), self.visit(node.slice)
        number = _number(index)
        if isinstance(value, ast.Name) and value.id == "position" and number is not None and self.has_fields:
            return ast.Attribute(value, self.writer.fields[number])
        return ast.Subscript(value, index)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Add):
            # What is before the first field, or after the last, is nothing.
            if _is_nothing(left):
                return right
            if _is_nothing(right):
                return left
            if isinstance(left, ast.Constant) and left.value == 0:
                return right
            if isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple):
                return ast.Tuple([*left.elts, *right.elts])
        if isinstance(node.op, ast.BitOr):
            return _joined(left, right)
        if isinstance(node.op, ast.Sub) and isinstance(right, ast.Constant) and right.value == 0:
            return left
        return ast.BinOp(left, node.op, right)

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return self.visit(node.body if test.value else node.orelse)
        return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        left, right = self.visit(node.left), [self.visit(part) for part in node.comparators]
        if isinstance(left, ast.Constant) and isinstance(right[0], ast.Constant) and isinstance(node.ops[0], ast.Lt):
            return ast.Constant(left.value < right[0].value)  # type: ignore[operator]
        return ast.Compare(left, node.ops, right)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        is_and = isinstance(node.op, ast.And)
        kept = []
        for part in map(self.visit, node.values):
            if isinstance(part, ast.Constant):
                if bool(part.value) != is_and:
                    return part
                continue
            kept.append(part)
        if not kept:
            return ast.Constant(is_and)
        return kept[0] if len(kept) == 1 else ast.BoolOp(node.op, kept)

    def visit_If(self, node: ast.If) -> Any:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return [self.visit(line) for line in (node.body if test.value else node.orelse)]
        body = [done for line in node.body for done in _as_list(self.visit(line))]
        orelse = [done for line in node.orelse for done in _as_list(self.visit(line))]
        return ast.If(test, body, orelse)


def _joined(left: ast.expr, right: ast.expr) -> ast.expr:
    """Return `left | right` without brackets around what is joined already."""
    if isinstance(right, ast.BinOp) and isinstance(right.op, ast.BitOr):
        left, right = _joined(left, right.left), right.right
    return ast.BinOp(left, ast.BitOr(), right)


def _as_list(thing: Any) -> list[Any]:
    return thing if isinstance(thing, list) else [thing]


def _number(index: ast.expr) -> int | None:
    """Return the number that an index is, if it is one."""
    if isinstance(index, ast.Constant) and isinstance(index.value, int):
        return index.value
    if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub) and isinstance(index.operand, ast.Constant):
        return -int(index.operand.value)  # type: ignore[arg-type]
    return None


def _is_nothing(part: ast.expr) -> bool:
    """Whether this is the part of a tuple before its first element."""
    return (
        isinstance(part, ast.Subscript)
        and isinstance(part.slice, ast.Slice)
        and isinstance(part.slice.upper, ast.Constant)
        and part.slice.upper.value == 0
        and part.slice.lower is None
    )

"""Ints of several words in compiled code, for the wide boards of `core/wide.py`.

A wide int is a number of LLVM's with 128, 192, … bits, and its processor instructions are LLVM's business. Only what
rules need is here: and, or, xor, not, shifts, sums, differences, products, equality, whether it is 0, how many bits are
set and which is the lowest. Ints mix with wide ones, and become wide where a variable holds now one, now the other. As
64-bit ints do, they wrap.

In memory it is an array of 64-bit words: LLVM expects a large int at an address that is a multiple of 16, and lists do
not keep to that.
"""

# mypy: disable-error-code="no-untyped-call, untyped-decorator, call-arg, misc, import-untyped"
# Numba's means to extend it, and llvmlite, have no types.

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_borrowed, lower_cast, lower_constant
from numba.core.typeconv.castgraph import Conversion
from numba.extending import NativeValue, box, intrinsic, models, overload, register_model, typeof_impl, unbox
from numba.np.arrayobj import make_array, populate_array
from numpy.typing import NDArray

from connectoe.core.wide import WideConstant, WidePosition, bit_count, lowest_set_bit

WORD = ir.IntType(64)


class WideInt(types.Type):
    """The type of ints of this many words."""

    def __init__(self, words: int) -> None:
        self.words = words
        super().__init__(name=f"WideInt({words})")

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """Return that ints may become wide."""
        return Conversion.safe if isinstance(other, types.Integer) else None


@register_model(WideInt)
class WideModel(models.PrimitiveModel):
    """One large number, in memory an array of words."""

    def __init__(self, manager: Any, kind: WideInt) -> None:
        super().__init__(manager, kind, ir.IntType(64 * kind.words))
        self.words = kind.words

    def get_data_type(self) -> Any:
        """Return an array of words."""
        return ir.ArrayType(WORD, self.words)

    def as_data(self, builder: Any, value: Any) -> Any:
        """Return the number's words, the lowest first."""
        data = ir.Constant(self.get_data_type(), ir.Undefined)
        for word in range(self.words):
            part = builder.trunc(builder.lshr(value, value.type(64 * word)), WORD)
            data = builder.insert_value(data, part, word)
        return data

    def from_data(self, builder: Any, data: Any) -> Any:
        """Return the number with these words."""
        number = self.get_value_type()
        value = number(0)
        for word in range(self.words):
            part = builder.zext(builder.extract_value(data, word), number)
            value = builder.or_(value, builder.shl(part, number(64 * word)))
        return value


@typeof_impl.register(WideConstant)
def type_of_constant(value: WideConstant, _: Any) -> WideInt:
    """Return the type of a wide constant."""
    return WideInt(value.words)


@typeof_impl.register(WidePosition)
def type_of_position(position: Any, context: Any) -> Any:
    """Return the type of a position, whose wide fields hold plain ints in Python."""
    kinds = [
        WideInt(position.words) if name in position.wide_fields else typeof_impl(field, context)
        for name, field in zip(position._fields, position, strict=True)
    ]
    return types.BaseTuple.from_types(kinds, type(position))


def ints_in(words: NDArray[Any], like: int) -> Any:
    """Return the array of ints, as wide as another wide int, whose words an array holds next to each other.

    Only compiled code can do this: Python's ints have no width.
    """
    raise NotImplementedError


@overload(ints_in, strict=False)
def wide_ints_in(words: Any, like: Any) -> Any:
    """Return the array of wide ints."""
    return (lambda words, like: _wide_ints(words, like)) if isinstance(like, WideInt) else None


@intrinsic
def _wide_ints(context: Any, words: Any, like: Any) -> Any:
    """Return the same memory as an array of wide ints."""
    ints = types.Array(like, words.ndim, "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        given, made = make_array(words)(context, builder, arguments[0]), make_array(ints)(context, builder)
        size = context.get_constant(types.intp, like.words)
        *shape, length = cgutils.unpack_tuple(builder, given.shape)
        *strides, stride = cgutils.unpack_tuple(builder, given.strides)
        populate_array(
            made,
            data=builder.bitcast(given.data, made.data.type),
            shape=[*shape, builder.sdiv(length, size)],
            strides=[*strides, builder.mul(stride, size)],
            itemsize=builder.mul(given.itemsize, size),
            meminfo=given.meminfo,
            parent=given.parent,
        )
        return impl_ret_borrowed(context, builder, ints, made._getvalue())

    return ints(words, like), generate


@lower_constant(WideInt)
def constant(context: Any, builder: Any, kind: WideInt, value: int) -> Any:
    """Return a wide constant in compiled code."""
    return ir.IntType(64 * kind.words)(int(value))


@unbox(WideInt)
def from_python(kind: WideInt, thing: Any, c: Any) -> NativeValue:
    """Return a Python int as a number."""
    number = ir.IntType(64 * kind.words)
    value, low = number(0), c.pyapi.long_from_ulonglong(WORD(2**64 - 1))
    for word in range(kind.words):
        distance = c.pyapi.long_from_longlong(WORD(64 * word))
        shifted = c.pyapi.number_rshift(thing, distance)
        part = c.pyapi.number_and(shifted, low)
        bits = c.builder.zext(c.pyapi.long_as_ulonglong(part), number)
        value = c.builder.or_(value, c.builder.shl(bits, number(64 * word)))
        for used in (distance, shifted, part):
            c.pyapi.decref(used)
    c.pyapi.decref(low)
    return NativeValue(value, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@box(WideInt)
def to_python(kind: WideInt, value: Any, c: Any) -> Any:
    """Return a number as a Python int."""
    made = c.pyapi.long_from_longlong(WORD(0))
    for word in range(kind.words):
        part = c.builder.trunc(c.builder.lshr(value, value.type(64 * word)), WORD)
        part, distance = c.pyapi.long_from_ulonglong(part), c.pyapi.long_from_longlong(WORD(64 * word))
        shifted = c.pyapi.number_lshift(part, distance)
        joined = c.pyapi.number_or(made, shifted)
        for used in (part, distance, shifted, made):
            c.pyapi.decref(used)
        made = joined
    return made


def _number(builder: Any, value: Any, kind: Any, number: Any) -> Any:
    """Return an int of any kind as a large number."""
    if isinstance(kind, WideInt):
        return value
    is_signed = isinstance(kind, types.IntegerLiteral | types.Integer) and getattr(kind, "signed", True)
    return builder.sext(value, number) if is_signed else builder.zext(value, number)


@lower_cast(types.Integer, WideInt)
def from_int(context: Any, builder: Any, kind: Any, wide: WideInt, value: Any) -> Any:
    """Return an int as a wide one."""
    return _number(builder, value, kind, ir.IntType(64 * wide.words))


def _is_wide_with_int(left: Any, right: Any) -> bool:
    """Whether one of two operands is wide, and the other one too or an int."""
    kinds = (WideInt, types.Integer)
    return isinstance(left, kinds) and isinstance(right, kinds) and WideInt in (type(left), type(right))


def _add_operator(symbol: Callable[..., Any], instruction: str, *comparison: str) -> None:
    """Let compiled code use an operator on wide ints, given LLVM's instruction for two large numbers."""

    @intrinsic
    def compute(context: Any, left: Any, right: Any) -> Any:
        wide = left if isinstance(left, WideInt) else right

        def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            number = ir.IntType(64 * wide.words)
            pairs = zip(arguments, signature.args, strict=True)
            numbers = [_number(builder, value, kind, number) for value, kind in pairs]
            return getattr(builder, instruction)(*comparison, *numbers)

        return (types.boolean if comparison else wide)(left, right), generate

    @overload(symbol, strict=False)
    def of_wide(left: Any, right: Any) -> Any:
        if _is_wide_with_int(left, right):
            return lambda left, right: compute(left, right)
        return None


_add_operator(operator.eq, "icmp_unsigned", "==")
_add_operator(operator.ne, "icmp_unsigned", "!=")
for _symbols, _instruction in (
    ((operator.and_, operator.iand), "and_"),
    ((operator.or_, operator.ior), "or_"),
    ((operator.xor, operator.ixor), "xor"),
    ((operator.add, operator.iadd), "add"),
    ((operator.sub, operator.isub), "sub"),
    ((operator.mul, operator.imul), "mul"),
    ((operator.lshift, operator.ilshift), "shl"),
    ((operator.rshift, operator.irshift), "lshr"),
):
    for _symbol in _symbols:
        _add_operator(_symbol, _instruction)


@intrinsic
def _is_less(context: Any, left: Any, right: Any) -> Any:
    """Whether one wide int is less than another one, neither being below 0."""
    return types.boolean(left, right), lambda _, builder, signature, arguments: builder.icmp_unsigned("<", *arguments)


@intrinsic
def _lowest_word(context: Any, wide: Any) -> Any:
    """Return the lowest 64 bits as an int."""
    return types.int64(wide), lambda _, builder, signature, arguments: builder.trunc(arguments[0], WORD)


@overload(int, strict=False)
def int_of_wide(wide: Any) -> Any:
    """Return a wide int that has at most 62 bits as an int."""
    return (lambda wide: _lowest_word(wide)) if isinstance(wide, WideInt) else None


@overload(min, strict=False)
def least_of_wide(left: Any, right: Any) -> Any:
    """Return the lesser of two wide ints, neither of which is below 0."""
    if isinstance(left, WideInt) and isinstance(right, WideInt):
        return lambda left, right: left if _is_less(left, right) else right
    return None


@intrinsic
def _set_bits(context: Any, wide: Any) -> Any:
    """Return how many bits are set."""
    return types.int64(wide), lambda _, builder, signature, arguments: builder.trunc(builder.ctpop(arguments[0]), WORD)


@intrinsic
def _zeros_at_the_end(context: Any, wide: Any) -> Any:
    """Return how many bits are under the lowest that is set."""

    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.trunc(builder.cttz(arguments[0], cgutils.true_bit), WORD)

    return types.int64(wide), generate


@overload(bit_count, strict=False)
def bit_count_of_wide(mask: Any) -> Any:
    """Return how many bits are set."""
    return (lambda mask: _set_bits(mask)) if isinstance(mask, WideInt) else None


@overload(lowest_set_bit, strict=False)
def lowest_set_bit_of_wide(mask: Any) -> Any:
    """Return the number of the lowest bit that is set."""
    return (lambda mask: _zeros_at_the_end(mask)) if isinstance(mask, WideInt) else None


@overload(operator.invert, strict=False)
def not_wide(wide: Any) -> Any:
    """Return the other bits."""
    return (lambda wide: wide ^ -1) if isinstance(wide, WideInt) else None


@overload(operator.neg, strict=False)
def minus_wide(wide: Any) -> Any:
    """Return the number that adds up to 0 with it."""
    return (lambda wide: 0 - wide) if isinstance(wide, WideInt) else None


@overload(operator.not_, strict=False)
def is_zero(wide: Any) -> Any:
    """Whether it is 0."""
    return (lambda wide: wide == 0) if isinstance(wide, WideInt) else None


@overload(bool, strict=False)
def is_not_zero(wide: Any) -> Any:
    """Whether it is not 0."""
    return (lambda wide: wide != 0) if isinstance(wide, WideInt) else None

"""Check digits."""

from __future__ import annotations


def luhn(digits: str) -> bool:
    """Whether the last digit is right: double every second digit from the right, add up, a multiple of ten.

    >>> luhn("79927398713"), luhn("79927398714")
    (True, False)
    """
    doubled = (int(d) * (1 + i % 2) for i, d in enumerate(reversed(digits)))
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def nhs(digits: str) -> bool:
    """Whether a British health number of ten digits is right: weights 10 to 2, modulo 11.

    >>> nhs("9434765919"), nhs("9434765918")
    (True, False)
    """
    check = (11 - sum(int(d) * weight for d, weight in zip(digits, range(10, 1, -1), strict=False)) % 11) % 11
    return check == int(digits[9])

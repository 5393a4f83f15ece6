"""The classes of a table as arrays: combinations as whole numbers, their classes at any levels, and the rules."""

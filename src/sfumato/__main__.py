"""`python -m sfumato`: the command, where it is not on the path."""

from sfumato.cli import main

if __name__ == "__main__":
    main()

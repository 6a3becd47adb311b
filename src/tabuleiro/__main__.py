"""`python -m tabuleiro` is the command `tabuleiro`."""

from tabuleiro.cli import main

main()

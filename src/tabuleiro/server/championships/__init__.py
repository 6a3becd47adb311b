"""Championships on the server: each a stream of the events of `tabuleiro.championship`, with its routes, pages' data,
live news, games at tables, and files to carry it elsewhere."""

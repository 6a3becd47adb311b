"""Our engines for other programs: over the Universal Game Interface (`serve`) and the Go Text Protocol (`gtp`)."""

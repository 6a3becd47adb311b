"""Engines that speak: ours to others (`serve`, `gtp`), other programs to us (`client`), all by name (`players`)."""

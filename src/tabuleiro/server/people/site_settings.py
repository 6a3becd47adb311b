"""What the organiser settles for the whole server."""

from typing import NamedTuple

import sqlalchemy as sa

from tabuleiro.server.tables import site_settings

#: Under this name all of it is kept.
NAME = "site"


class SiteSettings(NamedTuple):
    #: Whether people of different classes see, challenge and watch each other. Guests never do.
    open_lobby: bool = False
    #: Whether others see first name and initial only, or the first and the last name.
    short_names: bool = True
    #: Months without a sign of somebody after which everything about them is erased.
    keep_months: int = 13


def read_settings(connection: sa.Connection) -> SiteSettings:
    told = connection.scalar(sa.select(site_settings.c.value).where(site_settings.c.name == NAME)) or {}
    return SiteSettings(**{name: value for name, value in told.items() if name in SiteSettings._fields})


def write_settings(connection: sa.Connection, settings: SiteSettings) -> None:
    connection.execute(sa.delete(site_settings).where(site_settings.c.name == NAME))
    connection.execute(sa.insert(site_settings).values(name=NAME, value=settings._asdict()))

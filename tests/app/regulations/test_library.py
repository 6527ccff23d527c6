"""The library of shipped regulations."""

import subprocess
import sys

import pytest

from app.regulations import library


def test_regulation_a_is_shipped_under_its_id() -> None:
    assert "beach-games-landlord-2021" in library.shipped()
    assert library.load("beach-games-landlord-2021").game == "landlord"


def test_an_unknown_id_names_the_ones_there_are() -> None:
    with pytest.raises(library.UnknownRegulationError, match="nobody-2021") as refused:
        library.load("nobody-2021")
    assert "beach-games-landlord-2021" in str(refused.value.next_step)
    assert refused.value.status == 404


def test_every_shipped_file_stands_in_the_folder_of_its_season() -> None:
    for path in library.FOLDER.glob("*/*.toml"):
        regulation = library.parse_toml(path.read_text(encoding="utf-8"), path.name)
        assert str(regulation.season) == path.parent.name


def test_reading_the_library_loads_neither_flask_nor_the_database() -> None:
    script = (
        "import sys; from app.regulations import library; library.load(library.shipped()[0]).scoring_rules();"
        "print(sorted({'flask', 'werkzeug', 'sqlalchemy', 'celery'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_json_of_a_regulation_is_a_regulation() -> None:
    import json

    regulation = library.load("beach-games-landlord-2021")
    assert library.parse_document(json.loads(library.to_json(regulation)), "json") == regulation

"""What every sentence of the engine has: both languages, whole sentences, nothing left unfilled."""

import re

_CLAUSE = " (regulation, "


def check_sentences(zh: str, en: str) -> None:
    """Fails for a missing language, for a text that is no whole sentence, and for a value that was not known.

    The Chinese sentence ends in 。 before its clause, the English one in a full stop before or after it, a question in a
    question mark. The English one begins with a capital letter, a number or an id. A number, key or id that the Chinese
    one tells stands in the English one too.
    """
    assert re.fullmatch(r".*[\u4e00-\u9fff].*[。？](（规程 .+）)?", zh), zh
    said, clause, _ = en.partition(_CLAUSE)
    assert re.match(r"[A-Z]|-?\d|[a-z]+\d", en), en
    assert said[1:] != said[1:].upper(), en
    assert said.endswith((".", "?")) or (clause and en.endswith(").")), en
    for text in (zh, en):
        assert "None" not in text, text
        assert "  " not in text, text
    assert set(re.findall(r"\w+", zh, re.ASCII)) <= set(re.findall(r"\w+", en, re.ASCII)), (zh, en)

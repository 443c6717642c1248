"""Pictures of printed pages: where a quotation stands on one, and the page or the quoted lines drawn.

`pages.py` says what to draw, `words.py` and `locate.py` find the quotation among the words of the page,
`crop.py` chooses what is shown, `draw.py` draws it. `pictures.py` does all that goes through PDFium; the bot
has it done in a process of its own (`process.py`).
"""

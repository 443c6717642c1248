"""Answers by quotation, without a model: the passages of found pages that come closest to a question."""

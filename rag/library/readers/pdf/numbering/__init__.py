"""Printed page numbers: where they stand, what they tell, and what else stands in the margins."""

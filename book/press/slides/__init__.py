"""Slides for a projector, made of the built pages of the book: what is read, and what is shown of it."""

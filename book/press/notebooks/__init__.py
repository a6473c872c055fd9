"""Notebooks for viewers that know no MyST: the chapters in plain Markdown, with or without their solutions."""

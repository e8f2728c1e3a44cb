"""What the tools show: what concerns the user, and how far they are.

Nothing is imported here: ``hush`` is used while libraries are imported, and
needs none of them.
"""

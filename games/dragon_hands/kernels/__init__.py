"""The compiled templates of opening hands."""

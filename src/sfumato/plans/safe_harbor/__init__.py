"""HIPAA's Safe Harbor: the 18 identifiers, the plan that removes them, and a checklist of what was done."""

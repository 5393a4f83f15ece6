"""What people say: `sfumato.yaml`, who receives the data, for what, and under which controls.

The file is read with the line of every fault; the recipient is graded, the context is weighed, and a preset is a first
file. Nothing is measured here. May import: tables, show, the root.
"""

"""What both doors of HTTP stand on, the one for machines (`api`) and the one for people (`workbench`): who asks, the
guard before every path, and what is counted.
"""

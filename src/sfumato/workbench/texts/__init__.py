"""The texts of the workbench: a folder for each language, a file for each screen. English is complete by definition."""

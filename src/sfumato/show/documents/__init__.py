"""What each verb found, as plain values: one file for each verb."""

"""Labels of the test items: their files, the clean test set, labeling by hand, agreement (BAP v2, 3 and 12)."""

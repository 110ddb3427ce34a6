"""Items changed so that their meaning stays or changes in a known way: is a Builder right on both? (Dan et al., 2021)"""

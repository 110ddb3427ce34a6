"""Items changed so that the right answer stays known: is a Builder right on both? (Dan et al., 2021)"""

"""A page to look at items and at what models predict for them: `bap-v2 explore`, and the Space of the dataset.

    sources       where rows come from: the configs that are set up, or a dataset on the Hub
    index         what is known of every item of a split, kept beside the rows; filters and search
    predictions   what models predict, from files
    scores        how right that is, item by item, and the orders that this allows
    split         a split with all of that
    by_hand       a typed prediction, executed and scored
    charts        numbers of many items as bars
    texts         one item in words, and links to it
    view          what the controls ask for, as a value
    layout        the controls in their places
    panels        what they show of a view
    handlers      what each of them does
    page          the page, put together
    server        which serves it

Only the last five need gradio.
"""

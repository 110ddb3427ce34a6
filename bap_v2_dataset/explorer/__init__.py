"""A page to look at items, and at what models made of them: `bap-v2 explore`, and the Space of the dataset.

    sources       where rows come from: the configs that are set up, or a dataset on the Hub
    index         what is known of every item of a split, kept beside the rows; filters and search
    predictions   what models answered, and how right that is, item by item
    by_hand       a typed prediction, executed and scored
    charts        numbers of many items as bars
    texts         one item in words, and links to it
    page          the page itself
    server        which serves it

Only `page` and `server` need gradio.
"""

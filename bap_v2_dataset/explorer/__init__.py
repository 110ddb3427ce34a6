"""A page to look at items and at what models predict for them: `bap-v2 explore`, and the Space of the dataset.

    sources       where rows come from: the configs that are set up, data of the user's own, or a dataset on the Hub
    index         what is known of every item of a split, kept beside the rows; filters and search
    split         a split with that, what models predict, how right it is, and the orders that this allows
    charts        numbers of many items as bars
    texts         one item in words, and links to it
    view          what the controls ask for, as a value
    layout        the controls in their places
    style         how they look, where they stand on small and large screens, and what the browser itself does
    panels        what the controls around an item show of a view
    item_panels   what those of an item show
    handlers      what each of them does
    game_tab      the part where a person is the Builder of a full game; `play.js` is its half in the browser
    page          the page, put together
    server        which serves it

Those from `layout` on need gradio.
"""

"""The BAP v2 configs of `datasets`: from games to rows, to the caches and to the Hub."""

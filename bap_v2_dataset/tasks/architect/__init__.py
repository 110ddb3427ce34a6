"""The other role: what the Architect says next. Rows, prompts, simple Architects, and a Builder that reads them."""

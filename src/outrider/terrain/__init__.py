"""Land made from recipes: heights, materials, colours, and what is strewn over it."""

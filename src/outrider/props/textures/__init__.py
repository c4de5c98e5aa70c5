"""Images for props, made by code and cached under the hash of their recipe."""

PUBLIC = ("facade", "images", "lanes", "leaves", "masonry", "metal", "outline", "tiling", "wood")

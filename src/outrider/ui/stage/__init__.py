"""The scene as a browser draws it: meshes, materials and light, and the element that shows them."""

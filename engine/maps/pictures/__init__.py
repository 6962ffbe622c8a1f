"""Pictures of the maps, drawn without a window: views, features, outlines, a rasterizer, names and overlays."""

"""Operations on shapes: combining, cutting, simplifying, growing, moving, filling with a grid, and measuring."""

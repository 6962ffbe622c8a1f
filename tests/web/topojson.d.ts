// The library makes the global `topojson`.
export {};

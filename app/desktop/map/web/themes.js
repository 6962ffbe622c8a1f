// Colours of everything drawn on a canvas. HTML elements have their colours in map.css, and the colours that other maps
// share are in look.json.

import look from "/look/look.json" with { type: "json" };

export const THEMES = {
  light: {
    ...look.themes.light,
    graticule: "rgba(70, 95, 110, 0.13)",
    grid: "rgba(90, 85, 70, 0.11)",
    gridStrong: "rgba(90, 85, 70, 0.22)",
    ink: "#26323a",
    inkQuiet: "#7d8790",
    halo: "rgba(255, 255, 255, 0.92)",
    landHalo: "rgba(246, 244, 238, 0.9)",
    track: "#46566b",
    accent: "#1a61d1",
    beacon: "#5b3cc4",
    warning: "#c42b1c",
  },
  dark: {
    ...look.themes.dark,
    graticule: "rgba(170, 195, 215, 0.09)",
    grid: "rgba(190, 205, 220, 0.07)",
    gridStrong: "rgba(190, 205, 220, 0.14)",
    ink: "#e8edf1",
    inkQuiet: "#8896a2",
    halo: "rgba(13, 19, 24, 0.88)",
    landHalo: "rgba(30, 38, 45, 0.9)",
    track: "#a9bbcf",
    accent: "#62a0ff",
    beacon: "#8c72f0",
    warning: "#ff7b6b",
  },
};

// Colours of the Okabe–Ito palette, which remain distinguishable with colour blindness; each event type also has its
// own shape.
export const EVENT_COLORS = {
  entry: "#009e73",
  exit: "#d55e00",
  dwell: "#0072b2",
  fraud: "#c42b1c",
  other: "#8a5a9e",
  gained: "#009e73",
  lost: "#d55e00",
  moved: "#0072b2",
};

export const FONT = '"Inter", "Segoe UI", "Helvetica Neue", "DejaVu Sans", sans-serif';

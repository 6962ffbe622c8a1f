// The texts of the page in the language of the window. Texts without a translation stay in English.

import catalogue from "/texts.json" with { type: "json" };

export const LANGUAGE = catalogue.language;

/** Return a text in the language of the window; `values` fill its {placeholders}. */
export const tr = (source, values = {}) =>
  (catalogue.texts[source] ?? source).replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);

export const number = (value, digits = 0) =>
  value.toLocaleString(LANGUAGE, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Format a size or a distance without thousands separators, so that fields can parse it in every language. */
export const quantity = (value, digits = 0) =>
  value.toLocaleString(LANGUAGE, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });

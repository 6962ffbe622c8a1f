// The page's texts in the language of the window; in English, and what has no translation, as they are written here.

import known from "/texts.json" with { type: "json" };

export const LANGUAGE = known.language;

/** A text in the language of the window; `values` fill its {places}. */
export const tr = (source, values = {}) =>
  (known.texts[source] ?? source).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);

export const number = (value, digits = 0) =>
  value.toLocaleString(LANGUAGE, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A size or distance: without thousands separators, so that fields read it back in every language. */
export const quantity = (value, digits = 0) =>
  value.toLocaleString(LANGUAGE, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  });

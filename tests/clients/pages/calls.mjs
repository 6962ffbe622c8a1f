// The calls that the page of each client makes, and their record; see tests/clients/sdk_pages.py.

const NEAR = { latitude: 60.1719, longitude: 24.9414 };
// The position of the browser, as in tests/clients/answers.py.
const HERE = { latitude: 60.1699, longitude: 24.94, accuracy: 10 };
const THERE = { latitude: 60.1699, longitude: 24.94 };
const STORE = { destinationGeofenceTag: "store", destinationGeofenceExternalId: "1" };
const OF_FUNCTIONS = new Set(["constructor", "prototype", "length", "name"]);

/** Return the names of the public methods of an object, or of a class and the classes above it. */
export function methodsOf(object) {
  const names = new Set();
  for (let at = object; at && at !== Function.prototype && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === "function" && !OF_FUNCTIONS.has(name) && !name.startsWith("_")) names.add(name);
    }
  }
  return [...names];
}

/** A record of the methods of a client: `offered`, `called`, and the answer to each call or its error. */
export class Record {
  constructor(offered) {
    this.offered = offered;
    this.called = new Set();
    this.answers = {};
  }

  /** Return a stand-in for the client that records the names of the methods called. */
  of(client) {
    const { called } = this;
    return new Proxy(client, {
      get(target, name) {
        const value = target[name];
        if (typeof value !== "function") return value;
        return (...given) => {
          called.add(name);
          return value.apply(target, given);
        };
      },
    });
  }

  /** Record the answer to a call. A call without an answer is recorded as nothing. */
  async attempt(name, act) {
    // Chromium may wait for another position when it has just given one.
    await window.moveTo(HERE);
    try {
      this.answers[name] = await act();
    } catch (error) {
      const meta = error?.response?.meta ?? error?.result?.meta;
      this.answers[name] = { failed: String(error?.message ?? error), kind: error?.name, meta };
    }
  }

  /** Call the methods that have not been called, and return the error of each, or null. */
  async others(client) {
    const errors = {};
    for (const name of this.offered) {
      if (this.called.has(name)) continue;
      try {
        await this.of(client)[name]({});
        errors[name] = null;
      } catch (error) {
        errors[name] = String(error?.message ?? error);
      }
    }
    return errors;
  }

  /** Report the record to the test. */
  report(more = {}) {
    const record = { offered: this.offered, called: [...this.called], answers: this.answers, ...more };
    console.log("result:" + JSON.stringify(record));
  }
}

/** Make the calls that clients have in common, by their names in `sdk`. */
export async function callAll(sdk, record) {
  const attempt = record.attempt.bind(record);
  await attempt("trackOnce", () => sdk.trackOnce({}));
  await trips(sdk, attempt);
  await attempt("conversion", () => sdk.conversion({ name: "bought", revenue: 9.5, metadata: { sku: "a" } }));
  await attempt("context", () => sdk.context({ ...NEAR }));
  await attempt("forward", () => sdk.forward({ query: "Mannerheimintie 10, Helsinki" }));
  await attempt("reverse", () => sdk.reverse({ ...NEAR }));
  await attempt("ip", () => sdk.ip());
  await attempt("autocomplete",
    () => sdk.autocomplete({ query: "manner", near: NEAR, limit: 5, sessionToken: "a" }));
  await attempt("geofences", () => sdk.geofences({ near: NEAR, radius: 1000, tags: ["store"], limit: 5 }));
  await attempt("places",
    () => sdk.places({ near: NEAR, radius: 1000, categories: ["food-beverage"], limit: 5 }));
  const postal = { city: "New York", stateCode: "NY", postalCode: "10003", countryCode: "US" };
  await attempt("validate", () => sdk.validate({ ...postal, street: "Broadway", number: "841" }));
  const units = "metric";
  await attempt("distance", () => sdk.distance({ origin: NEAR, destination: THERE, modes: ["foot"], units }));
  await attempt("matrix", () => sdk.matrix({ origins: [NEAR], destinations: [THERE], mode: "foot", units }));
}

async function trips(sdk, attempt) {
  await attempt("startTrip", () => sdk.startTrip({
    externalId: "order-1", ...STORE, mode: "car", metadata: { car: "red" }, approachingThreshold: 0,
  }));
  sdk.keepTrip({ externalId: "order-1", ...STORE, mode: "car" });
  await attempt("trackOnTrip", () => sdk.trackOnce({}));
  await attempt("updateTrip",
    () => sdk.updateTrip({ externalId: "order-1", ...STORE, mode: "foot", metadata: { car: "blue" } }));
  await attempt("completeTrip", () => sdk.completeTrip());
  await attempt("startSecond", () => sdk.startTrip({ externalId: "order-2", ...STORE, mode: "bike" }));
  sdk.keepTrip({ externalId: "order-2", ...STORE });
  await attempt("cancelTrip", () => sdk.cancelTrip());
}

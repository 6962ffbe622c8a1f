/** A served instance for tests, which fill, move and query it over HTTP like any client. */

import { setTimeout as sleep } from 'node:timers/promises';

import { NotStarted, isAddress, serve } from './program.js';

const LOOK_EVERY_MS = 50;
const MAX_EVENTS = 1000;

/** A seed with a clock that stands still on a Monday, and without rate limits for devices. */
const DEFAULT_SEED = {
  version: 2,
  settings: { test: { rateLimit: false } },
  clock: { now: '2026-01-05T12:00:00Z', frozen: true },
};

/** A response other than 200. `status` and `meta` are the server's. */
export class RequestRefused extends Error {
  name = 'RequestRefused';

  constructor(request, status, meta) {
    super(`${request}: ${status}: ${meta.message ?? ''}`);
    this.status = status;
    this.meta = meta;
  }
}

/** A request without a complete response, because of an injected fault. */
export class NoAnswer extends Error {
  name = 'NoAnswer';
}

/**
 * Start an instance with a seed, or with the seed in a file, or use the server whose address is in FENCEWRIGHT, with
 * its Test keys in FENCEWRIGHT_SECRET_KEY and FENCEWRIGHT_PUBLISHABLE_KEY.
 */
export async function startFencewright({ seed } = {}) {
  const { FENCEWRIGHT: url = '', FENCEWRIGHT_SECRET_KEY: secret, FENCEWRIGHT_PUBLISHABLE_KEY: publishable = '' } = process.env;
  if (!isAddress(url)) return new Fencewright(await serve(seed ?? DEFAULT_SEED));
  if (!secret) {
    throw new NotStarted('FENCEWRIGHT is the address of a server, so FENCEWRIGHT_SECRET_KEY must be its Test secret key');
  }
  if (seed !== undefined) throw new NotStarted(`the server at ${url} has a seed of its own, so seed has no effect`);
  const server = { url: url.replace(/\/+$/, ''), keys: { test: { secret, publishable } }, stop: async () => {} };
  const instance = new Fencewright(server);
  await instance.reset();
  return instance;
}

/** A served instance: its address, its keys of Test, its clock, and operations for tests. */
export class Fencewright {
  #seen = new Set();
  #explained = [];
  #stop;

  constructor({ url, keys, stop }) {
    this.url = url;
    this.secretKey = keys.test.secret;
    this.publishableKey = keys.test.publishable;
    this.clock = new Clock(this);
    this.#stop = stop;
  }

  /** Stop the instance, unless it is a server that ran before. */
  async stop() {
    await this.#stop();
  }

  /** Send a request with the secret key and return the response. Rejects with `RequestRefused` or `NoAnswer`. */
  async request(method, path, body) {
    const name = `${method} ${path}`;
    const headers = { Authorization: this.secretKey, 'Content-Type': 'application/json' };
    let status;
    let answer;
    try {
      const response = await fetch(this.url + path, { method, headers, body: body && JSON.stringify(body) });
      status = response.status;
      answer = await response.json();
    } catch (error) {
      throw new NoAnswer(`${name}: no complete answer: ${error.cause?.message ?? error.message}`);
    }
    if (status !== 200) throw new RequestRefused(name, status, answer.meta ?? {});
    return answer;
  }

  /** Restore the seed: geofences, users, settings and clock are reset, and events are deleted. */
  async reset() {
    await this.request('POST', '/v1/reset');
    this.#seen.clear();
    this.#explained = [];
  }

  /** Change settings, spelled as on the wire, and return all of them. */
  async settings(changes) {
    return (await this.request('PATCH', '/v1/settings', changes)).settings;
  }

  /** Create or update the geofence `tag/externalId`: a circle if `fields` has a radius, else a polygon. */
  async geofence(name, coordinates, fields = {}) {
    const type = fields.radius === undefined ? 'polygon' : 'circle';
    const body = { description: name, type, coordinates, ...fields };
    return (await this.request('PUT', `/v1/geofences/${path(name)}`, body)).geofence;
  }

  /** Send a location update, with further fields spelled as on the wire, and return the events that it causes. */
  async track(deviceId, longitude, latitude, fields = {}) {
    const body = { deviceId, longitude, latitude, accuracy: 10, ...fields };
    const answer = await this.request('POST', '/v1/track?explain=true', body);
    this.#explained.push(answer);
    return answer.events;
  }

  /** Return events, newest first. The parameters are those of `GET /v1/events`. */
  async events(query = {}) {
    return (await this.request('GET', `/v1/events?${new URLSearchParams(query)}`)).events;
  }

  /**
   * Wait up to `within` seconds for the next event of this type that no call has returned yet, and return it. `wanted`
   * may have `geofence`, `deviceId` and `confidence`. The error has the events that came, and the engine's reasons.
   */
  async expectEvent(type, { within = 5, ...wanted } = {}) {
    const [event] = await this.expectEvents([{ type, ...wanted }], { within });
    return event;
  }

  /**
   * Wait up to `within` seconds for events in this order that no call has returned yet, and return them. Each is a
   * type, or an object with `type`, `geofence`, `deviceId` and `confidence`. Events between them are ignored.
   */
  async expectEvents(wanted, { within = 5 } = {}) {
    const each = wanted.map((one) => (typeof one === 'string' ? { type: one } : one));
    if (each.length === 0) throw new TypeError('no events are given; expectNoEvent checks that none came');
    each.forEach(check);
    let found = [];
    for await (const events of this.#unseen(within)) {
      found = inOrder(each, events);
      if (found.length === each.length) {
        for (const event of found) this.#seen.add(event._id);
        return found;
      }
    }
    throw new Error(await this.#failure(`no ${words(each[found.length])} came`, each[found.length]));
  }

  /**
   * Fail if an event that no call has returned yet has come, or comes within this many seconds. `wanted` may have
   * `type`, `geofence`, `deviceId` and `confidence`.
   */
  async expectNoEvent({ within = 1, ...wanted } = {}) {
    check(wanted);
    if (wanted.geofence !== undefined) await this.request('GET', `/v1/geofences/${path(wanted.geofence)}`);
    for await (const events of this.#unseen(within)) {
      const came = events.find((event) => isWanted(wanted, event));
      if (came) throw new Error(await this.#failure(`an event came: ${line(came)}`, wanted));
    }
  }

  /** Yield the events that no call has returned yet, oldest first: at once, and again until these seconds have passed. */
  async *#unseen(within) {
    const deadline = Date.now() + within * 1000;
    for (;;) {
      const events = await this.events({ limit: MAX_EVENTS });
      yield events.reverse().filter((event) => !this.#seen.has(event._id));
      if (Date.now() >= deadline) return;
      await sleep(LOOK_EVERY_MS);
    }
  }

  async #failure(summary, wanted) {
    const events = (await this.events({ limit: 100 })).reverse().map((event) => `  ${line(event)}`);
    const reasons = this.#explained
      .slice(-3)
      .flatMap(({ user, explanations = [] }) => explanations.map((each) => ({ at: user.updatedAt, ...each })))
      .filter(({ geofence }) => wanted.geofence === undefined || nameOf(geofence) === wanted.geofence)
      .map(({ at, geofence, text }) => `  ${at} ${nameOf(geofence)}: ${text}`);
    return [
      summary,
      ...(events.length ? ['the events are:', ...events] : ['there are no events']),
      ...(reasons.length ? ['the reasons of the engine:', ...reasons] : []),
    ].join('\n');
  }
}

/** The clock of Test, which stands still until it is moved. */
class Clock {
  #served;

  constructor(served) {
    this.#served = served;
  }

  /** Return the current time of the clock. */
  async now() {
    return moment(await this.#served.request('GET', '/v1/clock'));
  }

  /** Set the clock to a time and stop it there. */
  async set(time) {
    return moment(await this.#served.request('POST', '/v1/clock', { now: new Date(time).toISOString(), frozen: true }));
  }

  /** Advance the clock. Everything that expires in the meantime has expired when this resolves. */
  async advance({ seconds = 0, minutes = 0 }) {
    return moment(await this.#served.request('POST', '/v1/clock', { advanceSeconds: seconds + 60 * minutes }));
  }
}

function moment(answer) {
  return new Date((answer.clock ?? answer).now);
}

/** Return the path of the geofence `tag/externalId`. */
function path(name) {
  const [, tag, externalId] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  if (!tag) throw new TypeError(`a geofence is named tag/externalId, such as store/1, not '${name}'`);
  return `${encodeURIComponent(tag)}/${encodeURIComponent(externalId)}`;
}

const FIELDS = ['type', 'geofence', 'deviceId', 'confidence'];

function check(wanted) {
  const unknown = Object.keys(wanted).filter((name) => !FIELDS.includes(name));
  if (unknown.length) throw new TypeError(`an event has ${FIELDS.join(', ')}, not ${unknown.join(', ')}`);
  if (wanted.geofence !== undefined) path(wanted.geofence);
}

function isWanted(wanted, event) {
  const found = {
    type: event.type,
    geofence: event.geofence && nameOf(event.geofence),
    deviceId: event.user?.deviceId,
    confidence: event.confidence,
  };
  return FIELDS.every((name) => wanted[name] === undefined || wanted[name] === found[name]);
}

/** Return the first events that match in the given order, as far as they came. */
function inOrder(wanted, events) {
  const found = [];
  for (const event of events) {
    if (found.length < wanted.length && isWanted(wanted[found.length], event)) found.push(event);
  }
  return found;
}

function nameOf({ tag = '', externalId = '' }) {
  return `${tag}/${externalId}`;
}

function line(event) {
  const geofence = event.geofence ? ` of ${nameOf(event.geofence)}` : '';
  const device = event.user?.deviceId ? ` by ${event.user.deviceId}` : '';
  return `${event.createdAt} ${event.type}${geofence}${device}, confidence ${event.confidence}`;
}

function words({ type = 'event', geofence, deviceId, confidence }) {
  const parts = [type];
  if (geofence !== undefined) parts.push(`of ${geofence}`);
  if (deviceId !== undefined) parts.push(`by ${deviceId}`);
  if (confidence !== undefined) parts.push(`with confidence ${confidence}`);
  return parts.join(' ');
}

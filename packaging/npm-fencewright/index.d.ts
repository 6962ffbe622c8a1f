/** Tests of geofences: a served instance of the installed Fencewright, and scenario files. */

type Body = Record<string, any>;
type Seed = Body | string;

export interface WantedEvent {
  type?: string;
  /** `tag/externalId`. */
  geofence?: string;
  deviceId?: string;
  confidence?: 1 | 2 | 3;
}

export interface Waiting {
  /** Seconds to wait at most. */
  within?: number;
}

export interface Clock {
  now(): Promise<Date>;
  set(time: Date | string): Promise<Date>;
  advance(by: { seconds?: number; minutes?: number }): Promise<Date>;
}

export class Fencewright {
  readonly url: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly clock: Clock;
  stop(): Promise<void>;
  reset(): Promise<void>;
  request(method: string, path: string, body?: Body): Promise<Body>;
  settings(changes: Body): Promise<Body>;
  geofence(name: string, coordinates: unknown[], fields?: Body): Promise<Body>;
  track(deviceId: string, longitude: number, latitude: number, fields?: Body): Promise<Body[]>;
  events(query?: Record<string, string>): Promise<Body[]>;
  expectEvent(type: string, wanted?: Omit<WantedEvent, 'type'> & Waiting): Promise<Body>;
  expectEvents(wanted: (string | WantedEvent)[], waiting?: Waiting): Promise<Body[]>;
  expectNoEvent(wanted?: WantedEvent & Waiting): Promise<void>;
}

export interface ScenarioResult {
  file: string;
  name: string;
  status: 'passed' | 'failed' | 'invalid';
  failures?: Body[];
  faults?: Body[];
  [field: string]: unknown;
}

export class NotStarted extends Error {}
export class NoAnswer extends Error {}
export class RequestRefused extends Error {
  readonly status: number;
  readonly meta: Body;
}

/** Start an instance with a seed or the path of its file, or use the server in `FENCEWRIGHT`. */
export function startFencewright(options?: { seed?: Seed }): Promise<Fencewright>;

/** Run scenario files, and folders that contain some. */
export function runScenarios(...paths: string[]): Promise<ScenarioResult[]>;

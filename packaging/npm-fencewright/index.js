/** Tests of geofences: a served instance of the installed Fencewright, and scenario files. */

export { NotStarted, runScenarios } from './program.js';
export { Fencewright, NoAnswer, RequestRefused, startFencewright } from './served.js';

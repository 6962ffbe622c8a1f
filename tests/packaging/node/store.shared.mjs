/** The tests of a store, with the functions of a test runner. */

import assert from 'node:assert/strict';

import { NoAnswer, RequestRefused, runScenarios, startFencewright } from 'fencewright';

export function testStore({ test, before, beforeEach, after }) {
  let server;
  before(async () => {
    server = await startFencewright();
  });
  beforeEach(async () => {
    await server.reset();
    await server.geofence('store/1', [1.0828, 51.2798], { radius: 100 });
  });
  after(() => server?.stop());

  test('a visitor enters the store', async () => {
    const events = await server.track('phone-1', 1.0828, 51.2798, { accuracy: 12 });
    assert.deepEqual(events.map((event) => event.type), ['user.entered_geofence']);
    const event = await server.expectEvent('user.entered_geofence', { geofence: 'store/1', confidence: 3 });
    assert.equal(event.user.deviceId, 'phone-1');
    await assert.rejects(server.expectEvent('user.entered_geofence', { within: 0 }), /no user.entered_geofence came/);
    await server.expectNoEvent({ within: 0 });
  });

  test('a visitor who stays dwells', async () => {
    await server.settings({ dwellEvent: true, defaultDwellThreshold: 5 });
    const begun = await server.clock.now();
    assert.equal(begun.toISOString(), '2026-01-05T12:00:00.000Z');
    await server.track('phone-1', 1.0828, 51.2798);
    const later = await server.clock.advance({ minutes: 6 });
    assert.equal(later - begun, 360_000);
    await server.track('phone-1', 1.0828, 51.2798);
    await server.expectEvents(['user.entered_geofence', { type: 'user.dwelled_in_geofence', geofence: 'store/1' }]);
  });

  test('a missing event is explained', async () => {
    await server.settings({ stopDetection: true });
    await server.track('phone-1', 1.0828, 51.2798);
    await assert.rejects(
      server.expectEvent('user.entered_geofence', { geofence: 'store/1', within: 0 }),
      /store\/1: entry withheld: stop detection is on/,
    );
  });

  test('an unexpected event is named', async () => {
    setTimeout(() => server.track('phone-1', 1.0828, 51.2798), 200);
    await assert.rejects(server.expectNoEvent({ within: 20 }), /an event came: .* of store\/1 by phone-1, confidence 3/);
  });

  test('errors name what is wrong', async () => {
    await assert.rejects(server.geofence('store', [1, 51], { radius: 100 }), /named tag\/externalId/);
    await assert.rejects(server.expectEvent('user.entered_geofence', { geofences: 1 }), /not geofences/);
    await assert.rejects(server.expectNoEvent({ geofence: 'store/2' }), (error) => error instanceof RequestRefused && error.status === 404);
    await server.request('POST', '/v1/faults', { kind: 'drop', path: '/v1/track' });
    await assert.rejects(server.track('phone-1', 1.0828, 51.2798), NoAnswer);
  });

  test('scenarios are run', async () => {
    const [result] = await runScenarios('visit.fence.yaml');
    assert.equal(result.status, 'passed', JSON.stringify(result));
  });
}

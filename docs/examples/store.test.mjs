import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

const { RADAR_HOST: host, RADAR_SECRET_KEY: key } = process.env;

async function radar(method, path, body) {
  const headers = { Authorization: key, 'Content-Type': 'application/json' };
  const response = await fetch(host + path, { method, headers, body: JSON.stringify(body) });
  assert.equal(response.status, 200);
  return response.json();
}

beforeEach(() => radar('POST', '/v1/reset'));

for (const visitor of ['phone-2', 'phone-3', 'phone-2']) {
  test(`${visitor} enters the store`, async () => {
    const { events } = await radar('POST', '/v1/track', {
      deviceId: visitor, latitude: 51.2798, longitude: 1.0828, accuracy: 12,
    });
    assert.deepEqual(events.map((event) => event.type), ['user.entered_geofence']);
  });
}

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const { stdout } = spawnSync('fencewright', ['test', 'scenarios', '--json'], { encoding: 'utf8' });

for (const { name, status, failures = [], faults = [] } of JSON.parse(stdout).scenarios) {
  test(name, () => assert.equal(status, 'passed', JSON.stringify([...failures, ...faults], null, 2)));
}

import { afterAll, beforeAll, beforeEach, test } from 'vitest';

import { testStore } from './store.shared.mjs';

testStore({ test: (name, body) => test(name, body, 60_000), before: (body) => beforeAll(body, 60_000), beforeEach, after: afterAll });

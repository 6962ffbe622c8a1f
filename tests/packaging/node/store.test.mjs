import { after, before, beforeEach, test } from 'node:test';

import { testStore } from './store.shared.mjs';

testStore({ test, before, beforeEach, after });

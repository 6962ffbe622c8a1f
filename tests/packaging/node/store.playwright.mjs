import { test } from '@playwright/test';

import { testStore } from './store.shared.mjs';

testStore({ test, before: test.beforeAll, beforeEach: test.beforeEach, after: test.afterAll });

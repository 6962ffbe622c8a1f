// Opens a page in Chromium and prints what happened there, as JSON. The job comes in on standard input; see chromium.py.
import { text } from "node:stream/consumers";
import process from "node:process";

import { chromium } from "playwright-core";

const RESULT = "result:";

/** Note a page's console, errors and requests while they come in, and return a promise of its result. */
function listen(page, seen) {
  const asked = new Map();
  const note = (request, what) => {
    if (!asked.has(request)) {
      asked.set(request, { method: request.method(), url: request.url(), kind: request.resourceType() });
      seen.requests.push(asked.get(request));
    }
    Object.assign(asked.get(request), what);
  };
  page.on("pageerror", error => seen.errors.push(String(error.stack ?? error)));
  page.on("requestfailed", request => note(request, { failure: request.failure()?.errorText ?? "failed" }));
  page.on("response", answer => note(answer.request(), { status: answer.status(), headers: answer.headers() }));
  return new Promise(resolve => {
    page.on("console", message => {
      const said = message.text();
      if (said.startsWith(RESULT)) resolve(JSON.parse(said.slice(RESULT.length)));
      else seen.console.push(said);
    });
    page.on("crash", () => seen.errors.push("The page crashed."));
  });
}

async function visit(job) {
  const seen = { result: null, console: [], errors: [], requests: [] };
  const context = await chromium.launchPersistentContext(job.profile, {
    executablePath: job.chromium,
    args: job.arguments,
    headless: true,
    chromiumSandbox: false,
    viewport: job.viewport,
    ...(job.geolocation && { geolocation: job.geolocation, permissions: ["geolocation"] }),
  });
  try {
    const page = context.pages()[0] ?? await context.newPage();
    await page.exposeFunction("moveTo", position => context.setGeolocation(position));
    const told = listen(page, seen);
    await page.goto(job.url);
    let timer;
    const late = new Promise(resolve => { timer = setTimeout(resolve, job.timeout_ms, undefined); });
    const result = await Promise.race([told, late]);
    clearTimeout(timer);
    if (job.picture) await page.screenshot({ path: job.picture });
    if (result === undefined) seen.errors.push("The page gave no result in time.");
    else seen.result = result;
  } finally {
    await context.close();
  }
  return seen;
}

process.stdout.write(JSON.stringify(await visit(JSON.parse(await text(process.stdin)))));

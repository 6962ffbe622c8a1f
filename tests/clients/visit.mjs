// Opens a page in Chromium and prints the outcome as JSON. The job is read from standard input; see chromium.py.
import { text } from "node:stream/consumers";
import process from "node:process";

import { chromium } from "playwright-core";

const RESULT = "result:";

/** Record the console messages, errors and requests of a page, and return a promise of its result. */
function listen(page, outcome) {
  const recorded = new Map();
  const record = (request, fields) => {
    if (!recorded.has(request)) {
      recorded.set(request, { method: request.method(), url: request.url(), kind: request.resourceType() });
      outcome.requests.push(recorded.get(request));
    }
    Object.assign(recorded.get(request), fields);
  };
  page.on("pageerror", error => outcome.errors.push(String(error.stack ?? error)));
  page.on("requestfailed", request => record(request, { failure: request.failure()?.errorText ?? "failed" }));
  page.on("response", response => {
    record(response.request(), { status: response.status(), headers: response.headers() });
  });
  return new Promise(resolve => {
    page.on("console", message => {
      const line = message.text();
      if (line.startsWith(RESULT)) resolve(JSON.parse(line.slice(RESULT.length)));
      else outcome.console.push(line);
    });
    page.on("crash", () => outcome.errors.push("The page crashed."));
  });
}

async function visit(job) {
  const outcome = { result: null, console: [], errors: [], requests: [] };
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
    await page.exposeFunction("typeText", typed => page.keyboard.type(typed, { delay: 20 }));
    await page.exposeFunction("pressKey", key => page.keyboard.press(key));
    await page.exposeFunction("clickOn", selector => page.click(selector));
    const reported = listen(page, outcome);
    await page.goto(job.url);
    let timer;
    const timeout = new Promise(resolve => { timer = setTimeout(resolve, job.timeout_ms, undefined); });
    const result = await Promise.race([reported, timeout]);
    clearTimeout(timer);
    if (job.picture) await page.screenshot({ path: job.picture });
    if (result === undefined) outcome.errors.push("The page gave no result in time.");
    else outcome.result = result;
  } finally {
    await context.close();
  }
  return outcome;
}

process.stdout.write(JSON.stringify(await visit(JSON.parse(await text(process.stdin)))));

/**
 * The installed program: the command in FENCEWRIGHT, else fencewright on the PATH. It is a program of its own, which
 * this package starts and does not contain.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_MS = 60_000;
const STOP_MS = 20_000;

/** The program was not found, or it ended before it could be used. */
export class NotStarted extends Error {
  name = 'NotStarted';
}

/** Whether FENCEWRIGHT is the address of a running server instead of a command. */
export function isAddress(value) {
  return /^https?:\/\//.test(value);
}

/**
 * Run scenario files, and folders that contain some, and return the result of each:
 * `{file, name, status, failures, faults, …}`, as `fencewright test --json` prints them.
 */
export async function runScenarios(...paths) {
  const child = start(['test', '--json', ...paths], ['ignore', 'pipe', 'pipe']);
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)]);
  try {
    return JSON.parse(output).scenarios;
  } catch {
    throw new NotStarted(`'fencewright test' has not run: ${errors.trim() || `exit code ${code}, without a message`}`);
  }
}

/** Start a server with an empty workspace and a seed, and return its address, its keys, and the function to stop it. */
export async function serve(seed) {
  const folder = await mkdtemp(join(tmpdir(), 'fencewright-'));
  const ready = join(folder, 'ready.json');
  let file = seed;
  if (typeof seed !== 'string') {
    file = join(folder, 'seed.json');
    await writeFile(file, JSON.stringify(seed));
  }
  const options = ['--workspace', ':memory:', '--port', '0', '--seed', file, '--ready-file', ready, '--stop-on-eof'];
  // If the tests are killed, their end of the pipe closes, and the server exits, too.
  const child = start(['serve', ...options], ['pipe', 'ignore', 'pipe']);
  const end = ended(child);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (part) => (log = (log + part).slice(-10_000)));

  async function stop() {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await end.catch(() => {});
    clearTimeout(timer);
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await Promise.race([
      written(ready),
      end.then(() => {
        throw new NotStarted(`fencewright has not started: ${log.trim() || 'it said nothing'}`);
      }),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  // The process of the tests may end although nothing stops the server, which then sees the end of its input.
  child.unref();
  child.stdin.unref();
  child.stderr.unref();
  return { ...JSON.parse(await readFile(ready, 'utf8')), stop };
}

function start(args, stdio) {
  const [command, ...first] = words(process.env.FENCEWRIGHT ?? '');
  return spawn(command ?? 'fencewright', [...first, ...args], { stdio, windowsHide: true });
}

/** Return the words of a command, of which those in quotes may contain spaces. */
function words(command) {
  if (isAddress(command)) return [];
  return Array.from(command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g), ([, double, single, bare]) => double ?? single ?? bare);
}

async function ended(child) {
  try {
    return await once(child, 'close');
  } catch (error) {
    const given = process.env.FENCEWRIGHT;
    const what = given ? `FENCEWRIGHT is '${given}', which cannot be run` : 'there is no command fencewright';
    const way = "install Fencewright, or set FENCEWRIGHT to its command or to a server's address";
    throw new NotStarted(`${what} (${error.code}); ${way}`);
  }
}

async function written(file) {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    if (await access(file).then(() => true, () => false)) return;
    await sleep(50);
  }
  throw new NotStarted(`fencewright has not started within ${START_MS / 1000} s`);
}

async function text(stream) {
  let all = '';
  for await (const part of stream.setEncoding('utf8')) all += part;
  return all;
}

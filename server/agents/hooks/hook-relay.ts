/**
 * The program a client runs for each hook: passes its input on to the daemon, prints the daemon's
 * decision, and is otherwise silent. If anything goes wrong, it exits with 0 and no output: a dead
 * daemon never blocks or disturbs an agent. Imports little, because a turn may wait for its start.
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The daemon's limit for one request. */
const MAX_BYTES = 1024 * 1024;
/** How long an ordinary event may delay its turn. */
const ORDINARY_MS = 2_000;
/** Pause before the next attempt to reach a daemon that disappeared while a person was being asked. */
const RETRY_AFTER_MS = 2_000;
/** A daemon away for longer will not return for this question; the terminal still asks it. */
const AWAY_LIMIT_MS = 10 * 60_000;

/**
 * In what Loopwatch started, which has hooks of its own: that of the user's settings is silent there.
 */
const OWN_MARKS = [
  'LOOPWATCH_TERMINAL_ID',
  'LOOPWATCH_RUN',
  'LOOPWATCH_TURN',
  'LOOPWATCH_LOOP_CHECK',
];

type Outcome =
  | { kind: 'answered'; body: string }
  /** A retry would have the same result. */
  | { kind: 'refused' }
  /** `isReached`: there was a daemon at first. */
  | { kind: 'broken'; isReached: boolean };

process.on('uncaughtException', () => process.exit(0));
process.on('unhandledRejection', () => process.exit(0));
await relay(process.argv[2] ?? '');
process.exit(0);

async function relay(runFile: string): Promise<void> {
  const payload = await readInput();
  if (payload === null) return;
  const { hook_event_name: event } = JSON.parse(payload) as { hook_event_name?: unknown };
  if (event !== 'PermissionRequest') {
    await post(runFile, payload, ORDINARY_MS);
    return;
  }
  const isOfUser = readJson(runFile)?.['from'] === 'any_session';
  if (isOfUser && !mayAsk()) return;
  let reachedAt = performance.now();
  let wasReached = false;
  while (performance.now() - reachedAt < AWAY_LIMIT_MS) {
    const askedAt = performance.now();
    const outcome = await post(runFile, payload, null);
    if (outcome.kind === 'answered') await printDecision(outcome.body);
    if (outcome.kind !== 'broken') return;
    wasReached ||= outcome.isReached;
    // A daemon that is away asks no one, and the dialog is open.
    if (isOfUser && !wasReached) return;
    // A connection that lasted was to a daemon that listened.
    if (performance.now() - askedAt > RETRY_AFTER_MS) reachedAt = performance.now();
    await sleep(RETRY_AFTER_MS);
  }
}

/** A client in print mode has no dialog, and would wait for the answer. */
function mayAsk(): boolean {
  const { env } = process;
  const isPrint = env['CLAUDE_CODE_ENTRYPOINT']?.startsWith('sdk') === true;
  return !isPrint && OWN_MARKS.every((name) => env[name] === undefined);
}

/** Null when it exceeds the daemon's limit. */
async function readInput(): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Posts to the current daemon; without a limit it may take as long as a person. */
async function post(runFile: string, payload: string, limitMs: number | null): Promise<Outcome> {
  // Read on every attempt: a restarted daemon has another port. Without a run file the run is over.
  const run = readJson(runFile);
  if (run === null) return { kind: 'refused' };
  const url = daemonUrl(String(run['daemon']));
  if (url === null) return { kind: 'broken', isReached: false };
  return new Promise((resolve) => {
    const call = request(new URL('/api/hooks', url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${String(run['capability'])}`,
        'content-type': 'application/json',
        'loopwatch-pid': String(process.pid),
        'content-length': Buffer.byteLength(payload),
      },
      ...(limitMs === null ? {} : { signal: AbortSignal.timeout(limitMs) }),
    });
    let isReached = false;
    call.on('socket', (socket) => socket.on('connect', () => (isReached = true)));
    call.on('error', () => resolve({ kind: 'broken', isReached }));
    call.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('error', () => resolve({ kind: 'broken', isReached }));
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BYTES) call.destroy();
        else chunks.push(chunk);
      });
      response.on('end', () => {
        const { statusCode = 0 } = response;
        if (statusCode >= 500) resolve({ kind: 'broken', isReached });
        else if (statusCode !== 200) resolve({ kind: 'refused' });
        else resolve({ kind: 'answered', body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    call.end(payload);
  });
}

/** Any other answer is not for the client, which would treat it as a message. */
async function printDecision(body: string): Promise<void> {
  const answer = JSON.parse(body) as { hookSpecificOutput?: unknown };
  if (typeof answer.hookSpecificOutput !== 'object') return;
  await new Promise((resolve) => process.stdout.write(`${body}\n`, resolve));
}

/**
 * Null without a daemon; after kill -9 its file remains, and its port may belong to another
 * program.
 */
function daemonUrl(file: string): string | null {
  const daemon = readJson(file);
  if (typeof daemon?.['url'] !== 'string' || typeof daemon['pid'] !== 'number') return null;
  try {
    process.kill(daemon['pid'], 0);
    return daemon['url'];
  } catch {
    return null;
  }
}

function readJson(file: string): Record<string, unknown> | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch {
    return null;
  }
}

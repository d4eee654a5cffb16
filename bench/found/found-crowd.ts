/** Processes that are sessions of an agent's client to a daemon, and only wait. Disposing ends them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, copyFileSync, mkdirSync, openSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readProcess } from '../../server/lib/processes/process-identity.ts';

export type CrowdClient = 'claude' | 'codex' | 'gemini';

interface Crowd extends Disposable {
  size: number;
}

/** `root`: of the rig; each session works in a directory of its own. */
export function startCrowd(root: string, client: CrowdClient, size: number): Crowd {
  const children = Array.from({ length: size }, (_, n) => {
    const cwd = join(root, 'tasks', `found${n}`);
    mkdirSync(cwd);
    return START[client](root, cwd, n);
  });
  return {
    size,
    [Symbol.dispose]: () => children.forEach((child) => child.kill('SIGKILL')),
  };
}

const START: Record<CrowdClient, (root: string, cwd: string, n: number) => ChildProcess> = {
  claude(root, cwd) {
    const child = wait(root, 'claude-client', cwd, []);
    const pid = child.pid ?? 0;
    const record = {
      pid,
      procStart: readProcess(pid)?.startedAt ?? '',
      sessionId: randomUUID(),
      cwd,
      status: 'idle',
      kind: 'interactive',
      entrypoint: 'cli',
      updatedAt: Date.now() - IDLE_MS,
    };
    const file = join(root, 'user/.claude/sessions', `${pid}.json`);
    write(file, record);
    return child;
  },
  codex(root, cwd) {
    const id = randomUUID();
    const timestamp = new Date().toISOString();
    const payload = {
      id,
      timestamp,
      cwd,
      originator: 'codex-tui',
      source: 'cli',
      cli_version: '1',
    };
    const name = `rollout-2026-11-25T18-00-00-${id}.jsonl`;
    const file = join(root, 'user/.codex/sessions/2026/11/25', name);
    write(file, { timestamp, type: 'session_meta', payload });
    const opened = openSync(file, 'a');
    const child = wait(root, 'codex', cwd, [], opened);
    closeSync(opened);
    return child;
  },
  gemini(root, cwd, n) {
    const script = join(root, 'npm/@google/gemini-cli/bundle/gemini.js');
    write(script, {});
    const child = wait(root, 'node', cwd, [script]);
    const directory = join(root, 'user/.gemini/tmp', `found${n}`);
    const sessionId = randomUUID();
    const projects = Object.fromEntries(
      Array.from({ length: n + 1 }, (_, each) => [
        join(dirname(cwd), `found${each}`),
        `found${each}`,
      ]),
    );
    write(join(root, 'user/.gemini/projects.json'), { projects });
    const chat = join(
      directory,
      'chats',
      `session-2026-11-25T18-44-${sessionId.slice(0, 8)}.jsonl`,
    );
    const startTime = new Date(Date.now() + IDLE_MS).toISOString();
    const projectHash = createHash('sha256').update(cwd).digest('hex');
    write(chat, { sessionId, projectHash, startTime, lastUpdated: startTime, kind: 'main' });
    writeFileSync(join(directory, '.project_root'), cwd);
    return child;
  },
};

/** Long before it was found. */
const IDLE_MS = 60_000;

function write(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(content)}\n`);
}

/** A process with that name of its executable, waiting for its input; it ends with the bench. */
function wait(root: string, name: string, cwd: string, words: string[], open?: number) {
  const executable = join(root, 'vendor', name);
  mkdirSync(dirname(executable), { recursive: true });
  if (!made.has(executable)) copyFileSync(realpathSync('/bin/cat'), executable);
  made.add(executable);
  const more = open === undefined ? [] : [open];
  return spawn(executable, [...words, '-'], { cwd, stdio: ['pipe', 'ignore', 'ignore', ...more] });
}

const made = new Set<string>();

/** The compiled stand-in, run without a terminal or in a real one; what a test starts ends with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as pty from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import { until } from '../house/until.ts';

const PROGRAM = path.resolve('dist/stand-in/main.js');

/** Removed when the test is over. */
export function temporaryDirectory(): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwatch-stand-in-'));
  onTestFinished(() => fs.rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A task whose scenario has these steps; without steps it has no scenario. */
export function task(steps?: object[], more: object = {}): string {
  const directory = temporaryDirectory();
  const scenario = JSON.stringify({ steps, ...more });
  if (steps) fs.writeFileSync(path.join(directory, 'stand-in.json'), scenario);
  return directory;
}

function environment(extra: Record<string, string>): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: os.tmpdir(),
    TERM: 'xterm-256color',
    CLAUDE_CONFIG_DIR: extra.CLAUDE_CONFIG_DIR ?? temporaryDirectory(),
    LOOPWATCH_STAND_IN_STEP_MS: '20',
    ...extra,
  };
}

/** Without a terminal. */
export function launch(words: readonly string[], extra: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...words], { env: environment(extra) });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
  const closed = once(child, 'close').then(([code, signal]) => {
    return { code: code as number | null, signal: signal as string | null, ...output };
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  return { child, output, closed };
}

/** In a real terminal. */
export function openTerminal(words: readonly string[], extra: Record<string, string> = {}) {
  const terminal = pty.spawn(process.execPath, [PROGRAM, ...words], { env: environment(extra) });
  let running = true;
  let output = '';
  let lastAt = Infinity;
  let longestGapMs = 0;
  terminal.onData((data) => {
    longestGapMs = Math.max(longestGapMs, performance.now() - lastAt);
    lastAt = performance.now();
    output += data;
  });
  const exited = new Promise<number>((resolve) => {
    terminal.onExit(({ exitCode }) => resolve(exitCode));
  }).finally(() => {
    running = false;
  });
  onTestFinished(async () => {
    if (running) terminal.kill('SIGKILL');
    await exited;
  });
  return {
    terminal,
    exited,
    output: () => output,
    longestGapMs: () => longestGapMs,
    shows: (text: string) =>
      until(
        `it shows ${text}`,
        () => output.includes(text),
        () => output,
      ),
  };
}

/** The command that starts the loop of a task. */
export const auto = (directory: string): string => `/moonview:auto ${directory}`;

export function readJson(directory: string, name: string): Record<string, unknown> {
  return JSON.parse(fs.readFileSync(path.join(directory, name), 'utf8')) as Record<string, unknown>;
}

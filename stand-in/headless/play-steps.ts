/** Plays the steps of one turn and reports them in the stream. */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { nowMs, pause } from '../clock.ts';
import { commitAll } from '../files/commit-all.ts';
import type { Step } from './directives.ts';
import { type End, NO_USAGE, type Stream, type StreamUsage } from './stream.ts';

export interface Played {
  end: End;
  used: StreamUsage;
  /** How long something runs in the background after the result; null for nothing. */
  backgroundMs: number | null;
  /** The process stays after its result. */
  stays: boolean;
}

const DEFAULT_USED: StreamUsage = { inputTokens: 1500, outputTokens: 20, costUsd: 0.0064 };
const FOREVER_MS = 2 ** 31 - 1;

/**
 * Plays the steps until one ends the turn. Rejects when `abort` fires, and for a step that cannot
 * be done. `turnDeaf` makes the process ignore every signal to stop.
 */
export async function playSteps(
  steps: readonly Step[],
  stream: Stream,
  abort: AbortSignal,
  turnDeaf: () => void,
): Promise<Played> {
  let text = '';
  let stays = false;
  let backgroundMs: number | null = null;
  const used = { ...DEFAULT_USED };
  // An API error costs nothing.
  const ended = (end: End): Played => {
    return { end, used: end.isError ? NO_USAGE : used, backgroundMs, stays };
  };
  for (const step of steps) {
    switch (step.do) {
      case 'say':
        text = step.text;
        stream.say(text);
        break;
      case 'ask':
      case 'review':
        stream.say(step.text);
        return ended(completed(step.text));
      case 'write':
        write(step.file, step.text);
        stream.tool('Write', { file_path: step.file, content: step.text }, 'File written.');
        break;
      case 'commit':
        stream.tool('Bash', { command: `git commit -m "${step.text}"` }, commitAll(step.text));
        break;
      case 'tool':
        stream.tool(step.name, step.input, 'ok');
        break;
      case 'deny':
        stream.deny(step.tool);
        break;
      case 'wait':
        await pause(step.amount, abort);
        break;
      case 'background':
        backgroundMs = step.amount;
        stream.background(1);
        break;
      case 'hang':
        await delay(FOREVER_MS, undefined, { signal: abort });
        break;
      case 'hang-after-result':
        stays = true;
        break;
      case 'deaf':
        turnDeaf();
        break;
      case 'huge':
        stream.say('x'.repeat(step.amount));
        break;
      case 'stderr':
        process.stderr.write('e'.repeat(step.amount));
        break;
      case 'spawn':
        spawn('sleep', ['3600'], { detached: true, stdio: 'ignore' }).unref();
        break;
      case 'cost':
        used.costUsd = step.amount;
        break;
      case 'context':
        stream.fill(step.amount);
        break;
      case 'compact-fails':
        break;
      case 'tokens':
        used.outputTokens = step.amount;
        break;
      case 'cut':
        stream.cut();
        return process.exit(1);
      case 'crash':
        return process.exit(step.amount);
      case 'limit':
        return ended(limitEnd(step.amount, stream));
      case 'overload':
        stream.retry(529, 'overloaded');
        return ended(apiError(529, 'API Error: 529 Overloaded. Try again in a moment.', stream));
      case 'odd-error':
        return ended(apiError(200, 'API Error: API returned a malformed response', stream));
      case 'auth-error':
        return ended(loginEnd('Invalid API key · Fix external API key', stream));
    }
  }
  return ended(completed(text));
}

/** A round that succeeded, with the agent's last text. */
export function completed(text: string): End {
  const [terminalReason, subtype] = ['completed', 'success'] as const;
  return { text, isError: false, subtype, terminalReason, status: null, errors: [] };
}

function apiError(status: number, text: string, stream: Stream): End {
  stream.say(text);
  const [terminalReason, subtype] = ['api_error', 'success'] as const;
  return { text, isError: true, subtype, terminalReason, status, errors: [] };
}

function limitEnd(seconds: number, stream: Stream): End {
  return limitUntil(Math.floor(nowMs() / 1000) + seconds, 'five_hour', stream);
}

/** A request that the plan refuses; `resetsAt` in seconds since 1970. */
export function limitUntil(
  resetsAt: number,
  window: 'five_hour' | 'seven_day',
  stream: Stream,
): End {
  stream.limit(resetsAt, window);
  const time = new Date(resetsAt * 1000).toISOString().slice(11, 16);
  const name = window === 'five_hour' ? '5-hour' : 'weekly';
  return apiError(429, `You've hit your ${name} limit · resets ${time} (UTC)`, stream);
}

export function loginEnd(text: string, stream: Stream): End {
  stream.retry(401, 'authentication_failed');
  return apiError(401, text, stream);
}

function write(file: string, text: string): void {
  const target = path.resolve(file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `${text}\n`);
}

/** The account that the client of this user is logged in with, as its own state says. */
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../lib/clock.ts';
import { markOf, readHostileFile } from '../../lib/files/hostile-file.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { configDirectory } from './config-directories.ts';

/** The client's own state of many projects has some megabytes. */
const MAX_STATE_BYTES = 32 * 1024 * 1024;
/** The client writes its state all the time, and rarely another account into it. */
const READ_EVERY_MS = 5 * 60_000;
/** Variables that replace the login: what is billed is not known then. */
export const LOGIN_VARIABLES = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
] as const;

const State = z.looseObject({
  oauthAccount: z.looseObject({ accountUuid: z.string().optional() }).optional(),
});

/** The files in which the client may keep it. */
export function statePaths(environment: NodeJS.ProcessEnv): string[] {
  const home = environment['HOME'] ?? homedir();
  const paths = [join(configDirectory(environment), '.claude.json'), join(home, '.claude.json')];
  return [...new Set(paths)];
}

/** Null: no account is in that file. */
export function accountIn(path: string): { uuid: string | null } | null {
  const file = readHostileFile(path, MAX_STATE_BYTES);
  const state = State.safeParse(file.kind === 'text' ? parseJson(file.text) : null).data;
  return state?.oauthAccount === undefined
    ? null
    : { uuid: state.oauthAccount.accountUuid ?? null };
}

export class ClientAccount {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #clock: Clock;
  #known: { key: string | null; marks: string; readMs: number } | null = null;

  /** `environment`: of the clients. */
  constructor(environment: NodeJS.ProcessEnv, clock: Clock) {
    this.#environment = environment;
    this.#clock = clock;
  }

  /** The same on every machine with that account, and says nothing of it; null when not known. */
  get key(): string | null {
    if (LOGIN_VARIABLES.some((name) => (this.#environment[name] ?? '') !== '')) return null;
    const nowMs = this.#clock.monotonic();
    if (this.#known !== null && nowMs - this.#known.readMs < READ_EVERY_MS) return this.#known.key;
    const paths = statePaths(this.#environment);
    const marks = paths.map((path) => markOf(path) ?? '').join(' ');
    const key = this.#known?.marks === marks ? this.#known.key : keyIn(paths);
    this.#known = { key, marks, readMs: nowMs };
    return key;
  }
}

function keyIn(paths: readonly string[]): string | null {
  for (const path of paths) {
    const uuid = accountIn(path)?.uuid ?? null;
    if (uuid !== null) return createHash('sha256').update(uuid).digest('hex').slice(0, 32);
  }
  return null;
}

/** Hooks and status line of a `--settings` file, run as the real client does: a shell line, JSON on its input. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** How long a client waits for a hook when it is about to exit. */
const LAST_HOOK_MS = 1_500;
/** Long, because what it reports decides whether work may begin, and a machine may be slow. */
const STATUS_LINE_MS = 30_000;

const Settings = z.looseObject({
  hooks: z
    .record(
      z.string(),
      z.array(z.looseObject({ hooks: z.array(z.looseObject({ command: z.string() })) })),
    )
    .default({}),
  statusLine: z.looseObject({ command: z.string() }).optional(),
});

const Decision = z.looseObject({
  hookSpecificOutput: z.looseObject({
    decision: z.looseObject({
      behavior: z.enum(['allow', 'deny']),
      message: z.string().optional(),
      updatedInput: z
        .looseObject({ answers: z.record(z.string(), z.string()).optional() })
        .optional(),
    }),
  }),
});
export type HookDecision = z.infer<typeof Decision>['hookSpecificOutput']['decision'];

export class Hooks {
  readonly #commands: ReadonlyMap<string, readonly string[]>;
  readonly #statusLine: string | null;
  #common: Record<string, unknown>;
  readonly #asked = new Set<ChildProcess>();

  /** Without a file, or with one that cannot be read, no hook runs. */
  constructor(settingsFile: string | null, sessionId: string) {
    const settings = readSettings(settingsFile);
    this.#commands = commandsByEvent(settings);
    this.#statusLine = settings?.statusLine?.command ?? null;
    this.#common = { session_id: sessionId, transcript_path: '', cwd: process.cwd() };
  }

  get conversation(): string {
    return String(this.#common['session_id']);
  }

  /** From now on they report another conversation. */
  renew(sessionId: string): void {
    this.#common = { ...this.#common, session_id: sessionId };
  }

  /** Runs the hooks of an event in parallel to the turn. */
  fire(event: string, more: Record<string, unknown> = {}): void {
    for (const command of this.#commandsOf(event)) this.#start(command, event, more);
  }

  /** Passes the status line its newest state, and waits until it has it. */
  showStatus(state: Record<string, unknown>): void {
    if (this.#statusLine === null) return;
    const input = this.#payload('Status', state);
    spawnSync('/bin/sh', ['-c', this.#statusLine], {
      input,
      timeout: STATUS_LINE_MS,
      stdio: 'pipe',
    });
  }

  /** Runs the hooks of an event to their end: the process exits after it. */
  fireLast(event: string, more: Record<string, unknown>): void {
    for (const child of this.#asked) stop(child);
    for (const command of this.#commandsOf(event)) {
      const input = this.#payload(event, more);
      spawnSync('/bin/sh', ['-c', command], { input, timeout: LAST_HOOK_MS, stdio: 'pipe' });
    }
  }

  /**
   * Runs the hooks of PermissionRequest; resolves with the first decision, or never. As with the
   * real client, a hook outlives a "yes" at the keyboard; only the end of the turn ends it.
   */
  async decide(more: Record<string, unknown>, turn: AbortSignal): Promise<HookDecision> {
    return new Promise((resolve) => {
      for (const command of this.#commandsOf('PermissionRequest')) {
        const child = this.#start(command, 'PermissionRequest', more);
        this.#asked.add(child);
        turn.addEventListener('abort', () => stop(child));
        let output = '';
        child.stdout?.on('data', (data) => (output += String(data)));
        child.on('close', () => {
          this.#asked.delete(child);
          const decision = parseDecision(output);
          if (decision !== null) resolve(decision);
        });
      }
    });
  }

  #commandsOf(event: string): readonly string[] {
    return this.#commands.get(event) ?? [];
  }

  #start(command: string, event: string, more: Record<string, unknown>): ChildProcess {
    // Its own group, so that the shell's children end with it.
    const child = spawn('/bin/sh', ['-c', command], {
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    child.stdin.end(this.#payload(event, more));
    return child;
  }

  #payload(event: string, more: Record<string, unknown>): string {
    return JSON.stringify({ ...this.#common, hook_event_name: event, ...more });
  }
}

function readSettings(file: string | null): z.infer<typeof Settings> | null {
  if (file === null) return null;
  try {
    return Settings.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function commandsByEvent(settings: z.infer<typeof Settings> | null): Map<string, string[]> {
  return new Map(
    Object.entries(settings?.hooks ?? {}).map(([event, entries]) => [
      event,
      entries.flatMap((entry) => entry.hooks.map(({ command }) => command)),
    ]),
  );
}

function parseDecision(output: string): HookDecision | null {
  try {
    return Decision.parse(JSON.parse(output)).hookSpecificOutput.decision;
  } catch {
    return null;
  }
}

function stop(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    // It ended on its own.
  }
}

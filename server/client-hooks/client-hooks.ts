/**
 * Hooks in the user's own settings of the client, by choice: from then on it relays permissions and
 * questions of all its sessions. They are installed with a backup and removed without a trace.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ClientHooks as View } from '../../shared/schema/agents/client-hooks.ts';
import { type ClientVersion, compareVersions, formatVersion } from '../agents/client-version.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { AppError, messageOf } from '../lib/app-error.ts';
import { DAEMON_FILE } from '../lib/files/daemon-file.ts';
import {
  commandsOf,
  type Edited,
  type HookCommand,
  withEntry,
  withoutEntries,
} from './relay-entry.ts';
import { readSettingsFile, type SettingsFile, writeSettingsFile } from './settings-file.ts';

/** The oldest version that knows the event; an older one would not start with it. */
const SINCE: ClientVersion = { major: 2, minor: 0, patch: 76 };
/** Seconds: a day. It runs next to the dialog, which does not wait for it. */
const TIMEOUT_S = 86_400;
const DIRECTORY = 'client-hooks';
/** Read by each relay; without it, a hook does nothing. */
const RELAY_FILE = 'hook.json';
const BACKUP_FILE = 'settings-backup.json';
const STATE_FILE = 'installed.json';

/** What was written, and where; the backup holds what was there before. */
const Installed = z.object({ file: z.string(), digest: z.string(), existed: z.boolean() });

export interface ClientHooksOptions {
  home: string;
  /** The client's configuration directory. */
  directory: string;
  node: string;
  relay: string;
  /** For relays of all sessions. */
  capability: string;
  /** Of every client that may read the settings, as far as known. */
  versions: () => Promise<ClientVersion[]>;
}

interface Plan {
  view: View;
  settings: SettingsFile;
  install: Edited;
  remove: Edited | null;
}

export class ClientHooks {
  readonly #options: ClientHooksOptions;
  readonly #directory: string;
  readonly #command: string;

  constructor(options: ClientHooksOptions) {
    this.#options = options;
    this.#directory = join(options.home, DIRECTORY);
    // Where node or the relay was removed, nothing is printed and the dialog works as before.
    this.#command = `'${options.node}' '${options.relay}' '${this.#relayFile}' 2>/dev/null || true`;
  }

  async status(): Promise<View> {
    return (await this.#plan()).view;
  }

  /**
   * `mark`: of the settings whose change was shown; null: any. Throws `settings_refused`, and
   * `settings_changed` when they differ from what was shown.
   */
  async install(mark: string | null): Promise<View> {
    const plan = await this.#plan();
    const { settings, install, view } = plan;
    checkMark(plan, mark);
    if (view.state === 'on') return view;
    if (install.text === null) throw refused(settings.file, install.refusal);
    const { text: before } = settings;
    const isOutdated = view.state === 'outdated';
    this.#write(() => {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      const { capability, home } = this.#options;
      const relay = { daemon: join(home, DAEMON_FILE), capability, from: 'any_session' };
      writeFileAtomic(this.#directory, RELAY_FILE, `${JSON.stringify(relay)}\n`);
      // Entries of ours in a backup would come back with it.
      if (isOutdated) this.#forgetBackup();
      else {
        const digest = digestOf(install.text);
        const state = { file: settings.file, digest, existed: before !== null };
        if (before !== null) writeFileAtomic(this.#directory, BACKUP_FILE, before);
        writeFileAtomic(this.#directory, STATE_FILE, JSON.stringify(state));
      }
      writeSettingsFile(settings, install.text);
    });
    return this.status();
  }

  /** Throws as `install` does. Without hooks of ours it only stops the relays. */
  async remove(mark: string | null): Promise<View> {
    const plan = await this.#plan();
    const { settings, remove } = plan;
    checkMark(plan, mark);
    if (remove !== null && remove.refusal !== null) throw refused(settings.file, remove.refusal);
    this.#write(() => {
      if (remove !== null) writeSettingsFile(settings, this.#isNew(settings) ? null : remove.text);
      // Running clients keep their hooks: from now on these do nothing.
      rmSync(join(this.#directory, RELAY_FILE), { force: true });
      this.#forgetBackup();
    });
    return this.status();
  }

  async #plan(): Promise<Plan> {
    const settings = readSettingsFile(this.#options.directory);
    const before = settings.text ?? '';
    const own = commandsOf(before, this.#isOurs);
    const isCurrent = own.length === 1 && own[0] === this.#command;
    const state = own.length === 0 ? 'off' : isCurrent ? 'on' : 'outdated';
    const remove = own.length === 0 ? null : this.#without(settings);
    const install = await this.#with(settings, remove);
    const refusal = state === 'on' ? (remove?.refusal ?? null) : install.refusal;
    const after = state === 'on' ? remove : install;
    const change =
      after === null || after.text === null
        ? null
        : { ...excerpt(before, after.text), mark: markOf(settings) };
    const view = { state, file: settings.file, refusal, change } as const;
    return { view, settings, install, remove };
  }

  async #with(settings: SettingsFile, remove: Edited | null): Promise<Edited> {
    if (settings.refusal !== null) return { text: null, refusal: settings.refusal };
    const versions = await this.#options.versions();
    const old = versions.find((version) => compareVersions(version, SINCE) < 0);
    if (old !== undefined) {
      const refusal = `the client ${formatVersion(old)} does not know the hook; update it to ${formatVersion(SINCE)} or newer`;
      return { text: null, refusal };
    }
    if (versions.length === 0) {
      const refusal = 'the version of the client is unknown; set LOOPWATCH_CLAUDE to its program';
      return { text: null, refusal };
    }
    if (/['\p{Cc}]/u.test(this.#command.replaceAll(/'([^']*)'/g, '$1'))) {
      return { text: null, refusal: `a path contains a quote: ${this.#relayFile}` };
    }
    const clean = remove?.text ?? settings.text;
    const hook: HookCommand = { type: 'command', command: this.#command, timeout: TIMEOUT_S };
    return withEntry(clean ?? '{}\n', hook);
  }

  /** The bytes of the backup where nothing else changed since. */
  #without({ file, text }: SettingsFile): Edited {
    const before = text ?? '';
    const installed = this.#installed();
    if (installed?.file === file && installed.digest === digestOf(before)) {
      const backup = installed.existed ? readOrNull(join(this.#directory, BACKUP_FILE)) : '';
      if (backup !== null) return { text: backup, refusal: null };
    }
    return withoutEntries(before, this.#isOurs);
  }

  /** Nothing was there before, and nothing was added since. */
  #isNew({ file, text }: SettingsFile): boolean {
    const installed = this.#installed();
    if (installed?.existed !== false || installed.file !== file) return false;
    return installed.digest === digestOf(text ?? '');
  }

  #installed(): z.infer<typeof Installed> | null {
    try {
      return Installed.parse(JSON.parse(readFileSync(join(this.#directory, STATE_FILE), 'utf8')));
    } catch {
      return null;
    }
  }

  #forgetBackup(): void {
    for (const name of [STATE_FILE, BACKUP_FILE]) {
      rmSync(join(this.#directory, name), { force: true });
    }
  }

  get #relayFile(): string {
    return join(this.#directory, RELAY_FILE);
  }

  /** Of this home, also with another node or another Loopwatch. */
  readonly #isOurs = (command: string) => command.includes(`'${this.#relayFile}'`);

  #write(act: () => void): void {
    try {
      act();
    } catch (error) {
      throw refused(this.#options.directory, messageOf(error));
    }
  }
}

function checkMark({ settings, view }: Plan, mark: string | null): void {
  if (mark === null || mark === markOf(settings)) return;
  const message = `${view.file} has changed since; view the change again`;
  throw new AppError('settings_changed', message);
}

function markOf({ file, text }: SettingsFile): string {
  return digestOf(`${file}\n${text ?? ''}`);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function refused(file: string, refusal: string): AppError {
  return new AppError('settings_refused', `${file} was not changed: ${refusal}`);
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Of the lines around the change: the rest of the settings is private. */
const CONTEXT = 3;

function excerpt(before: string, after: string): { before: string; after: string } {
  const [old, updated] = [before.split('\n'), after.split('\n')];
  const most = Math.min(old.length, updated.length);
  let start = 0;
  while (start < most && old[start] === updated[start]) start += 1;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === updated.at(-1 - end)) end += 1;
  const part = (lines: string[]) =>
    lines.slice(Math.max(0, start - CONTEXT), lines.length - Math.max(0, end - CONTEXT)).join('\n');
  return { before: part(old), after: part(updated) };
}

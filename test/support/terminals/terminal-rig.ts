import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainLines } from '../../../server/terminals/screen-lines.ts';
import type {
  TapListener,
  TerminalHost,
  TerminalIdentity,
} from '../../../server/terminals/terminal.ts';
import { terminalEnvironment } from '../../../server/terminals/terminal-environment.ts';
import { TEST_ROOT } from '../house/test-root.ts';
import { until } from '../house/until.ts';

export interface TerminalSetting {
  directory: string;
  environment: NodeJS.ProcessEnv;
}

export type CreateHost = (setting: TerminalSetting) => TerminalHost;

/** A host with a home of its own, and what its tests do repeatedly. */
export class TerminalRig {
  readonly directory = mkdtempSync(join(TEST_ROOT, 't'));
  readonly create: () => TerminalHost;
  host: TerminalHost;
  readonly #names = new Set<string>();

  constructor(create: CreateHost, shell = '/bin/bash') {
    mkdirSync(join(this.directory, 'sockets'), { mode: 0o700 });
    const { directory } = this;
    const own = { ...process.env, SHELL: shell, HOME: directory, HISTFILE: '' };
    const environment = terminalEnvironment(own, ['HISTFILE']);
    this.create = () => create({ directory, environment });
    this.host = this.create();
  }

  async open(name = 'web'): Promise<TerminalIdentity> {
    this.#names.add(name);
    const identity = await this.host.open(name, this.directory);
    await this.shows(name, identity, /\S/);
    return identity;
  }

  async rows(name: string, identity: TerminalIdentity): Promise<string[]> {
    return plainLines((await this.host.screen(name, identity)).lines);
  }

  async shows(name: string, identity: TerminalIdentity, what: RegExp): Promise<string[]> {
    let shown: string[] = [];
    const poll = async () => {
      shown = await this.rows(name, identity);
      return shown.some((row) => what.test(row)) ? shown : null;
    };
    return until(`the screen to show ${what.source}`, poll, () => shown);
  }

  /** Types a command line at the shell and submits it. */
  async run(name: string, identity: TerminalIdentity, text: string): Promise<void> {
    const outcome = await this.host.type(name, identity, { text, submit: true });
    if (outcome !== 'typed') throw new Error(`typing was ${outcome}`);
  }

  async end(): Promise<void> {
    for (const name of this.#names) await this.host.close(name);
    await this.host.dispose();
    rmSync(this.directory, { recursive: true });
  }
}

/**
 * A "shell" that appends every byte it is typed to `<its pid>.log` in its directory. Returns its
 * path; `asked` is drawn first, such as a mode it requests.
 */
export function writeReader(path: string, asked = ''): string {
  const script = `#!/bin/sh\nstty raw -echo\nprintf '${asked}ready'\nexec cat > $$.log\n`;
  writeFileSync(path, script, { mode: 0o755 });
  return path;
}

/** A listener that records what it gets. */
export class RecordedTap implements TapListener {
  readonly pieces: Uint8Array[] = [];
  skips = 0;
  ends = 0;
  readonly #also: (bytes: Uint8Array) => void;

  constructor(also: (bytes: Uint8Array) => void = () => undefined) {
    this.#also = also;
  }

  get text(): string {
    return Buffer.concat(this.pieces).toString('utf8');
  }

  output(bytes: Uint8Array): void {
    this.pieces.push(bytes);
    this.#also(bytes);
  }

  skipped(): void {
    this.skips += 1;
  }

  ended(): void {
    this.ends += 1;
  }
}

/** What every terminal host must do. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainLines } from '../../../server/terminals/screen-lines.ts';
import type { TerminalHost, TerminalIdentity } from '../../../server/terminals/terminal.ts';
import { terminalEnvironment } from '../../../server/terminals/terminal-environment.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { until } from '../../support/house/until.ts';

interface Setting {
  directory: string;
  environment: NodeJS.ProcessEnv;
}

export function describeTerminalHost(kind: string, create: (setting: Setting) => TerminalHost) {
  describe(`terminal host ${kind}`, () => {
    let directory: string;
    let host: TerminalHost;

    beforeEach(() => {
      directory = mkdtempSync(join(TEST_ROOT, 't'));
      mkdirSync(join(directory, 'sockets'), { mode: 0o700 });
      const environment = { ...process.env, SHELL: '/bin/bash', HOME: directory, HISTFILE: '' };
      host = create({ directory, environment: terminalEnvironment(environment, ['HISTFILE']) });
    });

    afterEach(async () => {
      await host.close('web');
      await host.dispose();
      rmSync(directory, { recursive: true });
    });

    async function open(): Promise<TerminalIdentity> {
      const identity = await host.open('web', directory);
      await shows(identity, /\S/);
      return identity;
    }

    async function rows(identity: TerminalIdentity): Promise<string[]> {
      return plainLines((await host.screen('web', identity)).lines);
    }

    async function shows(identity: TerminalIdentity, what: RegExp): Promise<string[]> {
      return until(`the screen to show ${what.source}`, async () => {
        const shown = await rows(identity);
        return shown.some((row) => what.test(row)) ? shown : null;
      });
    }

    it('SE2 opens a shell in its directory and finds the same terminal again', async () => {
      const identity = await open();
      expect(await host.find('web')).toEqual(identity);
      await host.type('web', identity, { text: 'pwd', submit: true });
      await shows(identity, new RegExp(`^${directory}$`));
    });

    it('SE3 types text as it is and submits it once', async () => {
      const identity = await open();
      const text = 'echo "a; b" \'#{pid}\' \\; Enter';
      await host.type('web', identity, { text, submit: true });
      await shows(identity, /^a; b #\{pid\} ; Enter$/);
    });

    it('SE3 removes control bytes that would break out of a paste', async () => {
      const identity = await open();
      await host.type('web', identity, { text: 'echo [\x1b[201~\x03\x9b]', submit: true });
      await shows(identity, /^\[\[201~\]$/);
    });

    it('LP1 clears a half-typed line first, and leaves its tag', async () => {
      const identity = await open();
      expect(await host.tagOf('web', identity)).toBeNull();
      await host.type('web', identity, { text: 'echo half ', submit: false });
      const request = { text: 'echo whole', submit: true, clearLine: true, tag: 'run.1' };
      expect(await host.type('web', identity, request)).toBe('typed');
      await shows(identity, /^whole$/);
      expect(await host.tagOf('web', identity)).toBe('run.1');
    });

    it('SE4 types nothing into another terminal or another program', async () => {
      const identity = await open();
      const other = { ...identity, shellPid: identity.shellPid + 1 };
      const text = 'echo wrong';
      expect(await host.type('web', other, { text, submit: true })).toBe('refused');
      const behind = { text, submit: true, foreground: 'vim' };
      expect(await host.type('web', identity, behind)).toBe('refused');
      expect((await rows(identity)).join('\n')).not.toContain('wrong');
    });

    it('SE2 reports the program in the foreground, and interrupts it', async () => {
      const identity = await open();
      expect(host.foreground(identity)).toMatchObject({ kind: 'shell', name: 'bash' });
      await host.type('web', identity, { text: 'sleep 1000', submit: true });
      await until('sleep in front', () => {
        const foreground = host.foreground(identity);
        return foreground.kind === 'program' && !foreground.forked;
      });
      expect(host.foreground(identity)).toMatchObject({
        kind: 'program',
        program: { name: 'sleep' },
      });
      expect(await host.press('web', identity, 'ctrl_c')).toBe('typed');
      await until('the shell in front', () => host.foreground(identity).kind === 'shell');
    });

    it('SE2 presses Escape', async () => {
      const identity = await open();
      const reader = 'echo rea""dy; read -rsn1 key; printf "got %d" "\'$key"';
      await host.type('web', identity, { text: reader, submit: true });
      // Before that the line editor would take the key.
      await shows(identity, /^ready/);
      expect(await host.press('web', identity, 'escape')).toBe('typed');
      await shows(identity, /^got 27/);
    });

    it('SE5 shows text and colours only, each row on its own', async () => {
      const identity = await open();
      const drawn = "printf '\\033]0;title\\007\\033[31mred\\nstill\\033[0m\\n\\033[?5n<b>'";
      await host.type('web', identity, { text: drawn, submit: true });
      await shows(identity, /^<b>/);
      const { lines } = await host.screen('web', identity);
      // eslint-disable-next-line no-control-regex -- the escape that starts each code
      const other = lines.join('').replaceAll(/\x1b\[[0-9;]*m/g, '');
      // eslint-disable-next-line no-control-regex -- no control character may be left
      expect(other).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      // eslint-disable-next-line no-control-regex -- colours as they are written
      const red = /^\x1b\[(0;)?31m/;
      expect(lines.filter((line) => red.test(line)).map((line) => plainLines([line])[0])).toEqual([
        'red',
        'still',
      ]);
    });

    it('SE6 recognizes a terminal that was closed', async () => {
      const identity = await open();
      await host.type('web', identity, { text: 'exit', submit: true });
      await until('the terminal to be closed', () => host.foreground(identity).kind === 'closed');
    });

    it('SE2 opens a new terminal under the name of a closed one', async () => {
      const identity = await open();
      await host.close('web');
      await until('the shell to end', () => host.foreground(identity).kind !== 'shell');
      const second = await open();
      expect(second.shellPid).not.toBe(identity.shellPid);
      expect(await host.type('web', identity, { text: 'x', submit: false })).toBe('refused');
    });
  });
}

/** Text reaches the intended program, byte for byte, or nothing does; nothing else happens. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { typedText } from '../../../server/terminals/terminal-bounds.ts';
import type { TerminalIdentity, TerminalTap } from '../../../server/terminals/terminal.ts';
import { type Random, seeded, sized } from '../../support/house/random.ts';
import {
  type CreateHost,
  RecordedTap,
  type TerminalSetting,
  TerminalRig,
  writeReader,
} from '../../support/terminals/terminal-rig.ts';
import { until } from '../../support/house/until.ts';

const TEXTS = sized({ short: 200, middle: 2_000, long: 10_000 });
const TERMINALS = 4;
const STEPS = sized({ short: 40, middle: 120, long: 600 });
const PIECES = [
  ';',
  '\\;',
  'a;',
  '; touch MARKER',
  '$(touch MARKER)',
  '`touch MARKER`',
  '#(touch MARKER)',
  '#{pid}',
  '#{l:x}',
  '%0',
  '-l',
  '--',
  '-t',
  'Enter',
  'C-c',
  'Escape',
  'M-x',
  '0x41',
  '~',
  '{',
  '\x1b',
  '\x1b[201~',
  '\x1b[200~',
  '\r',
  '\n',
  '\r\n',
  '\t',
  '\x03',
  '\x04',
  '\x1a',
  '\x7f',
  '"',
  "'",
  '\\',
  '$HOME',
  '}',
  ' ',
  'text',
  'h\u00e9',
  '\u4e16\u754c',
  '\u{1f680}',
  '\u009b',
  '\u009d0;x\u009c',
  '\0',
  '!!',
  '*',
  '&',
  '|',
  '> MARKER',
  '\u2028',
  '\ud800',
];

/** The hosts of these tests run a reader instead of a shell: it executes nothing. */
export function describeTerminalTyping(kind: string, create: CreateHost) {
  describe(`terminal typing ${kind}`, () => {
    let rig: TerminalRig;

    function useReader(asked: string): void {
      rig = new TerminalRig((setting: TerminalSetting) => {
        const shell = writeReader(join(setting.directory, 'reader'), asked);
        return create({ ...setting, environment: { ...setting.environment, SHELL: shell } });
      });
    }

    beforeEach(() => useReader(''));
    afterEach(async () => {
      await rig.end();
    });

    async function ready(name: string): Promise<TerminalIdentity> {
      const identity = await rig.open(name);
      await rig.shows(name, identity, /ready/);
      return identity;
    }

    function logOf({ shellPid }: TerminalIdentity): Buffer {
      const path = join(rig.directory, `${shellPid}.log`);
      return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    }

    async function arrives(identity: TerminalIdentity, expected: Buffer): Promise<void> {
      await until('all to arrive', () => logOf(identity).length >= expected.length);
      const log = logOf(identity);
      const differs = log.findIndex((byte, at) => byte !== expected[at]);
      expect(differs === -1 ? '' : log.toString('utf8', differs, differs + 80)).toBe('');
      expect(log.length).toBe(expected.length);
    }

    function randomText(random: Random): string {
      const count = random.int(0, 12);
      return Array.from({ length: count }, () => random.pick(PIECES)).join('');
    }

    it.each(['plain', 'bracketed'])(
      'SE3 types %s text exactly, and runs none of it',
      async (how) => {
        const bracketed = how === 'bracketed';
        if (bracketed) {
          await rig.end();
          useReader('\\033[?2004h');
        }
        await seeded(async (random) => {
          const each = TEXTS / 2 / TERMINALS;
          const one = async (name: string) => {
            const identity = await ready(name);
            let expected = '';
            for (let count = 0; count < each; count += 1) {
              const text = randomText(random);
              const submit = random.chance(0.3);
              expect(await rig.host.type(name, identity, { text, submit })).toBe('typed');
              const typed = typedText(text);
              const pasted = bracketed && typed !== '' ? `\x1b[200~${typed}\x1b[201~` : typed;
              expected += pasted + (submit ? '\r' : '');
            }
            await arrives(identity, Buffer.from(expected));
          };
          await Promise.all(
            Array.from({ length: TERMINALS }, async (_, index) => one(`t${index}`)),
          );
          expect(readdirSync(rig.directory).filter((file) => file.includes('MARKER'))).toEqual([]);
        });
      },
    );

    it('SE15 a long text arrives whole in a program that reads every key', async () => {
      const identity = await ready('web');
      const lines = Array.from({ length: 2_000 }, (_, row) => `${row} ${'line '.repeat(9)}`);
      const text = `${lines.join('\n')}\n${'x'.repeat(1024 * 1024)}`;
      expect(await rig.host.type('web', identity, { text, submit: true })).toBe('typed');
      await arrives(identity, Buffer.from(`${text}\r`));
    });

    it('SE18 keys of a tap arrive as they are, in order', async () => {
      const identity = await ready('web');
      const tap = await rig.host.tap('web', identity, new RecordedTap());
      await seeded(async (random) => {
        const keys: Buffer[] = [];
        for (let count = 0; count < 200; count += 1) {
          const bytes = Array.from({ length: random.int(0, 40) }, () => random.int(0, 255));
          keys.push(Buffer.from(bytes));
        }
        keys.push(Buffer.alloc(20_000, 'k'));
        for (const key of keys) tap.write(key);
        await arrives(identity, Buffer.concat(keys));
      });
      tap.close();
    });

    it('SE4 no byte reaches another terminal while terminals open and close', async () => {
      await seeded(async (random) => {
        const names = ['a', 'b', 'ab'];
        const known: { name: string; identity: TerminalIdentity; tap: TerminalTap | null }[] = [];
        for (const name of names) {
          known.push({ name, identity: await ready(name), tap: null });
        }
        let typed = 0;
        const step = async () => {
          // Mostly live ones, now and then an ended one.
          const terminal = random.pick(known.slice(-2 * names.length));
          const { name, identity } = terminal;
          const word = `<${identity.shellPid}>`;
          const act = random.int(0, 9);
          if (act < 5) {
            const outcome = await rig.host.type(name, identity, { text: word, submit: false });
            if (outcome === 'typed') typed += 1;
          } else if (act === 5) {
            const tap = await rig.host.tap(name, identity, new RecordedTap()).catch(() => null);
            terminal.tap?.close();
            terminal.tap = tap;
          } else if (act === 6) {
            terminal.tap?.write(Buffer.from(word));
          } else if (act === 7) {
            await rig.host.close(name);
            // Another step may have closed it again.
            const next = await ready(name).catch(() => null);
            if (next !== null) known.push({ name, identity: next, tap: null });
          } else if (act === 8 && rig.host.kind === 'tmux') {
            await rig.host.dispose();
            rig.host = rig.create();
          } else {
            await rig.host.press(name, identity, 'ctrl_c');
          }
        };
        for (let count = 0; count < STEPS; count += 4) {
          await Promise.all([step(), step(), step(), step()]);
        }
        for (const file of readdirSync(rig.directory).filter((name) => name.endsWith('.log'))) {
          const log = readFileSync(join(rig.directory, file), 'latin1').replaceAll('\x03', '');
          expect(log.replaceAll(`<${file.slice(0, -'.log'.length)}>`, '')).toBe('');
        }
        expect(typed).toBeGreaterThan(STEPS / 40);
      });
    });
  });
}

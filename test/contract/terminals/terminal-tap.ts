/** What a tap into a terminal must deliver, on every host. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TerminalIdentity } from '../../../server/terminals/terminal.ts';
import { seeded } from '../../support/house/random.ts';
import { randomDrawing } from '../../support/drills/random-screen.ts';
import { snapshotOf, Replay } from '../../support/terminals/replay.ts';
import { type CreateHost, RecordedTap, TerminalRig } from '../../support/terminals/terminal-rig.ts';
import { until } from '../../support/house/until.ts';

/** Writes the pieces of a file one by one, a tick between, and then waits. */
const WRITER = `
import { readFileSync } from 'node:fs';
process.stdin.setRawMode(true);
for (const piece of JSON.parse(readFileSync(process.argv[2], 'utf8'))) {
  process.stdout.write(piece);
  await new Promise((next) => setTimeout(next, 1));
}
process.stdout.write('\\x1b[0m\\r\\nDONE');
process.stdin.resume().once('data', () => process.exit());
`;

export function describeTerminalTap(kind: string, create: CreateHost) {
  describe(`terminal tap ${kind}`, () => {
    let rig: TerminalRig;

    beforeEach(() => {
      rig = new TerminalRig(create);
    });

    afterEach(async () => {
      await rig.end();
    });

    async function snapshotOfScreen(identity: TerminalIdentity) {
      return snapshotOf(await rig.host.screen('web', identity));
    }

    it('SE9 SE18 delivers what the program writes, and takes keys', async () => {
      const identity = await rig.open();
      const heard = new RecordedTap();
      const tap = await rig.host.tap('web', identity, heard);
      tap.write(Buffer.from('echo h\u00e9llo $((40+2))\r'));
      await until('the echo', () => heard.text.includes('h\u00e9llo 42'));
      const { lines } = await tap.snapshot();
      expect(lines.join('\n')).toContain('h\u00e9llo 42');
      tap.close();
      await rig.run('web', identity, 'echo un""heard');
      await rig.shows('web', identity, /^unheard$/);
      expect(heard.text).not.toContain('unheard');
    });

    it('SE12 no drawn output ends the host, also beyond the last cell', async () => {
      const identity = await rig.open();
      const corner = String.raw`printf '\033[999;999H\033[1J\033[H\033[2J'; echo still""here`;
      await rig.run('web', identity, corner);
      await rig.shows('web', identity, /^stillhere$/);
    });

    it('SE9 a snapshot and the bytes after it make the screen', async () => {
      const identity = await rig.open();
      writeFileSync(join(rig.directory, 'writer.mjs'), WRITER);
      await seeded(async (random) => {
        const size = { cols: 120, rows: 40, wide: rig.host.kind === 'pty' };
        const pieces = Array.from({ length: 600 }, () => randomDrawing(random, size));
        writeFileSync(join(rig.directory, 'pieces.json'), JSON.stringify(pieces));
        const replays: Replay[] = [];
        const heard = new RecordedTap((bytes) => replays.forEach((replay) => replay.feed(bytes)));
        const tap = await rig.host.tap('web', identity, heard);
        const foreground = async () => replays.push(new Replay(await tap.snapshot()));
        await foreground();
        await rig.run('web', identity, `${process.execPath} writer.mjs pieces.json`);
        for (let polls = 0; !heard.text.includes('DONE'); polls += 1) {
          if (polls < 40) await foreground();
          else await until('more output', () => heard.text.includes('DONE'));
        }
        await foreground();
        const seen = await snapshotOfScreen(identity);
        for (const replay of replays) expect(await replay.snapshot()).toEqual(seen);
        expect(replays.length).toBeGreaterThan(5);
        tap.write(Buffer.from('q'));
        tap.close();
      });
    });

    it('SE9 delivers to every tap, and each can close alone', async () => {
      const identity = await rig.open();
      const heard = Array.from({ length: 5 }, () => new RecordedTap());
      const taps = await Promise.all(
        heard.map(async (listener) => rig.host.tap('web', identity, listener)),
      );
      taps[0]?.close();
      await rig.run('web', identity, 'echo every$((1))one');
      const others = heard.slice(1);
      await until('all to hear', () => others.every(({ text }) => text.includes('every1one')));
      expect(heard[0]?.text).not.toContain('every1one');
      for (const tap of taps) tap.close();
    });

    it('SE19 reports the end once', async () => {
      const identity = await rig.open();
      const heard = new RecordedTap();
      await rig.host.tap('web', identity, heard);
      await rig.run('web', identity, 'exit');
      await until('the end', () => heard.ends > 0);
      expect(rig.host.foreground(identity).kind).toBe('closed');
      await expect(rig.host.tap('web', identity, heard)).rejects.toThrow('the terminal was closed');
      await rig.host.close('web');
      expect(heard.ends).toBe(1);
    });

    it('SE13 resizes a terminal, within the bounds', async () => {
      const identity = await rig.open();
      await rig.host.resize('web', identity, 100, 30);
      await rig.run('web', identity, 'stty size');
      await rig.shows('web', identity, /^30 100$/);
      const heard = new RecordedTap();
      const tap = await rig.host.tap('web', identity, heard);
      expect(await tap.snapshot()).toMatchObject({ cols: 100, rows: 30 });
      await rig.host.resize('web', identity, 10_000, 1);
      expect(await tap.snapshot()).toMatchObject({ cols: 500, rows: 5 });
      tap.close();
      const other = { ...identity, shellPid: identity.shellPid + 1 };
      await expect(rig.host.resize('web', other, 90, 20)).rejects.toThrow();
    });

    it('SE20 returns what scrolled away, a page at a time', async () => {
      const identity = await rig.open();
      await rig.run('web', identity, 'seq 1 3000; echo do""ne');
      await rig.shows('web', identity, /^done$/);
      const { total, lines, offset } = await rig.host.scrollback('web', identity, {
        from: -10,
        lines: 5,
      });
      expect(offset).toBe(total - 10);
      const first = Number(lines[0]);
      expect(lines).toEqual([0, 1, 2, 3, 4].map((more) => String(first + more)));
      const page = await rig.host.scrollback('web', identity, { from: 0, lines: 5_000 });
      expect(page.lines).toHaveLength(1_000);
      expect(page).toMatchObject({ total, offset: 0 });
      const last = await rig.host.scrollback('web', identity, { from: total - 1, lines: 9 });
      expect(last.lines).toEqual([String(first + 9)]);
      const beyond = { from: total + 5, lines: 9 };
      expect((await rig.host.scrollback('web', identity, beyond)).lines).toEqual([]);
    });

    it('SE14 reports a hidden cursor and the alternate screen', async () => {
      const identity = await rig.open();
      expect(await rig.host.screen('web', identity)).toMatchObject({
        cursorVisible: true,
        alternate: false,
      });
      const drawn = "printf '\\033[?1049h\\033[?25lon the other'; sleep 1000";
      await rig.run('web', identity, drawn);
      await rig.shows('web', identity, /^on the other$/);
      expect(await rig.host.screen('web', identity)).toMatchObject({
        cursorVisible: false,
        alternate: true,
      });
    });

    it('SE15 refuses a line too long for a program that reads whole lines', async () => {
      const identity = await rig.open();
      await rig.run('web', identity, 'echo rea""dy; cat > read');
      // Until the host has drawn the last output of the shell, it pastes as the shell requested.
      await rig.shows('web', identity, /^ready$/);
      await until('cat in front', () => {
        const foreground = rig.host.foreground(identity);
        return foreground.kind === 'program' && !foreground.forked;
      });
      const long = `short\n${'x'.repeat(4_001)}`;
      const type = async (text: string) => rig.host.type('web', identity, { text, submit: true });
      expect(await type(long)).toBe('too_long');
      expect(await type('y'.repeat(4_000))).toBe('typed');
      await until('the line', () => readFileSync(join(rig.directory, 'read')).length === 4_001);
      expect(await rig.host.press('web', identity, 'ctrl_c')).toBe('typed');
      await until('the shell in front', () => rig.host.foreground(identity).kind === 'shell');
      // A shell edits its line itself, but at first it reads whole lines until it shows its prompt.
      const atPrompt = async () => {
        const outcome = await type(`printf ${'z'.repeat(5_000)} | wc -c`);
        return outcome === 'too_long' ? null : outcome;
      };
      expect(await until('the shell to edit its line', atPrompt)).toBe('typed');
      await rig.shows('web', identity, /^5000$/);
    });

    it('SE21 says when a terminal was last written to', async () => {
      const identity = await rig.open();
      const before = rig.host.changedAt(identity);
      expect(before).not.toBeNull();
      await until('the time to move', async () => {
        await rig.run('web', identity, 'echo');
        return rig.host.changedAt(identity) !== before;
      });
      await rig.host.close('web');
      await until('the shell to end', () => rig.host.changedAt(identity) === null);
    });
  });
}

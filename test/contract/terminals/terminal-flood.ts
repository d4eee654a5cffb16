/** A program that writes faster than it is read, on either host. */
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { snapshotOf, Replay } from '../../support/terminals/replay.ts';
import { type CreateHost, RecordedTap, TerminalRig } from '../../support/terminals/terminal-rig.ts';
import { until } from '../../support/house/until.ts';

/** Keeps this process from reading anything, and leaves the processor to the writers. */
function readNothing(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

export function describeTerminalFlood(kind: string, create: CreateHost) {
  describe(`terminal flood ${kind}`, () => {
    let rig: TerminalRig;

    beforeEach(() => {
      rig = new TerminalRig(create);
    });

    afterEach(async () => {
      await rig.end();
    });

    it('SE10 a flood neither grows memory nor ends the tap', async () => {
      const identity = await rig.open();
      let replay: Replay | null = null;
      let received = 0;
      let slow = true;
      const heard = new RecordedTap((bytes) => {
        heard.pieces.length = 0;
        received += bytes.length;
        replay?.feed(bytes);
        // Slower than any program.
        if (slow) readNothing(5);
      });
      const tap = await rig.host.tap('web', identity, heard);
      const before = process.memoryUsage().rss;
      await rig.run('web', identity, "yes 'a flood of text that nobody can read'");
      // Skipped again after it continued; or, where the program is paused instead, twice the buffer limit.
      const enough = rig.host.kind === 'pty' ? 6e5 : 15e5;
      await until('a lot to be received or skipped', () => received > enough || heard.skips > 1);
      expect(await rig.host.press('web', identity, 'ctrl_c')).toBe('typed');
      await until('the shell in front', () => rig.host.foreground(identity).kind === 'shell');
      slow = false;
      await rig.run('web', identity, 'echo after $((1+1))');
      await rig.shows('web', identity, /^after 2$/);
      let round = 0;
      await until('a snapshot after which nothing is skipped', async () => {
        const { skips } = heard;
        replay = new Replay(await tap.snapshot());
        round += 1;
        await rig.run('web', identity, `echo then $((100+${round}))`);
        await rig.shows('web', identity, new RegExp(`^then ${100 + round}$`));
        await until('the viewer to show the screen', async () => {
          const seen = await snapshotOf(await rig.host.screen('web', identity));
          // The prompt may come in between: both show it in the end.
          return heard.skips !== skips || isDeepStrictEqual(await replay?.snapshot(), seen);
        });
        return heard.skips === skips;
      });
      expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
      tap.close();
    });

    it('SE10 answers who asks again and again while bytes are left out', async () => {
      const identity = await rig.open();
      let received = 0;
      const heard = new RecordedTap((bytes) => {
        heard.pieces.length = 0;
        received += bytes.length;
        readNothing(5);
      });
      const tap = await rig.host.tap('web', identity, heard);
      await rig.run('web', identity, "yes 'a flood of text that nobody can read'");
      await until('bytes to be skipped, or all to be received', async () => {
        expect(await tap.snapshot()).toMatchObject({ rows: 40 });
        return heard.skips > 0 || received > 15e5;
      });
      tap.close();
    });
  });
}

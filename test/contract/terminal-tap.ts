/** What looking into a terminal must give, whichever host it is. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CreateHost, HeardTap, TerminalRig } from '../support/terminal-rig.ts';
import { until } from '../support/until.ts';

export function describeTerminalTap(kind: string, create: CreateHost) {
  describe(`terminal tap ${kind}`, () => {
    let rig: TerminalRig;

    beforeEach(() => {
      rig = new TerminalRig(create);
    });

    afterEach(async () => {
      await rig.end();
    });

    it('SE9 tells what the program writes, and takes keys', async () => {
      const identity = await rig.open();
      const heard = new HeardTap();
      const tap = await rig.host.tap('web', identity, heard);
      tap.write(Buffer.from('echo h\u00e9llo $((40+2))\r'));
      await until('the echo', () => heard.text.includes('h\u00e9llo 42'));
      const { lines } = await tap.snapshot();
      expect(lines.join('\n')).toContain('h\u00e9llo 42');
      tap.close();
    });

    it('SE9 tells the end once', async () => {
      const identity = await rig.open();
      const heard = new HeardTap();
      await rig.host.tap('web', identity, heard);
      await rig.run('web', identity, 'exit');
      await until('the end', () => heard.ends > 0);
      expect(rig.host.look(identity).kind).toBe('closed');
      await expect(rig.host.tap('web', identity, heard)).rejects.toThrow('gone');
      await rig.host.close('web');
      expect(heard.ends).toBe(1);
    });
  });
}

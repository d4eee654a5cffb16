/** A snapshot's row for cells that a resize left in a state that cannot be drawn. */
import { expect, it } from 'vitest';
import { AttachRig } from '../../support/terminals/attach-rig.ts';

it('LT11 half a wide character, left by a smaller size, is a space in every snapshot', async () => {
  const rig = new AttachRig();
  await rig.terminal.write('\u001b[1;1H12345678\u5b57');
  const viewer = await rig.attach('ann', { cols: 9, rows: 1 });
  await rig.settle();
  expect(rig.shown().lines).toEqual(['12345678']);
  expect(await viewer.shows()).toEqual(rig.shown());
});

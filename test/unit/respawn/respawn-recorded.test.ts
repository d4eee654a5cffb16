/** Idle detection on every recorded screen of real clients. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentGroup } from '../../../shared/schema/agents/agent-state.ts';
import { readScreen } from '../../../server/agents/screen/read-screen.ts';
import { OutputReader } from '../../../server/respawn/detection/output-reader.ts';
import { everyByte, read } from '../../support/daemon/read-output.ts';
import { recordedScreen, SCREEN_NAMES, SCREENS } from '../../support/terminals/recorded-screens.ts';
import { RespawnLife } from '../../support/respawn/respawn-life.ts';

const HOUR_MINUTES = 60;

const textOf = (name: string) => recordedScreen(name).rows.join('\r\n');
const groupOf = (name: string) => agentGroup(readScreen(recordedScreen(name)).state);
/** Views and overlays hide the row that shows it. */
const seen = SCREEN_NAMES.filter((name) => !name.startsWith('overlays'));

describe('signs', () => {
  it.each(seen.filter((name) => groupOf(name) === 'working'))(
    'RS37 %s shows work and no end of a turn',
    (name) => {
      const { work, completion } = read(textOf(name));
      expect([work === null, completion]).toEqual([false, null]);
    },
  );

  it.each(seen.filter((name) => groupOf(name) === 'idle'))(
    'RS37 %s shows no work and no menu',
    (name) => {
      expect(read(textOf(name))).toMatchObject({ work: null, menu: null });
    },
  );

  it.each(SCREEN_NAMES)('RS36 %s is read the same cut at every byte and coloured', (name) => {
    const text = textOf(name);
    const whole = read(text);
    expect(atEveryByte(text)).toEqual(whole);
    expect(atEveryByte(coloured(text))).toEqual(whole);
  });

  it.each(SCREEN_NAMES.filter((name) => existsSync(join(SCREENS, `${name}.ansi`))))(
    'RS36 %s in its own colours is read as without',
    (name) => {
      const own = readFileSync(join(SCREENS, `${name}.ansi`), 'utf8').replaceAll(/\r?\n/g, '\r\n');
      const { work, completion, menu } = read(textOf(name));
      expect(atEveryByte(own)).toMatchObject({ work, completion, menu });
    },
  );
});

describe('false idle', () => {
  it.each(SCREEN_NAMES.filter((name) => groupOf(name) !== 'idle'))(
    'RS60 %s begins no cycle in an hour, even when a model says idle',
    (name) => {
      const { state, cause } = readScreen(recordedScreen(name));
      const life = RespawnLife.watching({ auto_accept_plans: false }).agent('starting');
      life.agent(state, { cause, witness: 'screen' }).output({ ...read(textOf(name)) });
      for (let minute = 0; minute < HOUR_MINUTES; minute += 1) {
        life.tick(60_000).answer({ verdict: 'IDLE', reasoning: '' });
      }
      expect(life.submitted).toEqual([]);
      expect(life.known.run?.block).not.toBeNull();
    },
  );
});

function atEveryByte(text: string) {
  const reader = new OutputReader();
  for (const byte of everyByte(text)) reader.push(byte);
  return reader.read();
}

/** Another colour every few characters, in the middle of words. */
function coloured(text: string): string {
  return Array.from(text, (letter, at) =>
    at % 5 === 0 ? `\x1b[38;5;${at % 256}m${letter}\x1b[0m` : letter,
  ).join('');
}

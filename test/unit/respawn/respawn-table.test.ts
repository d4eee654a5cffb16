/** The table of respawn: whole, and the only way from state to state. */
import { describe, expect, it } from 'vitest';
import {
  RESPAWN_ACTIONS,
  RESPAWN_GUARDS,
  RESPAWN_STATES,
  RESPAWN_TRIGGERS,
} from '../../../shared/rules/respawn/respawn-names.ts';
import { RESPAWN_IGNORED, RESPAWN_ROWS } from '../../../shared/rules/respawn/respawn-table.ts';
import { RESPAWN_TIMERS, TIMERS_OF } from '../../../shared/rules/respawn/respawn-timers.ts';
import { respawnPage } from '../../../reference/respawn-page.ts';

const PAIRS = RESPAWN_STATES.flatMap((state) =>
  RESPAWN_TRIGGERS.map((trigger) => ({ state, trigger })),
);

function rowsOf(state: string, trigger: string) {
  return RESPAWN_ROWS.filter(
    ({ from, on }) => on === trigger && from.some((each) => each === state),
  );
}

describe('the table', () => {
  it.each(PAIRS)(
    'RS1 $trigger in $state has rows or is ignored, not both',
    ({ state, trigger }) => {
      const rows = rowsOf(state, trigger);
      const ignored = RESPAWN_IGNORED.filter(
        ({ in: states, on }) => states.includes(state) && on.includes(trigger),
      );
      expect([rows.length > 0, ignored.length]).toEqual(rows.length > 0 ? [true, 0] : [false, 1]);
      // The last row always applies, and no row follows it.
      expect(rows.map((row) => row.if === undefined)).toEqual(
        rows.map((_, index) => index === rows.length - 1),
      );
    },
  );

  it('RS2 a row ends a cycle exactly when it leads out of one', () => {
    const isCycle = (state: string) => /^(?:sending|waiting|monitoring)_/.test(state);
    const wrong = RESPAWN_ROWS.filter(({ from, to, ends }) => {
      const leaves = to !== 'stay' && !isCycle(to);
      return from.some((state) => (isCycle(state) && leaves) !== (ends !== undefined));
    });
    expect(wrong).toEqual([]);
  });

  it('RS2 every state can be stopped, and left when it is stuck', () => {
    for (const state of RESPAWN_STATES.filter((each) => each !== 'stopped')) {
      expect(rowsOf(state, 'stop').map(({ to }) => to)).toEqual(['stopped']);
      expect(rowsOf(state, 'stuck').at(-1)?.to).not.toBe('stay');
      expect(TIMERS_OF[state]).toContain('stuck');
    }
  });

  it('RS2 the end of each timer of a state is a trigger with a row there', () => {
    const lost = Object.entries(TIMERS_OF).flatMap(([state, timers]) =>
      timers.filter((timer) => rowsOf(state, RESPAWN_TIMERS[timer]).length === 0),
    );
    expect(lost).toEqual([]);
  });

  it('RS1 each condition and each action has a row', () => {
    const used = (key: 'if' | 'does') => new Set(RESPAWN_ROWS.map((row) => row[key]));
    expect(RESPAWN_GUARDS.filter((guard) => !used('if').has(guard))).toEqual([]);
    expect(RESPAWN_ACTIONS.filter((action) => !used('does').has(action))).toEqual([]);
  });

  it('RS1 the diagram in the documentation has every state and every change of state', () => {
    const page = respawnPage().join('\n');
    for (const state of RESPAWN_STATES) expect(page).toContain(`| \`${state}\` |`);
    for (const { from, on, to } of RESPAWN_ROWS) {
      if (to === 'stay' || on === 'stop' || on === 'stuck') continue;
      for (const state of from.filter((each) => each !== to)) {
        expect(page).toMatch(new RegExp(`  ${state} --> ${to}: .*\\b${on}\\b`));
      }
    }
  });
});

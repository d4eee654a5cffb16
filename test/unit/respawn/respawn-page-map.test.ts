/** The map of the respawn table, and how far a session is in it. */
import { describe, expect, it } from 'vitest';
import { cycleRows } from '../../../web/lib/respawn/cycle-rows.ts';
import { railOf, stageOf } from '../../../web/lib/respawn/cycle-rail.ts';
import { drawStateMap, NODE, orderStates } from '../../../web/lib/respawn/state-map.ts';
import { RESPAWN_STATES } from '../../../shared/rules/respawn/respawn-names.ts';
import { RESPAWN_ROWS, type RespawnRow } from '../../../shared/rules/respawn/respawn-table.ts';
import { RESPAWN_SCENES, respawnScene } from '../../support/respawn/respawn-scenes.ts';

/** As the table joins them, in words. */
function pairsOf(rows: readonly RespawnRow[]): string[] {
  const pairs = rows.flatMap(({ from, to }) =>
    from
      .filter((state) => state !== to && !['stay', 'stopped'].includes(to))
      .map((s) => `${s} ${to}`),
  );
  return [...new Set(pairs)].sort();
}

describe('the map', () => {
  const map = drawStateMap();

  it('RP1 has each state and each pair that a row joins once', () => {
    expect(map.nodes.map(({ state }) => state).sort()).toEqual([...RESPAWN_STATES].sort());
    expect(map.links.map(({ from, to }) => `${from} ${to}`).sort()).toEqual(pairsOf(RESPAWN_ROWS));
  });

  it('RP1 draws no state over another or outside', () => {
    for (const [index, one] of map.nodes.entries()) {
      expect(one.x >= 0 && one.x + one.width <= map.width).toBe(true);
      expect(one.y >= 0 && one.y + NODE.height <= map.height).toBe(true);
      for (const other of map.nodes.slice(index + 1)) {
        const isApart =
          one.y !== other.y || one.x + one.width < other.x || other.x + other.width < one.x;
        expect([one.state, other.state, isApart]).toEqual([one.state, other.state, true]);
      }
    }
  });

  it('RP1 keeps every link inside', () => {
    for (const { path } of map.links) {
      const numbers = [...path.matchAll(/-?[\d.]+/g)].map(([found]) => Number(found));
      expect(numbers.length).toBeGreaterThan(2);
      expect(numbers.every((one) => one >= -NODE.height && one <= map.width)).toBe(true);
    }
  });

  it('RP1 is the same each time, and follows a changed table', () => {
    expect(drawStateMap()).toEqual(map);
    const shorter = RESPAWN_ROWS.filter(({ to }) => to !== 'ai_checking');
    expect(drawStateMap(shorter).links.map(({ to }) => to)).not.toContain('ai_checking');
    expect(orderStates(shorter).at(-1)).toBe('ai_checking');
    expect([...orderStates(shorter)].sort()).toEqual([...RESPAWN_STATES].sort());
  });

  it('RP1 describes as text what leads from one state to the next', () => {
    const link = map.links.find(({ from, to }) => `${from} ${to}` === 'sending_init waiting_init');
    expect(link?.title).toBe('Sending init to Initializing when the text was delivered');
    expect(map.links.filter(({ title }) => title.includes('`'))).toEqual([]);
  });
});

describe('the stages', () => {
  it.each(RESPAWN_SCENES)('RP2 exactly one place is current unless it is stopped: %s', (name) => {
    const { view } = respawnScene(name);
    const current = RESPAWN_STATES.filter((state) => stageOf(state, view) === 'current');
    expect(current).toEqual([view.state]);
    const places = railOf(view).filter(({ stage }) => stage === 'current');
    expect(places.length).toBe(view.state === 'stopped' ? 0 : 1);
  });

  it('RP2 steps of the cycle are done with their time, and the current one is named', () => {
    const rail = railOf(respawnScene('initializing').view);
    expect(rail.map(({ key, stage, note }) => `${key} ${stage} ${note}`.trim())).toEqual([
      'watching ahead',
      'confirming_idle ahead',
      'ai_checking ahead',
      'update done 1:15',
      'clear done 0:02',
      'init current Initializing',
      'monitoring_init ahead',
      'kickstart ahead',
    ]);
    expect(stageOf('sending_init', respawnScene('initializing').view)).toBe('done');
  });
});

describe('the cycles', () => {
  it('RP4 each has its steps with outcome and duration', () => {
    const { view, wallMs } = respawnScene('watching');
    const rows = cycleRows(view, wallMs).map(({ outcome, steps }) => [
      outcome.label,
      ...steps.map(({ step, note }) => `${step} ${note}`),
    ]);
    expect(rows).toEqual([
      ['Completed', 'update 1:15', 'clear 0:02', 'init 1:03', 'kickstart 0:27'],
      [
        'Ended: a step was not delivered',
        'update 1:15',
        'clear not done',
        'init not sent',
        'kickstart not sent',
      ],
      ['Completed', 'update 1:15', 'clear skipped', 'init 1:03', 'kickstart 0:27'],
      [
        'Cancelled: the agent works',
        'update not sent',
        'clear not sent',
        'init not sent',
        'kickstart not sent',
      ],
      ['Completed', 'update 1:15', 'clear 0:02', 'init 1:03', 'kickstart 0:27'],
    ]);
  });

  it('RP4 says what each changed, what is unknown, and what is not counted yet', () => {
    const { view, wallMs } = respawnScene('watching');
    const [newest, unknown, known] = cycleRows(view, wallMs);
    expect(newest?.changes).toBe(null);
    expect(unknown?.changes?.map(({ label }) => label)).toEqual([
      'commits unknown',
      'files unknown',
      '0 tokens',
    ]);
    expect(known?.changes?.map(({ label }) => label)).toEqual([
      '2 commits',
      '7 files',
      '97.7 k tokens',
    ]);
  });

  it('RP4 a plan that ended a cycle is no failure', () => {
    const { view, wallMs } = respawnScene('updating');
    const [open, ...older] = view.cycles;
    if (open === undefined) throw new Error('no cycle is open');
    const planned = { ...open, ended_at: open.started_at, outcome: 'planned' as const };
    const state = 'watching' as const;
    const [row] = cycleRows({ ...view, state, cycles: [planned, ...older] }, wallMs);
    expect(row?.outcome).toMatchObject({ label: 'Ended: a step led to a plan', tone: 'work' });
    expect(row?.steps.map(({ note }) => note)).toEqual([
      'led to a plan',
      'not sent',
      'not sent',
      'not sent',
    ]);
  });

  it('RP4 the one under way has a duration that grows, and one next step', () => {
    const { view, wallMs } = respawnScene('updating');
    const [now, later] = [0, 5_000].map((ms) => cycleRows(view, wallMs + ms)[0]);
    expect((later?.seconds ?? 0) - (now?.seconds ?? 0)).toBe(5);
    expect(now?.steps.map(({ note }) => note)).toEqual(['now', 'next', '', '']);
  });

  it('RP4 cycles that changed nothing are marked, cancelled ones are not', () => {
    const fruitless = (name: 'circuit_open' | 'watching') =>
      cycleRows(respawnScene(name).view, 0).map(({ isFruitless }) => isFruitless);
    expect(fruitless('circuit_open')).toEqual([true, true]);
    expect(fruitless('watching')).toEqual([false, false, false, false, false]);
  });
});

/** What people and programs read about a session that is kept going, in every state. */
import { describe, expect, it } from 'vitest';
import { RESPAWN_STATES } from '../../../shared/rules/respawn/respawn-names.ts';
import { EVENT_TYPES, eventDataSchema } from '../../../shared/schema/events/events.ts';
import { RespawnView } from '../../../shared/schema/loops/respawn.ts';
import { describeEvent } from '../../../shared/words/events/describe-event.ts';
import { respawnView } from '../../../server/respawn/respawn-view.ts';
import { eventRecord } from '../../support/events/event-record.ts';
import { RespawnLife, START_WALL } from '../../support/respawn/respawn-life.ts';

const viewOf = (life: RespawnLife) =>
  respawnView(life.known, { clockMs: life.clockMs, wallMs: START_WALL + life.clockMs });

const iso = (ms: number) => new Date(START_WALL + ms).toISOString();

/** A life that passes every state, with its view on the way. */
function wholeLife(check: (life: RespawnLife) => void): RespawnLife {
  const life = new RespawnLife({ kickstart_prompt: 'Go on.' });
  const steps: ((each: RespawnLife) => unknown)[] = [
    (each) => each,
    (each) => each.start(60).ready('screen'),
    (each) => each.text().tick(10_000),
    (each) => each.completes(),
    (each) => each.tick(10_000),
    (each) => each.answer({ verdict: 'WORKING', reasoning: 'a build runs' }),
    (each) => each.working(),
    (each) => each.ready().tick(3_000),
    ...Array.from({ length: 4 }, () => [
      (each: RespawnLife) => each.tick(1_000),
      (each: RespawnLife) => each.deliver(),
      (each: RespawnLife) => each.working().ready().tick(10_000),
      (each: RespawnLife) => (each.name === 'monitoring_init' ? each.tick(3_000) : each),
    ]).flat(),
    (each) => each.deliver().working().ready().tick(2_000),
    (each) => each.agent('limited', { cause: 'usage', until: iso(9_000_000) }).tick(60_000),
    (each) => each.pause(),
    (each) => each.resume(),
    (each) => each.configure({ send_init: false }),
    (each) => each.stop(),
  ];
  for (const step of steps) {
    step(life);
    check(life);
  }
  return life;
}

describe('the view', () => {
  it('RS42 is complete in every state', () => {
    const seen = new Set<string>();
    wholeLife((life) => {
      const view = viewOf(life);
      expect(RespawnView.strict().parse(view)).toEqual(view);
      expect(view.next).toMatch(/^[A-Z].*\.$/);
      seen.add(view.state);
    });
    expect([...seen].sort()).toEqual(
      expect.arrayContaining(['stopped', 'watching', 'ai_checking']),
    );
    expect(RESPAWN_STATES.filter((state) => !seen.has(state))).toEqual([]);
  });

  it('RS42 lists the next timer, and all running ones', () => {
    const life = RespawnLife.plain().completes().tick(2_000);
    const view = viewOf(life);
    expect(view).toMatchObject({ state: 'confirming_idle', since: iso(0), until: iso(10_000) });
    expect(view.timers.map(({ timer }) => timer)).toEqual([
      'completion_confirm',
      'no_output',
      'stuck',
    ]);
    expect(view.confidence).toBe(75);
  });

  it('RS31 RS42 a pause has no next timer, and a timed run keeps its seconds', () => {
    const life = new RespawnLife().start(1).tick(10_000).pause().tick(60_000);
    expect(viewOf(life)).toMatchObject({
      paused: true,
      until: null,
      ends_at: null,
      seconds_left: 50,
    });
    expect(viewOf(life.resume())).toMatchObject({ seconds_left: 50, ends_at: iso(120_000) });
  });

  it('RS42 shows the layers with their witnesses', () => {
    const { layers } = viewOf(RespawnLife.plain().completes());
    expect(layers.map(({ layer }) => layer)).toEqual([
      'agent_state',
      'hooks',
      'completion_line',
      'ai_verdict',
      'silence',
      'token_stability',
      'no_work',
    ]);
    expect(layers[2]).toMatchObject({ holds: true, evidence: { lines: ['✻ Worked for 2m 46s'] } });
  });

  it('RS42 shows a pause of a checker until it is over', () => {
    const life = RespawnLife.watching().text().tick(10_000);
    life.answer({ verdict: 'WORKING', reasoning: 'a build runs' });
    expect(viewOf(life).idle_check).toMatchObject({
      status: 'cooldown',
      until: iso(190_000),
      verdict: 'WORKING',
      reasoning: 'a build runs',
    });
    life.working().tick(180_000);
    expect(viewOf(life).idle_check).toMatchObject({ status: 'ready', until: null });
  });

  it('RS43 shows past cycles with what each changed', () => {
    const life = RespawnLife.plain({ send_clear: false, send_init: false });
    life.see({ tree: { commits: 1, files: 2 } }).output({ tokens: 100 });
    life.working().ready().tick(3_000).step();
    life.output({ tokens: 350 }).see({ tree: { commits: 3, files: 6 } });
    life.working().ready().tick(3_000);
    expect(viewOf(life).cycles).toMatchObject([
      { cycle: 2, outcome: null, ended_at: null },
      { cycle: 1, outcome: 'completed', commits: 2, files: 4, tokens: 250, progress: true },
    ]);
  });

  it('RS43 BM-004 keeps 20 actions and 20 past cycles', () => {
    const life = RespawnLife.plain({ send_clear: false, send_init: false });
    for (let count = 0; count < 30; count += 1) life.working().ready().tick(3_000).step();
    const view = viewOf(life);
    expect([view.actions.length, view.cycles.length, view.cycle]).toEqual([20, 20, 30]);
    expect(view.actions[0]?.detail).toContain('waiting_update to watching');
  });
});

describe('events', () => {
  it('RS44 each event is as its schema says, and is one sentence', () => {
    const life = wholeLife(() => undefined);
    const types = new Set(life.events.map(({ type }) => type));
    expect([...types].sort()).toEqual(
      EVENT_TYPES.filter(
        (type) => type.startsWith('respawn.') && type !== 'respawn.auto_accepted',
      ).sort(),
    );
    for (const draft of life.events) {
      expect(eventDataSchema(draft.type).safeParse(draft.data).error).toBeUndefined();
      const record = eventRecord(draft, 1);
      expect(record.subject).toEqual({ kind: 'respawn', id: 'web' });
      expect(describeEvent(record).text).toMatch(/^[A-Z]/);
    }
  });

  it('RS44 events record who paused it, and who changed what', () => {
    const said = ({ events }: RespawnLife) =>
      events.slice(-1).map((event) => describeEvent(eventRecord(event, 1)).text);
    expect(said(RespawnLife.plain().pause())).toEqual(['Respawn paused by mia']);
    expect(said(RespawnLife.plain().pause().resume())).toEqual(['Respawn resumed by mia']);
    const configured = RespawnLife.plain().forget();
    configured.configure({ update_prompt: 'Note it.', send_init: false });
    expect(said(configured)).toEqual(['Respawn configured by mia: update_prompt, send_init']);
    expect(configured.forget().configure({ send_init: false }).events).toEqual([]);
  });

  it('RS44 the sentence of a cycle says what it changed', () => {
    const outcome = 'completed' as const;
    const data = { cycle: 3, outcome, steps: [], skipped: [], seconds: 61 };
    const sentence = (more: {
      commits: number | null;
      files: number | null;
      tokens: number | null;
    }) =>
      describeEvent(
        eventRecord({ type: 'respawn.cycle_done', session: 'web', data: { ...data, ...more } }, 1),
      ).text;
    expect(sentence({ commits: 1, files: 2, tokens: null })).toBe(
      'Cycle 3 completed, 1:01: 1 commit, 2 files',
    );
    expect(sentence({ commits: 0, files: null, tokens: null })).toBe('Cycle 3 completed, 1:01');
  });
});

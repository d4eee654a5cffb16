/** Typing under everything that may happen between a probe and a key, against a model of programs. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '../../support/house/random.ts';
import {
  type AgentBehaviour,
  type Played,
  TypingStage,
} from '../../support/terminals/typing-stage.ts';

const RUNS = sized({ short: 150, middle: 500, long: 5_000 });

type Step =
  | { submit: 'person' | 'daemon' }
  | { comes: Played['kind'] }
  | { state: Played['state'] }
  | { manner: AgentBehaviour }
  | { clear: true }
  | { types: string }
  | { dies: 'before' | 'after' }
  | { restart: true }
  | { sinceTypedMs: number | null }
  | { cancel: true }
  | { pump: true };

const kind = fc.constantFrom<Played['kind']>('agent', 'shell', 'program');
const state = fc.constantFrom<Played['state']>(
  'ready',
  'ready',
  'working',
  'waiting',
  'unknown',
  'limited',
  'compacting',
);
const manner = fc.constantFrom<AgentBehaviour>('confirms', 'mute', 'swallows', 'loses_enter');

/** What happens in the terminal, whether it is probed or not. */
const change: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ comes: kind }),
  fc.record({ state }),
  fc.record({ manner }),
  fc.constant({ clear: true as const }),
  fc.constant({ types: 'half a line' }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ submit: fc.constantFrom('person' as const, 'daemon' as const) }),
  },
  { weight: 3, arbitrary: change },
  { weight: 2, arbitrary: fc.record({ state: fc.constant('ready' as const) }) },
  { weight: 2, arbitrary: fc.constant({ pump: true as const }) },
  fc.record({ dies: fc.constantFrom('before' as const, 'after' as const) }),
  fc.constant({ restart: true as const }),
  fc.record({ sinceTypedMs: fc.constantFrom(null, 500, 60_000) }),
  fc.constant({ cancel: true as const }),
);
/** A change that comes while something is being typed, at the probe or key with that count. */
const interruption = fc.option(fc.record({ calls: fc.integer({ min: 1, max: 8 }), change }));

it('IN9 IN10 IN11 IN4 no input reaches another program, and no delivery is claimed without proof', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ step, interruption }), { maxLength: 25 }),
      async (steps) => {
        using stage = new TypingStage();
        for (const [number, { step: wanted, interruption: planned }] of steps.entries()) {
          if (planned !== null) plan(stage, planned);
          await perform(stage, wanted, number);
        }
        check(stage);
      },
    ),
    { seed: 20261122, numRuns: RUNS },
  );
});

function plan(stage: TypingStage, { calls, change: what }: { calls: number; change: Step }): void {
  const act = () => apply(stage, what);
  if ('comes' in what) stage.planned.push({ calls, act, comes: what.comes });
  else stage.planned.push({ calls, act });
}

async function perform(stage: TypingStage, what: Step, number: number): Promise<void> {
  if ('submit' in what) await stage.submit(`${what.submit} ${number}`, what.submit);
  else if ('pump' in what) await stage.pump();
  else if ('restart' in what) {
    stage.open();
    await stage.pump();
  } else if ('dies' in what) {
    stage.dies = what.dies;
    await stage.pump();
    stage.open();
    stage.dies = null;
  } else if ('cancel' in what) {
    const held = stage.outbox.list('web').find(({ delivery }) => delivery === 'held');
    if (held !== undefined) stage.outbox.cancel('web', held.id);
  } else {
    apply(stage, what);
    await stage.pump();
  }
}

function apply(stage: TypingStage, what: Step): void {
  const { front } = stage;
  if ('comes' in what) stage.front = stage.play(what.comes);
  else if ('sinceTypedMs' in what) stage.sinceTypedMs = what.sinceTypedMs;
  else if (front === null) return;
  else if ('state' in what) front.state = what.state;
  else if ('manner' in what) front.manner = what.manner;
  else if ('types' in what && front.kind === 'agent') {
    Object.assign(front, { box: 'draft', draft: (front.draft ?? '') + what.types });
  } else if ('clear' in what && front.kind === 'agent') {
    front.program = { ...front.program, conversation: `after ${front.program.conversation ?? ''}` };
    Object.assign(front, { box: 'empty', draft: null });
  }
}

function check(stage: TypingStage): void {
  expect(stage.offences).toEqual([]);
  expect(new Set(stage.typed).size).toBe(stage.typed.length);
  for (const { text, delivery } of stage.outbox.list('web')) {
    if (delivery === 'delivered') expect(stage.confirmed).toContain(text);
    if (delivery === 'typed') expect(stage.typed).toContain(text);
    if (delivery === 'held' || delivery === 'failed') expect(stage.typed).not.toContain(text);
  }
}

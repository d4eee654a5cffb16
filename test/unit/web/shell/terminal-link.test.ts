/**
 * A page's link to a terminal: what it requests, whether it has it, and that it gives away no
 * other's control.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type LinkInput,
  openLink,
  stepLink,
  type TerminalLink,
  type TerminalMode,
} from '../../../../web/lib/terminal/terminal-link.ts';
import { linkStyle, problemOf } from '../../../../web/lib/terminal/link-style.ts';

const WELCOME = { type: 'welcome' } as const;
const LOST = { type: 'closed', code: 1006 } as const;

/** Applies all inputs; returns the last link and the effects of the last input. */
function after(mode: TerminalMode, ...inputs: LinkInput[]) {
  return inputs.reduce((step, input) => stepLink(step.link, input), openLink(mode));
}

function controlled(): TerminalLink {
  return after('control', WELCOME, { type: 'attached', control: true }).link;
}

it('TP2 control is requested once connected, and held when the daemon confirms it', () => {
  expect(openLink('control').effects).toEqual([{ do: 'connect' }]);
  const asked = after('control', WELCOME);
  expect(asked.effects).toEqual([{ do: 'attach', control: true, take: false }]);
  expect(asked.link.controls).toBe(false);
  expect(linkStyle(controlled()).label).toBe('You have control');
});

it('TP14 control that another person has is not taken without a confirmation', () => {
  const { link } = after(
    'control',
    WELCOME,
    { type: 'control', control: false, by: 'Mia' },
    { type: 'attached', control: false },
  );
  expect(link).toMatchObject({ mode: 'view', controls: false, other: 'Mia' });
  expect(problemOf(link)?.text).toBe('Mia has control. You are view-only.');
  const { effects } = stepLink(link, { type: 'ask', mode: 'control', take: true });
  expect(effects).toEqual([{ do: 'attach', control: true, take: true }]);
});

it('TP3 the person who took control is named until they release it', () => {
  const taken = stepLink(controlled(), { type: 'control', control: false, by: 'Mia' }).link;
  expect(taken).toMatchObject({ mode: 'view', controls: false });
  expect(problemOf(taken)?.text).toBe('Mia took control. You are view-only now.');
  const free = stepLink(taken, { type: 'control', control: false, by: null }).link;
  expect([problemOf(free), linkStyle(free).label]).toEqual([null, 'No one has control']);
});

it('TP4 a lost connection is opened again with the same request, never by force', () => {
  const taking = stepLink(controlled(), { type: 'ask', mode: 'control', take: true }).link;
  const lost = stepLink(taking, LOST);
  expect(lost.effects).toEqual([{ do: 'wait', failures: 1 }]);
  expect(lost.link).toMatchObject({ phase: 'waiting', controls: false });
  const again = stepLink(lost.link, { type: 'retry' });
  expect(again.effects).toEqual([{ do: 'connect' }]);
  const back = stepLink(again.link, WELCOME);
  expect(back.effects).toEqual([{ do: 'attach', control: true, take: false }]);
});

it('TP4 repeated failures are retried less often, until the terminal is shown again', () => {
  const twice = after('view', WELCOME, LOST, { type: 'retry' }, WELCOME, LOST);
  expect(twice.effects).toEqual([{ do: 'wait', failures: 2 }]);
  const shown = stepLink(after('view', LOST, { type: 'retry' }, WELCOME).link, {
    type: 'attached',
    control: false,
  });
  expect(shown.link.failures).toBe(0);
});

it.each<[string, LinkInput]>([
  ['the terminal ended', { type: 'detached', reason: 'terminal_gone' }],
  ['the session is gone', { type: 'error', code: 'session_unknown' }],
  ['the daemon refused the connection', { type: 'closed', code: 4406 }],
])('TP4 when %s only a person can retry', (_, input) => {
  const { link } = stepLink(controlled(), input);
  expect(link).toMatchObject({ phase: 'ended', controls: false });
  expect(problemOf(link)).not.toBe(null);
  expect(stepLink(link, { type: 'closed', code: 1000 })).toEqual({ link, effects: [] });
  expect(stepLink(link, { type: 'retry' }).effects).toEqual([]);
  expect(stepLink(link, { type: 'ask', mode: 'view', take: false }).effects).toEqual([
    { do: 'connect' },
  ]);
});

it('TP5 a person who may not type only views', () => {
  const { link, effects } = after('control', WELCOME, { type: 'error', code: 'role_too_low' });
  expect(effects).toEqual([{ do: 'attach', control: false, take: false }]);
  expect(link.mode).toBe('view');
});

const name = fc.constantFrom('Mia', 'admin', null);
const anyInput: fc.Arbitrary<LinkInput> = fc.oneof(
  fc.constant(WELCOME),
  fc.record({ type: fc.constant('attached' as const), control: fc.boolean() }),
  name.map((by) => ({ type: 'control' as const, control: false, by })),
  fc
    .constantFrom('requested', 'terminal_gone', 'terminal_replaced', 'daemon_stopping')
    .map((reason) => ({
      type: 'detached' as const,
      reason: reason as 'requested',
    })),
  fc.constantFrom(1006, 1012, 4008, 4400).map((code) => ({ type: 'closed' as const, code })),
  fc.constantFrom('retry' as const, 'redraw' as const).map((type) => ({ type })),
  fc.record({
    type: fc.constant('ask' as const),
    take: fc.boolean(),
    mode: fc.constantFrom<TerminalMode>('view', 'control'),
  }),
);

it('TP4, TP14 over any events, keys are sent only while attached and force only after a person confirms', () => {
  fc.assert(
    fc.property(fc.array(anyInput, { maxLength: 40 }), (inputs) => {
      let { link } = openLink('control');
      let mayTake = false;
      for (const input of inputs) {
        if (input.type === 'ask') mayTake = input.take;
        const step = stepLink(link, input);
        const forced = step.effects.some((effect) => effect.do === 'attach' && effect.take);
        if (forced) expect(mayTake).toBe(true);
        if (input.type === 'attached' || input.type === 'closed') mayTake = false;
        if (step.link.controls) expect(step.link.phase).toBe('attached');
        if (step.link.phase === 'ended') expect(problemOf(step.link)).not.toBe(null);
        ({ link } = step);
      }
    }),
    { numRuns: 2_000 },
  );
});

/** What may happen to a session that is kept going, in any order. */
import fc from 'fast-check';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import type { RespawnLife } from './respawn-life.ts';

export type Deed =
  /** What leads on from the state it is in. */
  | { forward: 'reported' | 'seen' | 'restless' }
  | { tick: number }
  | { agent: AgentState['state']; cause: AgentState['cause']; witness: AgentState['witness'] }
  | { output: 'text' | 'redraw' | 'work' | 'completion' | 'prompt' | 'menu' | 'tokens' }
  | { hook: 'stop' | 'idle' | 'asked' | 'answered' | 'prompt' }
  | { verdict: 'yes' | 'no' | 'error' | 'late' }
  | { deliver: 'delivered' | 'typed' | 'failed' | 'unknown' | 'late' }
  | { see: 'background' | 'nothing' | 'commit' | 'gone' | 'limit' | 'plan' }
  | { rule: 'start' | 'timed' | 'stop' | 'pause' | 'resume' | 'restart' | 'off' | 'on' | 'checks' };

type Word = 'forward' | 'output' | 'hook' | 'verdict' | 'deliver' | 'see' | 'rule';
type ValueOf<Key extends Word> = Extract<Deed, Record<Key, unknown>>[Key];

function words<Key extends Word>(weight: number, key: Key, values: readonly ValueOf<Key>[]) {
  return {
    weight,
    arbitrary: fc.constantFrom(...values).map((value) => ({ [key]: value }) as unknown as Deed),
  };
}

/** A state as often as it is likely. */
const STATES: readonly AgentState['state'][] = [
  'ready',
  'ready',
  'ready',
  'working',
  'working',
  'waiting',
  'limited',
  'errored',
  'interrupted',
  'background',
  'unknown',
  'exited',
];
const CAUSES: readonly AgentState['cause'][] = ['none', 'plan', 'question', 'network', 'billing'];
const WITNESSES: readonly AgentState['witness'][] = ['record', 'screen'];

const seen = fc.record({
  agent: fc.constantFrom(...STATES),
  cause: fc.constantFrom(...CAUSES),
  witness: fc.constantFrom(...WITNESSES),
});
const passed = fc.record({ tick: fc.constantFrom(1, 900, 3_000, 10_000, 31_000, 700_000) });

export const deed: fc.Arbitrary<Deed> = fc.oneof(
  words(24, 'forward', ['reported', 'reported', 'reported', 'seen', 'restless']),
  { weight: 6, arbitrary: passed },
  { weight: 5, arbitrary: seen },
  words(4, 'output', ['text', 'redraw', 'work', 'completion', 'prompt', 'menu', 'tokens']),
  words(3, 'hook', ['stop', 'idle', 'asked', 'answered', 'prompt']),
  words(3, 'verdict', ['yes', 'yes', 'no', 'error', 'late']),
  words(6, 'deliver', ['delivered', 'delivered', 'typed', 'failed', 'unknown', 'late']),
  words(2, 'see', ['background', 'nothing', 'nothing', 'commit', 'gone', 'limit', 'plan']),
  words(2, 'rule', ['start', 'start', 'timed', 'stop', 'pause', 'resume', 'resume', 'restart']),
  words(1, 'rule', ['start', 'off', 'on', 'checks']),
);

export function perform(life: RespawnLife, what: Deed): void {
  if ('tick' in what) life.tick(what.tick);
  else if ('forward' in what) forward(life, what.forward);
  else if ('agent' in what) life.agent(what.agent, { cause: what.cause, witness: what.witness });
  else if ('output' in what) print(life, what.output);
  else if ('hook' in what) life.hook(what.hook);
  else if ('verdict' in what) judge(life, what.verdict);
  else if ('deliver' in what) deliver(life, what.deliver);
  else if ('see' in what) see(life, what.see);
  else rule(life, what.rule);
}

function forward(life: RespawnLife, how: ValueOf<'forward'>): void {
  const { name } = life;
  if (how === 'restless') {
    for (let count = 0; count < 8; count += 1) life.tick(9_000).completes();
  } else if (name.startsWith('sending')) life.tick(1_000).deliver();
  else if (name === 'waiting_clear') life.output({ isPrompt: true });
  else if (name === 'monitoring_init') life.tick(3_000);
  else if (name === 'ai_checking') life.answer({ verdict: 'IDLE', reasoning: '' });
  else if (how === 'reported') life.working().ready().tick(10_000);
  else life.ready('screen').completes().tick(10_000);
}

function print(life: RespawnLife, what: ValueOf<'output'>): void {
  const isSubstantial = what === 'text' || what === 'menu' || what === 'completion';
  life.output({
    isSubstantial,
    work: what === 'work' ? '✻ Cooking…' : null,
    completion: what === 'completion' ? '✻ Cooked for 3s' : null,
    isPrompt: what === 'prompt',
    tokens: what === 'tokens' ? life.clockMs : null,
    menu: what === 'menu' ? ['❯ 1. Yes', '2. No'] : null,
  });
}

function judge(life: RespawnLife, how: ValueOf<'verdict'>): void {
  const asked = life.effects.findLast(({ kind }) => kind === 'ask');
  if (how === 'late' || asked?.kind !== 'ask') {
    life.meet({ kind: 'verdict', check: '0.0', result: { verdict: 'IDLE', reasoning: '' } });
  } else if (how === 'error') life.answer({ error: 'why' });
  else {
    const [yes, no] =
      asked.check === 'idle'
        ? (['IDLE', 'WORKING'] as const)
        : (['PLAN_MODE', 'NOT_PLAN_MODE'] as const);
    life.answer({ verdict: how === 'yes' ? yes : no, reasoning: '' });
  }
}

function deliver(life: RespawnLife, how: ValueOf<'deliver'>): void {
  if (how === 'late')
    life.meet({ kind: 'delivery', input: '0.0.update', delivery: 'delivered', detail: null });
  else life.deliver(how);
}

function see(life: RespawnLife, what: ValueOf<'see'>): void {
  const none = { subagents: 0, shells: 0, teammates: 0 };
  const commits = life.known.run?.signs.tree?.commits ?? 0;
  if (what === 'background') life.see({ background: { ...none, shells: 1 } });
  else if (what === 'nothing') life.see({ background: none, mayTry: true, planRequest: null });
  else if (what === 'commit') life.see({ tree: { commits: commits + 1, files: 0 } });
  else if (what === 'gone') life.see({ agent: null });
  else if (what === 'limit') life.see({ mayTry: false });
  else life.agent('waiting', { cause: 'plan', witness: 'hook' }).see({ planRequest: 'item' });
}

function rule(life: RespawnLife, what: ValueOf<'rule'>): void {
  if (what === 'start') life.start();
  else if (what === 'timed') life.start(20);
  else if (what === 'stop') life.stop();
  else if (what === 'pause') life.pause();
  else if (what === 'resume') life.resume();
  else if (what === 'restart') life.meet({ kind: 'restored' });
  else if (what === 'off') life.configure({ enabled: false });
  else if (what === 'on') life.configure({ enabled: true });
  else
    life
      .meet({ kind: 'enable_check', check: 'idle' })
      .meet({ kind: 'enable_check', check: 'plan' });
}

/** When a session that Loopwatch did not start needs a person, on a real inbox. */
import { expect, it } from 'vitest';
import type { AgentState } from '../../../shared/schema/agents/agent-state.ts';
import { FoundNeeds, type FoundSituation } from '../../../server/attention/found-needs.ts';
import { agentState, PERMISSION } from '../../support/agents/agent-states.ts';
import { AttentionHome } from '../../support/agents/attention-home.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

class Stage {
  readonly home = new AttentionHome();
  situation: FoundSituation | null = null;
  needs = this.#open();

  /** The session is in that state from now on. */
  become(agent: AgentState, hasWorkLeft = false): void {
    const since = new Date(this.home.clock.now()).toISOString();
    this.situation = { agent: { ...agent, since }, folder: 'shop', hasWorkLeft };
    this.needs.observe('one');
  }

  /** Another daemon on the same database. */
  restart(): void {
    this.needs.dispose();
    this.home.restart();
    this.needs = this.#open();
    this.needs.observe('one');
  }

  titles(): string[] {
    return this.home.open().map(({ title }) => title);
  }

  [Symbol.dispose](): void {
    this.needs.dispose();
    expect(this.home.clock.pending).toBe(0);
    this.home[Symbol.dispose]();
  }

  #open(): FoundNeeds {
    const { attention, clock } = this.home;
    return new FoundNeeds({ attention, clock, situationOf: () => this.situation });
  }
}

it('FS17 a wait is an item after two minutes, and no longer than it lasts', () => {
  using stage = new Stage();
  const { clock } = stage.home;
  stage.become(PERMISSION);
  clock.advance(2 * MINUTE - SECOND);
  expect(stage.titles()).toEqual([]);
  clock.advance(SECOND);
  expect(stage.titles()).toEqual(['The agent in shop needs permission']);
  stage.needs.observe('one');
  expect(stage.titles()).toHaveLength(1);
  stage.become(agentState({ state: 'working' }));
  expect(stage.titles()).toEqual([]);
  stage.become(PERMISSION);
  clock.advance(MINUTE);
  stage.become(agentState({ state: 'working' }));
  clock.advance(10 * MINUTE);
  expect(stage.home.words()).toEqual([
    'attention.raised permission',
    'attention.cleared permission resolved',
  ]);
});

it('FS17 an error is an item after two minutes, also one that Loopwatch would retry', () => {
  using stage = new Stage();
  stage.become(agentState({ state: 'errored', cause: 'overloaded' }));
  stage.home.clock.advance(2 * MINUTE);
  expect(stage.titles()).toEqual(['The agent in shop stopped on an error']);
});

it('FS17 an hour idle is an item only with a step of its list open', () => {
  using stage = new Stage();
  const { clock } = stage.home;
  stage.become(agentState({ state: 'ready' }), true);
  clock.advance(60 * MINUTE - SECOND);
  expect(stage.titles()).toEqual([]);
  clock.advance(SECOND);
  expect(stage.titles()).toEqual(['The agent in shop is idle with work left']);
  stage.become(agentState({ state: 'ready' }), false);
  clock.advance(120 * MINUTE);
  expect(stage.titles()).toEqual([]);
});

it('FS13 FS17 the time counts across daemons, and a dismissed item stays dismissed', () => {
  using stage = new Stage();
  stage.become(PERMISSION);
  stage.home.clock.advance(MINUTE);
  stage.restart();
  stage.home.clock.advance(MINUTE);
  expect(stage.titles()).toHaveLength(1);
  stage.restart();
  expect(stage.titles()).toHaveLength(1);
  stage.home.attention.dismiss(stage.home.open()[0]?.id ?? '', 'Noor');
  stage.needs.observe('one');
  stage.restart();
  expect(stage.titles()).toEqual([]);
});

it('FS13 FS17 what ends needs no one, whether its item was raised or not', () => {
  using stage = new Stage();
  stage.become(PERMISSION);
  stage.needs.ended('one');
  stage.home.clock.advance(10 * MINUTE);
  expect(stage.home.words()).toEqual([]);
  stage.become(PERMISSION);
  stage.home.clock.advance(2 * MINUTE);
  stage.needs.ended('one');
  expect(stage.home.words().at(-1)).toBe('attention.cleared permission gone');
});

/** The queue of inputs on a real database, with terminals and agents that a test plays. */
import { expect, it } from 'vitest';
import { rowsOf } from '../../support/events/event-home.ts';
import { type Played, TypingStage } from '../../support/terminals/typing-stage.ts';

/** A stage whose agent is in this state. */
function before(change: Partial<Played>): TypingStage {
  const stage = new TypingStage();
  Object.assign(agentOf(stage), change);
  return stage;
}

function agentOf({ front }: TypingStage): Played {
  if (front === null) throw new Error('nothing is in front');
  return front;
}

it('IN1 IN10 an input is stored, typed once, and delivered when the agent confirmed it', async () => {
  using stage = new TypingStage();
  expect(await stage.submit('one')).toMatchObject({ id: 1, delivery: 'delivered', reason: null });
  expect(stage.typed).toEqual(['one']);
});

it.each([
  ['waiting', 'empty', 'agent_waiting'],
  ['starting', 'none', 'agent_starting'],
  ['limited', 'empty', 'agent_limited'],
  ['unknown', 'empty', 'agent_unknown'],
  ['compacting', 'empty', 'agent_busy'],
  ['ready', 'draft', 'draft_in_box'],
  ['ready', 'none', 'agent_unknown'],
] as const)(
  'IN2 with a %s agent and the box %s nothing is typed: %s',
  async (state, box, reason) => {
    using stage = before({ state, box });
    expect(await stage.submit('one')).toMatchObject({ delivery: 'held', reason });
    expect(stage.typed).toEqual([]);
    Object.assign(agentOf(stage), { state: 'ready', box: 'empty' });
    await stage.pump();
    expect(stage.deliveries()).toEqual(['one delivered']);
  },
);

it('IN2 a working agent gets a person’s input and not the daemon’s', async () => {
  using stage = before({ state: 'working' });
  expect(await stage.submit('mine')).toMatchObject({ delivery: 'delivered' });
  expect(await stage.submit('its', 'daemon')).toMatchObject({
    delivery: 'failed',
    reason: 'agent_busy',
  });
});

it('IN3 people’s input goes first, in order of arrival', async () => {
  using stage = before({ state: 'waiting' });
  await stage.submit('person 1');
  const answer = stage.submit('daemon', 'daemon');
  await stage.submit('person 2');
  agentOf(stage).state = 'ready';
  await stage.pump();
  await answer;
  expect(stage.typed).toEqual(['person 1', 'person 2']);
  expect(stage.deliveries()[1]).toBe('daemon failed after_others');
});

it('IN4 input the agent does not confirm is unknown, and is not typed again', async () => {
  using stage = before({ manner: 'swallows' });
  expect(await stage.submit('one')).toMatchObject({ delivery: 'delivering' });
  await stage.pump();
  expect(stage.deliveries()).toEqual(['one unknown not_confirmed']);
  await stage.pump();
  expect(stage.typed).toEqual(['one']);
});

it.each([
  ['leaves the box', null],
  ['ends the agent', 'shell'],
  ['is followed by another agent', 'agent'],
] as const)('CL53 IN14 a command of the agent that %s is typed, and says why', async (_, after) => {
  using stage = before({ manner: 'swallows' });
  // The probe before it, the paste, the probe of the box, Enter.
  const act = () => (stage.front = after === null ? stage.front : stage.play(after));
  stage.planned.push({ calls: 5, act });
  expect(await stage.submit('/exit')).toMatchObject({ delivery: 'typed', reason: 'agent_command' });
  await stage.pump();
  expect({ typed: stage.typed, offences: stage.offences }).toEqual({
    typed: ['/exit'],
    offences: [],
  });
});

it('CL53 IN10 a command that the agent confirms is delivered, and a path is no command', async () => {
  using stage = new TypingStage();
  expect(await stage.submit('/plugin:verb words')).toMatchObject({ delivery: 'delivered' });
  Object.assign(agentOf(stage), { state: 'ready', manner: 'swallows' });
  await stage.submit('/etc/hosts is wrong');
  await stage.pump();
  expect(stage.deliveries()[1]).toBe('/etc/hosts is wrong unknown not_confirmed');
});

it('CL53 IN2 a command is held like any input while the agent accepts none', async () => {
  using stage = before({ state: 'waiting', manner: 'mute' });
  expect(await stage.submit('/exit')).toMatchObject({ delivery: 'held', reason: 'agent_waiting' });
  agentOf(stage).state = 'ready';
  await stage.pump();
  expect(stage.deliveries()).toEqual(['/exit typed agent_command']);
});

it('IN13 IN14 input for an agent that has no way to confirm stays typed, and so does input for a shell', async () => {
  using stage = before({ manner: 'mute' });
  expect(await stage.submit('one')).toMatchObject({ delivery: 'typed', reason: null });
  stage.front = stage.play('shell');
  expect(await stage.submit('two')).toMatchObject({ delivery: 'typed', reason: null });
});

it('IN15 an Enter that was lost is pressed once more, while exactly our text is in the box', async () => {
  using stage = before({ manner: 'loses_enter' });
  await stage.submit('one');
  await stage.pump();
  expect(stage.deliveries()).toEqual(['one delivered']);
  expect(agentOf(stage).taken).toEqual(['one']);
});

it('IN11 Enter is withheld when a person changed the box meanwhile', async () => {
  using stage = new TypingStage();
  // The probe before it, the paste, and then a person types.
  stage.planned.push({ calls: 3, act: () => (agentOf(stage).draft = 'one and rm') });
  await stage.submit('one');
  await stage.pump();
  expect(stage.deliveries()).toEqual(['one unknown enter_withheld']);
  expect({ taken: agentOf(stage).taken, offences: stage.offences }).toEqual({
    taken: [],
    offences: [],
  });
});

it('IN11 an input that is withdrawn while it is typed gets no Enter, and stays as a draft', async () => {
  using stage = new TypingStage();
  stage.planned.push({ calls: 3, act: () => stage.outbox.withdraw('web', 1) });
  await stage.submit('one', 'daemon');
  expect(stage.deliveries()).toEqual(['one unknown withdrawn']);
  expect(agentOf(stage)).toMatchObject({ taken: [], draft: 'one' });
});

it('IN6 an input that is withdrawn while it is held has failed', async () => {
  using stage = before({ state: 'waiting' });
  await stage.submit('one');
  stage.outbox.withdraw('web', 1);
  expect(stage.deliveries()).toEqual(['one failed cancelled']);
  expect(() => stage.outbox.withdraw('web', 2)).toThrow('no input 2');
});

it('IN11 Enter is withheld when a dialog opened meanwhile', async () => {
  using stage = new TypingStage();
  stage.planned.push({ calls: 3, act: () => (agentOf(stage).state = 'waiting') });
  await stage.submit('one');
  await stage.pump();
  expect(stage.deliveries()).toEqual(['one unknown enter_withheld']);
  expect(stage.offences).toEqual([]);
});

it.each(['shell', 'agent', 'program'] as const)(
  'IN9 input held for an agent that ended fails when a %s is in the foreground',
  async (kind) => {
    using stage = before({ state: 'waiting' });
    await stage.submit('rm -rf build');
    stage.front = stage.play(kind);
    await stage.pump();
    expect(stage.deliveries()).toEqual(['rm -rf build failed program_changed']);
    expect(stage.typed).toEqual([]);
  },
);

it('IN9 input held for one conversation fails in another of the same client', async () => {
  using stage = before({ state: 'waiting' });
  await stage.submit('one');
  const { program } = agentOf(stage);
  Object.assign(agentOf(stage), {
    state: 'ready',
    program: { ...program, conversation: 'another' },
  });
  await stage.pump();
  expect(stage.deliveries()).toEqual(['one failed program_changed']);
});

it('IN9 the program is stored with the input: a new daemon knows it too', async () => {
  using stage = before({ state: 'waiting' });
  await stage.submit('one');
  const agent = agentOf(stage);
  stage.front = stage.play('shell');
  stage.open();
  await stage.pump();
  expect(stage.deliveries()).toEqual(['one failed program_changed']);
  stage.front = agent;
  await stage.submit('two');
  stage.open();
  agent.state = 'ready';
  await stage.pump();
  expect(stage.deliveries()).toContain('two delivered');
});

it('IN9 an answer of the daemon reaches the agent it was meant for, or nothing', async () => {
  using stage = new TypingStage();
  const { program } = agentOf(stage);
  stage.front = stage.play('agent');
  const answer = stage.outbox.answer('web', 'continue', program, null);
  expect(await stage.settled(answer)).toMatchObject({
    delivery: 'failed',
    reason: 'program_changed',
  });
  expect(stage.typed).toEqual([]);
});

it('IN9 input whose sender saw another program in the foreground is refused at once', async () => {
  using stage = new TypingStage();
  stage.front = stage.play('shell');
  const input = { text: 'delete it all', submit: true, to: 'agent' as const };
  expect(await stage.settled(stage.outbox.submit('web', input, 'mia'))).toMatchObject({
    delivery: 'failed',
    reason: 'program_changed',
  });
  expect(stage.typed).toEqual([]);
});

it('IN16 an empty input is not sent to an agent, which would take its suggestion', async () => {
  using stage = new TypingStage();
  expect(await stage.submit(' ')).toMatchObject({ delivery: 'failed', reason: 'nothing_to_send' });
  expect(stage.offences).toEqual([]);
});

it.each(['before', 'after'] as const)(
  'IN4 input of a daemon killed while it types (%s the text arrived) is unknown and never typed again',
  async (dies) => {
    using stage = new TypingStage();
    stage.dies = dies;
    await stage.submit('one');
    stage.open();
    await stage.pump();
    expect(stage.deliveries()).toEqual(['one unknown daemon_restarted']);
    expect(stage.typed).toEqual(dies === 'after' ? ['one'] : []);
  },
);

it('IN5 the daemon waits while a person types by hand, 10 s; other people 2 s', async () => {
  using stage = new TypingStage();
  stage.sinceTypedMs = 1_000;
  expect(await stage.submit('mine')).toMatchObject({ delivery: 'held', reason: 'person_typing' });
  stage.sinceTypedMs = 3_000;
  await stage.pump();
  agentOf(stage).state = 'ready';
  expect(await stage.submit('its', 'daemon')).toMatchObject({ reason: 'person_typing' });
  stage.sinceTypedMs = 10_000;
  expect(await stage.submit('its again', 'daemon')).toMatchObject({ delivery: 'delivered' });
  expect(stage.typed).toEqual(['mine', 'its again']);
});

it('IN6 held input can be cancelled, settled input cannot', async () => {
  using stage = before({ state: 'waiting' });
  const { id } = await stage.submit('one');
  expect(stage.outbox.cancel('web', id)).toMatchObject({ delivery: 'failed', reason: 'cancelled' });
  expect(() => stage.outbox.cancel('web', id)).toThrow(/no longer waiting/);
  agentOf(stage).state = 'ready';
  await stage.pump();
  expect(stage.typed).toEqual([]);
});

it('IN4 IN6 input that is settled while the agent is probed stays settled', async () => {
  using stage = before({ state: 'waiting' });
  const first = await stage.submit('one');
  const second = await stage.submit('two');
  const cancel = () => {
    // Another reason to wait than before.
    agentOf(stage).state = 'compacting';
    for (const { id } of [first, second]) stage.outbox.cancel('web', id);
  };
  stage.planned.push({ calls: 1, act: cancel });
  await stage.pump();
  expect(stage.deliveries()).toEqual(['one failed cancelled', 'two failed cancelled']);
  agentOf(stage).state = 'ready';
  await stage.pump();
  expect(stage.typed).toEqual([]);
});

it('LP67 leaves a dialog about a limit once, and only where it is open and no person types', async () => {
  using stage = before({ state: 'waiting', box: 'none', showsLimitDialog: true });
  const { program } = agentOf(stage);
  const leave = async (of = program) => stage.settled(stage.outbox.leaveLimitDialog('web', of));
  await leave({ ...program, pid: program.pid + 1 });
  stage.sinceTypedMs = 9_999;
  await leave();
  expect(stage.escapes).toBe(0);
  stage.sinceTypedMs = 10_000;
  await leave();
  expect(stage.escapes).toBe(1);
  Object.assign(agentOf(stage), { showsLimitDialog: false });
  await leave();
  stage.front = null;
  await leave();
  expect([stage.escapes, stage.typed]).toEqual([1, []]);
  const { database } = stage.home.open();
  const types = rowsOf(database).map(({ type }) => type);
  expect(types.filter((type) => type === 'session.interrupted')).toHaveLength(1);
});

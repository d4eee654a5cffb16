/** Wall times that were noted before the wall clock was set back. */
import { expect, it } from 'vitest';
import { isUnchangedSince } from '../../../server/sessions/watching/snapshot-due.ts';
import { Access } from '../../../server/people/access.ts';
import { People } from '../../../server/people/people.ts';
import { PersonStore } from '../../../server/people/person-store.ts';
import { HOME_IDENTITY } from '../../../server/people/identity.ts';
import { SetBack } from '../../../server/lib/set-back.ts';
import { Deadline } from '../../../server/supervision/deadline.ts';
import { QuotaGate } from '../../../server/supervision/quota-gate.ts';
import { type Outcome, Supervised } from '../../../server/supervision/supervised.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { failed, TaskLife } from '../../support/tasks/task-life.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

it('FA14 a clock that is set back is noticed once, one that is slewed or set forward never', () => {
  const clock = new ManualClock();
  const setBack = new SetBack(clock);
  clock.advance(HOUR_MS);
  expect(setBack.takeMs()).toBe(0);
  clock.jumpWall(-999);
  expect(setBack.takeMs()).toBe(0);
  clock.jumpWall(HOUR_MS);
  expect(setBack.takeMs()).toBe(0);
  clock.jumpWall(-3 * HOUR_MS);
  clock.advance(MINUTE_MS);
  expect([setBack.takeMs(), setBack.takeMs()]).toEqual([3 * HOUR_MS, 0]);
});

it('FA14 a clock that was set back while no daemon ran is noticed by what is stored, once', () => {
  const clock = new ManualClock();
  const setBack = new SetBack(clock, clock.now() + 3 * HOUR_MS);
  clock.advance(MINUTE_MS);
  expect([setBack.takeMs(), setBack.takeMs()]).toEqual([3 * HOUR_MS, 0]);
  expect(new SetBack(clock, clock.now() - HOUR_MS).takeMs()).toBe(0);
});

it('FA14 a pause of a task is as long as before, a known reset stays', () => {
  const paused = TaskLife.talking().happen(failed('overloaded'));
  const { dueMs } = paused.state;
  paused.wallMs -= 3 * HOUR_MS;
  paused.happen({ kind: 'set_back', byMs: 3 * HOUR_MS });
  expect(paused.state.dueMs).toBe((dueMs ?? 0) - 3 * HOUR_MS);
  expect(paused.state.wait?.until).toBe(new Date(paused.state.dueMs ?? 0).toISOString());
  paused.wallMs += 30_000;
  expect(paused.happen({ kind: 'tick' }).state.stage).toBe('queued');

  const unknown = TaskLife.talking().happen(failed('limit'));
  unknown.happen({ kind: 'set_back', byMs: HOUR_MS }).happen({ kind: 'set_back', byMs: HOUR_MS });
  expect(unknown.state.dueMs).toBe(unknown.wallMs + 30 * MINUTE_MS - 2 * HOUR_MS);

  const known = TaskLife.talking().happen(failed('limit', 'heard', 9 * HOUR_MS));
  known.happen({ kind: 'set_back', byMs: HOUR_MS });
  expect(known.state.dueMs).toBe(9 * HOUR_MS + 1_000);
});

it('FA23 a reset that passed while the machine slept is noticed within a minute, without a write before', () => {
  const clock = new ManualClock();
  const dueAt = clock.now() + 5 * HOUR_MS;
  let polls = 0;
  const deadline = new Deadline({
    clock,
    checkEveryMs: MINUTE_MS,
    inMs: () => dueAt - clock.now(),
    due: () => {
      polls += 1;
      return true;
    },
  });
  deadline.arm();
  clock.advance(10 * MINUTE_MS);
  clock.jumpWall(5 * HOUR_MS);
  expect(polls).toBe(0);
  clock.advance(MINUTE_MS);
  expect([polls, clock.pending]).toEqual([1, 0]);
});

it('FA23 a check that could not be stored is repeated', () => {
  const clock = new ManualClock();
  let isStored = false;
  const deadline = new Deadline({ clock, inMs: () => 0, due: () => isStored });
  deadline.arm();
  clock.advance(0);
  expect(clock.pending).toBe(1);
  isStored = true;
  clock.advance(5_000);
  expect(clock.pending).toBe(0);
});

it('FA14 a machine learns first that the clock was set back, once, after it could be stored', () => {
  using home = new EventHome();
  const { log } = home.open();
  const { clock } = home;
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const stored: string[] = [];
  let isFull = true;
  const supervised = new Supervised<string, string, Outcome<string, never>>(
    'begun',
    {
      transition: (_before, state) => ({ state, events: [], effects: [], quota: [] }),
      store: (_append, _before, { state }) => {
        if (isFull) throw new Error('the disk is full');
        stored.push(state ?? '');
      },
      isWorthStoring: () => true,
      onStored: () => undefined,
      require: () => undefined,
      dueInMs: () => HOUR_MS,
      onDue: (): boolean => supervised.notice('due'),
      setBack: (byMs) => `back ${byMs / HOUR_MS} h`,
      perform: () => undefined,
    },
    { subject: {}, quotaKey: '', quota: new QuotaGate(clock), log, clock, logger },
  );
  clock.jumpWall(-2 * HOUR_MS);
  expect([supervised.notice('first'), supervised.state]).toEqual([false, 'begun']);
  isFull = false;
  clock.jumpWall(-HOUR_MS);
  supervised.armDeadline();
  clock.advance(MINUTE_MS);
  expect(stored).toEqual(['back 3 h', 'due']);
  supervised.apply('last');
  expect(stored).toEqual(['back 3 h', 'due', 'last']);
  supervised.dispose();
});

it('FA14 a machine whose stored state is from the future learns of that at once', () => {
  using home = new EventHome();
  const { log } = home.open();
  const { clock } = home;
  const inputs: string[] = [];
  const supervised = new Supervised<string, string, Outcome<string, never>>(
    'waiting',
    {
      transition: (_before, input) => {
        inputs.push(input);
        return { state: input, events: [], effects: [], quota: [] };
      },
      store: () => undefined,
      isWorthStoring: () => true,
      onStored: () => undefined,
      require: () => undefined,
      dueInMs: () => 4 * HOUR_MS,
      onDue: (): boolean => supervised.notice('due'),
      setBack: (byMs) => `back ${byMs / HOUR_MS} h`,
      perform: () => undefined,
    },
    {
      subject: {},
      storedAtMs: clock.now() + 3 * HOUR_MS,
      quotaKey: '',
      quota: new QuotaGate(clock),
      log,
      clock,
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    },
  );
  supervised.armDeadline();
  clock.advance(0);
  expect(inputs).toEqual(['back 3 h', 'due']);
  clock.advance(HOUR_MS);
  expect(inputs).toHaveLength(2);
  supervised.dispose();
});

it('FA14 a snapshot from the future does not show the present screen', () => {
  expect(isUnchangedSince(HOUR_MS, 0, HOUR_MS)).toBe(true);
  expect(isUnchangedSince(HOUR_MS, 0, HOUR_MS - 1)).toBe(false);
});

it('FA14 GA6 GA16 a ticket and a login code expire no later when the clock is set back', () => {
  using home = new EventHome();
  const { database, log } = home.open();
  const { clock } = home;
  const say = () => undefined;
  const logger = { info: say, warn: say, error: say };
  const people = new People({ log, clock, logger, store: new PersonStore(database) });
  const access = new Access({ token: 'home', people, clock });
  const [ticket, other] = [access.createTicket(HOME_IDENTITY), access.createTicket(HOME_IDENTITY)];
  const code = access.createHomeCode();
  clock.jumpWall(-3 * HOUR_MS);
  clock.advance(30_000);
  expect(access.checkTicket(ticket.secret, 'here')).toBe(HOME_IDENTITY);
  clock.advance(1);
  expect(() => access.checkTicket(other.secret, 'here')).toThrow('a valid token is required');
  clock.advance(10 * MINUTE_MS);
  expect(() => access.login(code.secret, 'here')).toThrow('was already used or has expired');
});

/** The people of a fleet: real databases of several hosts, and a fleet in memory. */
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { PeopleCopy } from '../../../server/fleet/people-copy.ts';
import { Access } from '../../../server/people/access.ts';
import { endOf } from '../../../server/people/identity.ts';
import { People } from '../../../server/people/people.ts';
import { PersonStore } from '../../../server/people/person-store.ts';
import { AppError } from '../../../server/lib/app-error.ts';
import { EventHome } from '../../support/events/event-home.ts';
import { PeopleBucket } from '../../support/fleet/people-bucket.ts';
import { until } from '../../support/house/until.ts';

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

const open: Host[] = [];
afterEach(() => {
  for (const host of open.splice(0)) host.home[Symbol.dispose]();
});

class Host {
  readonly home = new EventHome();
  readonly people: People;
  readonly access: Access;
  readonly end;
  readonly copy: PeopleCopy;

  constructor(bucket: PeopleBucket, token: string) {
    const { database, log } = this.home.open();
    const { clock } = this.home;
    this.people = new People({ log, clock, logger: QUIET, store: new PersonStore(database) });
    this.access = new Access({ token, people: this.people, clock });
    this.end = bucket.join();
    this.copy = new PeopleCopy({ carrier: this.end, people: this.people.shared, log: QUIET });
    open.push(this);
  }

  join(name: string, role: 'viewer' | 'operator' | 'admin' = 'operator') {
    const { person, secret } = this.people.invite(name, role, 'admin');
    return { id: person.id, token: this.access.login(secret, 'here').token };
  }

  /** The name and role behind a token, or why not. */
  who(token: string): string {
    try {
      const { name, role } = this.access.authenticate(`Bearer ${token}`, 'here');
      return `${name} ${role}`;
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  }

  list(): string[] {
    return this.people.list().map(({ name, role, has_token }) => `${name} ${role} ${has_token}`);
  }
}

function fleetOf(count: number): [PeopleBucket, Host, Host] {
  const bucket = new PeopleBucket();
  const hosts = Array.from(
    { length: count },
    (_, index) => new Host(bucket, `home-token-${index}`),
  );
  return [bucket, ...(hosts as [Host, Host])];
}

it('FM10 FM11 a person invited on one host logs in with the same token on the other', async () => {
  const [, a, b] = fleetOf(2);
  const mia = a.join('Mia');
  await until('Mia is known there', () => b.who(mia.token) === 'Mia operator');
  a.people.change(mia.id, { role: 'viewer', name: 'Mia K' }, 'admin');
  await until('the change is known there', () => b.who(mia.token) === 'Mia K viewer');
});

it('FM10 what failed with the old connection is sent again on the next one', async () => {
  const [, a, b] = fleetOf(2);
  const mia = a.join('Mia');
  a.end.setConnected(false);
  // It fails later than the next connection begins.
  await Promise.resolve();
  a.end.setConnected(true);
  await until('Mia is known there', () => b.who(mia.token) === 'Mia operator');
});

it('FM11 the token of a home is known on no other host', async () => {
  const [bucket, a, b] = fleetOf(2);
  const mia = a.join('Mia');
  await until('Mia is known there', () => b.who(mia.token) === 'Mia operator');
  expect(b.who('home-token-0')).toBe('unauthorized');
  const texts = [...bucket.records.values()].map(({ record }) => new TextDecoder().decode(record));
  expect(texts.join()).not.toMatch(/home-token|link/);
  expect(texts.join()).not.toContain(mia.token);
});

it('FM12 a removal ends what the person has open on every host, and the token', async () => {
  const [, a, b] = fleetOf(2);
  const mia = a.join('Mia');
  await until('Mia is known there', () => b.who(mia.token) === 'Mia operator');
  const there = b.access.authenticate(`Bearer ${mia.token}`, 'here');
  a.people.remove(mia.id, 'admin');
  await until('the removal is known there', () => endOf(there) === 'ended');
  expect([a.who(mia.token), b.who(mia.token)]).toEqual(['unauthorized', 'unauthorized']);
});

it('FM12 a removal wins over changes of a host that was away, and over a record that comes back', async () => {
  const [bucket, a, b] = fleetOf(2);
  const mia = a.join('Mia');
  await until('Mia is known there', () => b.who(mia.token) === 'Mia operator');
  b.end.setConnected(false);
  b.people.change(mia.id, { role: 'admin' }, 'admin');
  a.people.remove(mia.id, 'admin');
  await until('the fleet knows', () => text(bucket, mia.id) === '{"removed":true}');
  b.end.setConnected(true);
  await until('the removal is known there', () => b.who(mia.token) === 'unauthorized');
  // A record that comes back by any way is removed again.
  const record = JSON.stringify({
    removed: false,
    person: {
      name: 'Mia',
      role: 'admin',
      tokenHash: null,
      createdAt: '2026-01-01T00:00:00.000Z',
      joinedAt: null,
    },
  });
  bucket.write(mia.id, new TextEncoder().encode(record));
  await until('it is removed again', () => text(bucket, mia.id) === '{"removed":true}');
  expect([a.list(), b.list()]).toEqual([[], []]);
});

it('FM12 a removal on a host that was away reaches the fleet when it is back', async () => {
  const [, a, b] = fleetOf(2);
  const mia = a.join('Mia');
  await until('Mia is known there', () => b.who(mia.token) === 'Mia operator');
  b.end.setConnected(false);
  b.people.remove(mia.id, 'admin');
  expect(a.who(mia.token)).toBe('Mia operator');
  b.end.setConnected(true);
  await until('the removal is known there', () => a.who(mia.token) === 'unauthorized');
});

it('FM12 removals that were missed come before people who have their names', async () => {
  const [, a, b] = fleetOf(2);
  const mia = a.join('Mia');
  await until('Mia is known there', () => b.who(mia.token) === 'Mia operator');
  b.end.setConnected(false);
  a.people.remove(mia.id, 'admin');
  const next = a.join('Mia', 'viewer');
  b.end.setConnected(true);
  await until('the new Mia is known there', () => b.who(next.token) === 'Mia viewer');
  expect(b.who(mia.token)).toBe('unauthorized');
  expect(b.list()).toEqual(['Mia viewer true']);
});

it('FM13 changes of different fields on two hosts both count; of one field, that of the fleet', async () => {
  const [, a, b] = fleetOf(2);
  const mia = a.join('Mia');
  await until('Mia is known there', () => b.who(mia.token) === 'Mia operator');
  b.end.setConnected(false);
  b.people.change(mia.id, { name: 'Mia K', role: 'admin' }, 'admin');
  a.people.change(mia.id, { role: 'viewer' }, 'admin');
  b.end.setConnected(true);
  await until(
    'both agree',
    () => a.who(mia.token) === 'Mia K viewer' && b.who(mia.token) === 'Mia K viewer',
  );
});

it('FM13 two people invited with one name at once both stay, the later with a number', async () => {
  const [, a, b] = fleetOf(2);
  b.end.setConnected(false);
  const first = a.join('Mia');
  b.home.clock.advance(1_000);
  const second = b.join('Mia', 'viewer');
  b.end.setConnected(true);
  await until('both know both', () =>
    [a, b].every(
      (host) =>
        host.who(first.token) === 'Mia operator' && host.who(second.token) === 'Mia 2 viewer',
    ),
  );
});

it('FM13 a new link used on one host ends the old token on all', async () => {
  const [, a, b] = fleetOf(2);
  const mia = a.join('Mia');
  await until('Mia is known there', () => b.who(mia.token) === 'Mia operator');
  const there = b.access.authenticate(`Bearer ${mia.token}`, 'here');
  const { secret } = b.people.createLink(mia.id, 'admin');
  const { token } = b.access.login(secret, 'here');
  await until('the new token is known', () => a.who(token) === 'Mia operator');
  expect([endOf(there), a.who(mia.token)]).toEqual(['ended', 'unauthorized']);
});

it('FM14 hosts give the people again to a fleet that lost them, and none that was removed', async () => {
  const [bucket, a, b] = fleetOf(2);
  const [mia, zoe] = [a.join('Mia'), b.join('Zoe')];
  await until('both are known', () => a.list().length === 2 && b.list().length === 2);
  a.people.remove(mia.id, 'admin');
  await until('Mia is removed', () => b.who(mia.token) === 'unauthorized');
  bucket.lose();
  await until('the fleet knows both again', () => bucket.records.size === 2);
  expect(text(bucket, mia.id)).toBe('{"removed":true}');
  // Changes find their way again too.
  b.people.change(zoe.id, { role: 'viewer' }, 'admin');
  await until('the change is known', () => a.who(zoe.token) === 'Zoe viewer');
  expect(a.list()).toEqual(b.list());
});

it('FM10 what the fleet says is checked: hostile records change nothing', async () => {
  const [bucket, a, b] = fleetOf(2);
  const person = {
    name: 'Eve',
    role: 'admin',
    tokenHash: null,
    createdAt: '2026-01-01T00:00:00.000Z',
    joinedAt: null,
  };
  for (const [id, record] of [
    ['not-an-id', { removed: false, person }],
    ['0'.repeat(20), { removed: false, person: { ...person, role: 'root' } }],
    ['1'.repeat(20), { removed: false, person: { ...person, name: 'daemon' } }],
    ['2'.repeat(20), { removed: false, person: { ...person, name: 'a\u202eb' } }],
    ['3'.repeat(20), { removed: false, person: { ...person, tokenHash: 'x' } }],
    ['4'.repeat(20), 'garbage'],
  ] as const) {
    bucket.write(id, new TextEncoder().encode(JSON.stringify(record)));
  }
  const mia = a.join('Mia');
  await until('Mia is known there', () => b.who(mia.token) === 'Mia operator');
  expect([a.list(), b.list()]).toEqual([['Mia operator true'], ['Mia operator true']]);
});

function text(bucket: PeopleBucket, id: string): string {
  return new TextDecoder().decode(bucket.records.get(id)?.record);
}

const Step = fc.record({
  host: fc.nat(2),
  what: fc.constantFrom('invite', 'role', 'rename', 'remove', 'cut', 'heal', 'wait', 'lose'),
  which: fc.nat(5),
  role: fc.constantFrom('viewer', 'operator', 'admin'),
} as const);

it('FM13 three hosts that come and go end with the same people, and no removed one is back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { maxLength: 30 }), async (steps) => {
      const bucket = new PeopleBucket();
      const hosts = [0, 1, 2].map((index) => new Host(bucket, `home-token-${index}`));
      const removed = new Set<string>();
      for (const { host: place, what, which, role } of steps) {
        const host = hosts[place % 3] as Host;
        const all = host.people.list();
        const one = all[which % Math.max(1, all.length)];
        const free = (name: string) => !all.some((each) => each.name.startsWith(name));
        const name = `Person${'abcdef'[which] ?? ''}`;
        if (what === 'cut') host.end.setConnected(false);
        if (what === 'heal') host.end.setConnected(true);
        if (what === 'lose') bucket.lose();
        if (what === 'wait') await Promise.resolve();
        if (what === 'invite' && free(name)) host.people.invite(name, role, 'admin');
        if (one === undefined) continue;
        if (what === 'role') host.people.change(one.id, { role }, 'admin');
        if (what === 'rename' && free(name)) host.people.change(one.id, { name }, 'admin');
        if (what === 'remove') {
          host.people.remove(one.id, 'admin');
          removed.add(one.id);
        }
      }
      for (const host of hosts) if (!host.end.isConnected) host.end.setConnected(true);
      const known = (host: Host) =>
        JSON.stringify(
          host.people
            .list()
            .map(({ id, name, role }) => [id, name, role])
            .sort(),
        );
      await until(
        'all hosts agree',
        () => hosts.every((host) => known(host) === known(hosts[0] as Host)),
        () => hosts.map(known),
      );
      // What is still on its way changes nothing any more.
      for (let ticks = 0; ticks < 50; ticks += 1) await Promise.resolve();
      const ids = hosts.map((host) => host.people.list().map(({ id }) => id));
      expect(ids.flat().filter((id) => removed.has(id))).toEqual([]);
      expect(new Set(hosts.map(known)).size).toBe(1);
      for (const host of open.splice(0)) host.home[Symbol.dispose]();
    }),
    { numRuns: 25 },
  );
});

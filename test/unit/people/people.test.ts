/** People on a real database, without a daemon: links, tokens, and what ends when. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Access, keepAdminToken } from '../../../server/people/access.ts';
import {
  addBearer,
  endOf,
  type Identity,
  type IdentityEnd,
  removeBearer,
} from '../../../server/people/identity.ts';
import { OneTimeSecrets } from '../../../server/people/one-time-secrets.ts';
import { type CreatedLink, People } from '../../../server/people/people.ts';
import { PersonStore } from '../../../server/people/person-store.ts';
import { AppError } from '../../../server/lib/app-error.ts';
import { EventHome } from '../../support/events/event-home.ts';

const HOUR_MS = 3_600_000;
const HOME_TOKEN = 'the-token-of-the-home';

class Stage {
  readonly home = new EventHome();
  readonly clock = this.home.clock;
  people!: People;
  access!: Access;
  database!: ReturnType<EventHome['open']>['database'];

  constructor() {
    this.restart();
  }

  /** As a daemon that restarts. */
  restart(): void {
    const { database, log } = this.home.open();
    const say = () => undefined;
    const logger = { info: say, warn: say, error: say };
    const { clock } = this;
    this.database = database;
    this.people = new People({ log, clock, logger, store: new PersonStore(database) });
    this.access = new Access({ token: HOME_TOKEN, people: this.people, clock });
  }

  /** The token, or the code of the refusal. */
  login(code: string): string {
    return refused(() => this.access.login(code, 'here').token);
  }

  join(name: string, role: 'viewer' | 'operator' | 'admin') {
    const { person, secret } = this.people.invite(name, role, 'admin');
    return { id: person.id, token: this.login(secret) };
  }

  who(token: string): Identity {
    return this.access.authenticate(`Bearer ${token}`, 'here');
  }

  /** The role behind a token, or the code of the refusal. */
  role(token: string): string {
    return refused(() => this.who(token).role);
  }

  [Symbol.dispose](): void {
    this.home[Symbol.dispose]();
  }
}

function refused(act: () => string): string {
  try {
    return act();
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

it('PE1 PE4 a link works once, also over a restart, and identifies its person', () => {
  using stage = new Stage();
  const { secret } = stage.people.invite('Mia', 'operator', 'admin');
  stage.restart();
  const token = stage.login(secret);
  expect(stage.who(token)).toMatchObject({ name: 'Mia', role: 'operator' });
  expect(stage.login(secret)).toBe('invalid_login_code');
  stage.restart();
  expect(stage.role(token)).toBe('operator');
  expect(stage.role(HOME_TOKEN)).toBe('admin');
});

it('PE4 a link is valid for 24 hours and not a moment longer', () => {
  using stage = new Stage();
  const secrets = ['Mia', 'Noor'].map(
    (name) => stage.people.invite(name, 'viewer', 'admin').secret,
  );
  stage.clock.advance(24 * HOUR_MS - 1);
  expect(stage.role(stage.login(secrets[0] ?? ''))).toBe('viewer');
  stage.clock.advance(1);
  expect(stage.login(secrets[1] ?? '')).toBe('invalid_login_code');
  expect(stage.people.list()[1]).toMatchObject({ link_expires_at: null, has_token: false });
});

it('PE2 neither a token nor a link is in the database or in an event', () => {
  using stage = new Stage();
  const { id, token } = stage.join('Mia', 'operator');
  const { secret } = stage.people.createLink(id, 'admin');
  const rows = ['people', 'events'].flatMap((table) =>
    stage.database.raw.prepare(`SELECT * FROM ${table}`).all(),
  );
  const all = JSON.stringify(rows);
  expect([all.includes(token), all.includes(secret)]).toEqual([false, false]);
  expect(all).toContain('people.joined');
});

it('PE5 a new link leaves the token valid until it is used, and replaces an older link', () => {
  using stage = new Stage();
  const { id, token } = stage.join('Mia', 'operator');
  const links: CreatedLink[] = [1, 2].map(() => stage.people.createLink(id, 'admin'));
  const before = stage.who(token);
  expect(stage.login(links[0]?.secret ?? '')).toBe('invalid_login_code');
  expect(endOf(before)).toBeNull();
  const next = stage.login(links[1]?.secret ?? '');
  expect([stage.role(next), stage.role(token), endOf(before)]).toEqual([
    'operator',
    'unauthorized',
    'ended',
  ]);
});

it('PE6 a removed person has no token, no link, no ticket and no code, and the name is free', () => {
  using stage = new Stage();
  const { id, token } = stage.join('Mia', 'admin');
  const identity = stage.who(token);
  const { secret: link } = stage.people.createLink(id, 'admin');
  const { secret: ticket } = stage.access.createTicket(identity);
  const { secret: code } = stage.access.createLoginCode(`Bearer ${token}`, stage.who(token));
  stage.people.remove(id, 'admin');
  expect(endOf(identity)).toBe('ended');
  expect(stage.role(token)).toBe('unauthorized');
  expect([stage.login(link), stage.login(code)]).toEqual([
    'invalid_login_code',
    'invalid_login_code',
  ]);
  expect(refused(() => stage.access.checkTicket(ticket, 'here').name)).toBe('unauthorized');
  expect(refused(() => stage.people.createLink(id, 'admin').secret)).toBe('person_unknown');
  const again = stage.join('mia', 'viewer');
  stage.restart();
  expect([stage.role(token), stage.role(again.token)]).toEqual(['unauthorized', 'viewer']);
});

it('PE7 a new role takes effect at once: everything issued under the old one has ended', () => {
  using stage = new Stage();
  const { id, token } = stage.join('Mia', 'admin');
  const before = stage.who(token);
  const { secret: ticket } = stage.access.createTicket(before);
  stage.people.change(id, { role: 'viewer' }, 'admin');
  expect([endOf(before), stage.role(token)]).toEqual(['changed', 'viewer']);
  expect(refused(() => stage.access.checkTicket(ticket, 'here').name)).toBe('unauthorized');
  const now = stage.who(token);
  stage.people.change(id, { role: 'viewer' }, 'admin');
  expect(endOf(now)).toBeNull();
});

it('PE6 many sockets depend on one person without a warning, and all are notified', async () => {
  using stage = new Stage();
  const { id, token } = stage.join('Mia', 'viewer');
  const warnings: string[] = [];
  const warned = (warning: Error) => warnings.push(warning.name);
  process.on('warning', warned);
  const ends: string[] = [];
  for (const identity of [stage.who(HOME_TOKEN), stage.who(token)]) {
    const bearers = Array.from({ length: 50 }, () => ({
      identityEnded: (how: IdentityEnd) => void ends.push(how),
    }));
    for (const bearer of bearers) addBearer(identity, bearer);
    const [first] = bearers;
    if (first !== undefined) removeBearer(identity, first);
  }
  stage.people.remove(id, 'admin');
  await new Promise(setImmediate);
  process.off('warning', warned);
  expect([warnings, ends]).toEqual([[], Array(49).fill('ended')]);
});

it('PE8 a login code has the rights of the person who created it', () => {
  using stage = new Stage();
  const { token } = stage.join('Mia', 'viewer');
  const code = stage.access.createLoginCode(`Bearer ${token}`, stage.who(token)).secret;
  expect([stage.login(code), stage.login(code)]).toEqual([token, 'invalid_login_code']);
  expect(stage.login(stage.access.createHomeCode().secret)).toBe(HOME_TOKEN);
});

it('PE18 thousands of codes and tickets of one person displace none of another', () => {
  using stage = new Stage();
  const { token } = stage.join('Mia', 'viewer');
  const viewer = stage.who(token);
  const admin = stage.who(HOME_TOKEN);
  const code = stage.access.createHomeCode().secret;
  const ticket = stage.access.createTicket(admin).secret;
  const flood = Array.from({ length: 1_020 }, () => ({
    code: stage.access.createLoginCode(`Bearer ${token}`, viewer).secret,
    ticket: stage.access.createTicket(viewer).secret,
  }));
  expect(stage.access.checkTicket(ticket, 'here')).toBe(admin);
  expect(stage.login(code)).toBe(HOME_TOKEN);
  const outcomes = [flood[0], flood.at(-1)].map((made) => ({
    ticket: refused(() => stage.access.checkTicket(made?.ticket ?? '', 'here').name),
    login: stage.login(made?.code ?? ''),
  }));
  expect(outcomes).toEqual([
    { ticket: 'unauthorized', login: 'invalid_login_code' },
    { ticket: 'Mia', login: token },
  ]);
});

it('PE18 one-time secrets are bounded in total, at the cost of those who have most', () => {
  const secrets = new OneTimeSecrets<number>(1_000);
  const start = { wallMs: 0, monotonicMs: 0 };
  const later = { wallMs: 1_001, monotonicMs: 1_001 };
  const few = secrets.issue(0, 'few', start).secret;
  const many = Array.from({ length: 12_000 }, (_, number) =>
    secrets.issue(number, `owner ${number % 12}`, start),
  );
  const isKept = (secret: string) => secrets.peek(secret, start) !== undefined;
  expect(many.filter(({ secret }) => isKept(secret))).toHaveLength(9_999);
  expect(isKept(few)).toBe(true);
  const late = secrets.issue(1, 'late', later).secret;
  expect([secrets.peek(few, later), secrets.peek(late, later)]).toEqual([undefined, 1]);
});

it('PE19 a name is taken while a person has one like it, for an invitation and a new name alike', () => {
  using stage = new Stage();
  const { id } = stage.join('Mia', 'viewer');
  stage.join('Noor', 'viewer');
  const invite = (name: string) =>
    refused(() => stage.people.invite(name, 'viewer', 'admin').secret);
  expect(['MIA', 'M1a', 'Admin', 'daemon'].map(invite)).toEqual([
    'name_taken',
    'name_taken',
    'name_taken',
    'name_taken',
  ]);
  expect(refused(() => stage.people.change(id, { name: 'noor' }, 'admin').name)).toBe('name_taken');
  expect(stage.people.change(id, { name: 'mia' }, 'admin').name).toBe('mia');
});

it('PE9 the last-seen time is written once a minute, not with every request', () => {
  using stage = new Stage();
  const { token } = stage.join('Mia', 'viewer');
  const writes = () => stage.database.raw.prepare('SELECT total_changes()').pluck().get() as number;
  stage.clock.advance(60_000);
  const before = writes();
  for (let second = 0; second < 60; second += 1) {
    stage.who(token);
    stage.clock.advance(1_000);
  }
  expect(writes() - before).toBe(1);
  expect(stage.people.list()[0]?.last_seen_at).toBe('2026-01-01T00:01:00.000Z');
});

it('PE1 a token of the home that cannot be sent in a header is replaced', () => {
  const home = mkdtempSync(join(tmpdir(), 'token-'));
  const file = join(home, 'token');
  try {
    const usable = 'a'.repeat(16);
    writeFileSync(file, `${usable}\n`);
    expect(keepAdminToken(home)).toBe(usable);
    for (const kept of ['a'.repeat(15), `${usable}\n${usable}`, `${usable} b`, `${usable}ä`]) {
      writeFileSync(file, kept);
      const token = keepAdminToken(home);
      expect(token).toMatch(/^[\w-]{40,}$/);
      expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
      expect(keepAdminToken(home)).toBe(token);
    }
  } finally {
    rmSync(home, { recursive: true });
  }
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ClientAccount } from '../../../server/agents/records/client-account.ts';
import { ManualClock } from '../../support/house/manual-clock.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';

function newHome(): string {
  const home = mkdtempSync(join(TEST_ROOT, 'a'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}

function logIn(home: string, uuid: string): void {
  const state = {
    projects: {},
    oauthAccount: { accountUuid: uuid, emailAddress: 'ada@example.com' },
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(state));
}

it('FP13 one account has the same key on every machine, and the key does not contain it', () => {
  const clock = new ManualClock();
  const keys = [newHome(), newHome()].map((home) => {
    logIn(home, '0f8fad5b-d9cb-469f-a165-70867728950e');
    return new ClientAccount({ HOME: home }, clock).key;
  });
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(keys[1]).toBe(keys[0]);
});

it('FP13 without a login, with half a state or with a key in the environment there is no account', () => {
  const clock = new ManualClock();
  const home = newHome();
  expect(new ClientAccount({ HOME: home }, clock).key).toBeNull();
  writeFileSync(join(home, '.claude.json'), '{"oauthAccount":{');
  expect(new ClientAccount({ HOME: home }, clock).key).toBeNull();
  writeFileSync(join(home, '.claude.json'), '{"oauthAccount":{"emailAddress":"a@example.com"}}');
  expect(new ClientAccount({ HOME: home }, clock).key).toBeNull();
  logIn(home, 'one');
  expect(new ClientAccount({ HOME: home, ANTHROPIC_API_KEY: 'sk' }, clock).key).toBeNull();
});

it('FP13 another login is noticed within five minutes, and the state is not read more often', () => {
  const clock = new ManualClock();
  const home = newHome();
  logIn(home, 'one');
  const account = new ClientAccount({ HOME: home }, clock);
  const first = account.key;
  logIn(home, 'another');
  expect(account.key).toBe(first);
  clock.advance(5 * 60_000);
  expect(account.key).not.toBe(first);
});

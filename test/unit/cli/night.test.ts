/** What is said about the coming night, from the facts; and the program that keeps a machine awake. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Budget } from '../../../shared/schema/usage/budget.ts';
import type { Night } from '../../../shared/schema/usage/night.ts';
import { loginUntil } from '../../../server/preflight/night/login-until.ts';
import { judgeNight, nextMorning, type NightFacts } from '../../../server/preflight/night/night.ts';
import { plainPace } from '../../../server/preflight/night/pace.ts';
import { StayAwake } from '../../../server/preflight/night/stay-awake.ts';
import { momentAhead } from '../../../server/cli/past-moment.ts';
import { nightLines } from '../../../server/cli/print/print-night.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { until } from '../../support/house/until.ts';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-21T20:00:00.000Z');
const MORNING = Date.parse('2026-11-22T07:00:00.000Z');
const root = mkdtempSync(join(TEST_ROOT, 'night'));
afterAll(() => rmSync(root, { recursive: true }));

const iso = (atMs: number) => new Date(atMs).toISOString();
const LOGIN = { name: 'login_until', state: 'ok', detail: '', fix: null, at: null } as const;

function facts(more: Partial<NightFacts> = {}): NightFacts {
  return {
    nowMs: NOW,
    untilMs: MORNING,
    forecast: plainPace,
    machine: [{ name: 'disk', ok: true, detail: '', fix: null }],
    login: LOGIN,
    windows: { five_hour: aWindow(20, NOW + 2 * HOUR), weekly: aWindow(20, NOW + 72 * HOUR) },
    budgets: [],
    alerts: [{ name: 'desk', provenAtMs: NOW - HOUR }],
    awake: { state: 'held', detail: 'systemd-inhibit' },
    uncommitted: [],
    timeZone: 'Europe/Berlin',
    alertZones: ['Europe/Berlin'],
    ...more,
  };
}

function aWindow(used_percent: number, resetsAtMs: number) {
  const reading = { used_percent, resets_at: iso(resetsAtMs), read_at: iso(NOW) };
  return { ...reading, session: 'web', host: null };
}

function aBudget(scope: string, used: number, limit: number): Budget {
  const set = {
    author: 'admin',
    why: '',
    changed_at: iso(NOW),
    is_partial: false,
    holding: [],
    elsewhere: 0,
  };
  return { id: 3, scope, measure: 'cost', limit, used, since: null, ...set };
}

const find = ({ checks }: Night, name: string) => checks.find((check) => check.name === name);
const problems = ({ checks }: Night) =>
  checks.filter(({ state }) => state === 'problem').map(({ name, at }) => [name, at]);

it('NI1 with everything in order the night is ready', () => {
  const night = judgeNight(facts());
  expect(night).toMatchObject({ ready: true, problem_at: null });
  expect(night.checks.every(({ state }) => state === 'ok')).toBe(true);
});

it('NI2 a window or budget that will not last at its pace names the hour', () => {
  // 60 % in 2 of 5 hours: full after 3:20 h, 1:40 h before its reset.
  const five_hour = aWindow(60, NOW + 3 * HOUR);
  const weekly = aWindow(20, NOW + 72 * HOUR);
  // 18 of 20 in 20 hours since midnight UTC.
  const budgets = [aBudget('day', 18, 20), aBudget('task:a', 1, 10)];
  const night = judgeNight(facts({ windows: { five_hour, weekly }, budgets }));
  expect(problems(night)).toEqual([
    ['five_hour', iso(NOW + (4 / 3) * HOUR)],
    ['budgets', iso(NOW + Math.ceil((2 / 18) * 20 * HOUR))],
  ]);
  expect(night).toMatchObject({ ready: false, problem_at: iso(NOW + (4 / 3) * HOUR) });
  expect(find(night, 'budgets')?.fix).toBe('loopwatch budget raise 3');
  const [verdict] = nightLines(night, (at) => at.slice(11, 16));
  expect(verdict).toBe('2 problems before 07:00. The first will probably show at 21:20.');
});

it('NI2 what resets in time, lasts until the morning or is not used is no problem', () => {
  const budgets = [aBudget('day', 10, 20), aBudget('all', 8.9, 10), aBudget('day', 0, 1)];
  expect(problems(judgeNight(facts({ budgets })))).toEqual([]);
  // Full at 07:30 of the next day, long before its reset.
  const weekly = aWindow(90, NOW + 65 * HOUR);
  const windows = { five_hour: null, weekly };
  const night = judgeNight(facts({ windows }));
  expect(problems(night)).toEqual([]);
  expect(find(night, 'five_hour')?.state).toBe('unknown');
  const past = { five_hour: aWindow(99, NOW - HOUR), weekly };
  expect(find(judgeNight(facts({ windows: past })), 'five_hour')?.state).toBe('unknown');
  const nearly = judgeNight(facts({ budgets: [aBudget('all', 9, 10)] }));
  expect(problems(nearly)).toEqual([['budgets', iso(NOW)]]);
});

it('NI3 a login is judged by its own end, and shows none of its contents', () => {
  const directory = join(root, 'claude');
  mkdirSync(directory);
  const environment = { CLAUDE_CONFIG_DIR: directory };
  const span = { nowMs: NOW, untilMs: MORNING };
  expect(loginUntil(environment, span).state).toBe('unknown');
  const judge = (login: object) => {
    const text = JSON.stringify({ claudeAiOauth: { accessToken: 'sk-secret', ...login } });
    writeFileSync(join(directory, '.credentials.json'), text);
    const check = loginUntil(environment, span);
    expect(JSON.stringify(check)).not.toContain('secret');
    return [check.state, check.at];
  };
  const early = Date.parse('2026-11-22T03:10:00.000Z');
  expect(judge({ expiresAt: early })).toEqual(['problem', iso(early)]);
  expect(judge({ expiresAt: NOW - HOUR })).toEqual(['problem', null]);
  expect(judge({ expiresAt: MORNING })).toEqual(['ok', null]);
  expect(judge({ expiresAt: early, refreshToken: 'secret' })).toEqual(['ok', null]);
  const ends = { expiresAt: early, refreshToken: 'secret', refreshTokenExpiresAt: early };
  expect(judge(ends)).toEqual(['problem', iso(early)]);
  expect(judge({ expiresAt: 'soon' })).toEqual(['unknown', null]);
  expect(loginUntil({ ANTHROPIC_API_KEY: 'secret' }, span)).toMatchObject({ state: 'ok' });
});

it('NI4 an alert counts only when it delivered within a day', () => {
  const state = (alerts: NightFacts['alerts']) => find(judgeNight(facts({ alerts })), 'alerts');
  expect(state([])).toMatchObject({ state: 'problem' });
  const old = { name: "Mia's desk", provenAtMs: NOW - 25 * HOUR };
  expect(state([old])).toMatchObject({
    state: 'problem',
    fix: String.raw`loopwatch alert test 'Mia'\''s desk'`,
  });
  expect(state([old, { name: 'desk', provenAtMs: NOW }])?.state).toBe('ok');
});

it('NI5 NI6 NI7 machine, worktrees and time zones are judged each with its next step', () => {
  const machine = [{ name: 'disk', ok: false, detail: 'Only 3 MB.', fix: 'Free some.' }] as const;
  const uncommitted = ['fix-login'];
  const night = judgeNight(facts({ machine, uncommitted, alertZones: ['Asia/Tokyo'] }));
  expect(problems(night)).toEqual([
    ['disk', null],
    ['worktrees', null],
  ]);
  expect(find(night, 'worktrees')?.detail).toContain('fix-login');
  expect(find(night, 'time_zone')).toMatchObject({ state: 'unknown' });
  expect(find(judgeNight(facts({ uncommitted: null })), 'worktrees')?.state).toBe('unknown');
  const asleep = judgeNight(facts({ awake: { state: 'off', detail: null } }));
  expect(find(asleep, 'awake')).toMatchObject({ state: 'unknown' });
});

it('NI8 the night ends at the next morning of the host, or at the given time ahead', () => {
  const morning = new Date(nextMorning(NOW));
  expect([morning.getHours(), morning.getMinutes()]).toEqual([7, 0]);
  expect(morning.getTime() - NOW).toBeGreaterThan(0);
  expect(morning.getTime() - NOW).toBeLessThanOrEqual(25 * HOUR);
  const now = new Date(NOW);
  expect(momentAhead('06:30', { utc: true }, now)).toBe('2026-11-22T06:30:00.000Z');
  expect(momentAhead('23:30', { utc: true }, now)).toBe('2026-11-21T23:30:00.000Z');
  expect(momentAhead('20:00', { utc: true }, now)).toBe('2026-11-22T20:00:00.000Z');
});

/** Programs as scripts; `mark` exists while one holds. */
function programs(name: string, scripts: Record<string, string>) {
  const directory = join(root, name);
  mkdirSync(directory);
  const mark = join(directory, 'held');
  for (const [program, body] of Object.entries(scripts)) {
    const path = join(directory, program);
    writeFileSync(path, `#!/bin/sh\nmark=${mark}\n${body}\n`);
    chmodSync(path, 0o755);
  }
  const path = `${directory}${delimiter}${process.env['PATH'] ?? ''}`;
  return { mark, environment: { PATH: path }, only: { PATH: directory } };
}

/** Runs its last word, as the real ones do. */
const HOLD = 'touch "$mark"; for program; do :; done; "$program"; rm "$mark"';

it('NI9 an inhibitor is held while work is open, and ends with its owner', async () => {
  const { mark, environment } = programs('held', { 'systemd-inhibit': HOLD });
  const awake = new StayAwake(environment, true);
  expect(awake.state.state).toBe('idle');
  awake.update(true);
  awake.update(true);
  await until('it is held', () => existsSync(mark));
  expect(awake.state).toEqual({ state: 'held', detail: 'systemd-inhibit' });
  awake.update(false);
  await until('it is released', () => !existsSync(mark));
  expect(awake.state.state).toBe('idle');
  awake.update(true);
  await until('it is held again', () => existsSync(mark));
  awake.dispose();
  await until('it is released at the end', () => !existsSync(mark));
});

it('NI9 the second program is used where the first is missing, and none is none', async () => {
  const mac = programs('mac', { caffeinate: `PATH=/usr/bin:/bin; ${HOLD}` });
  const awake = new StayAwake(mac.only, true);
  awake.update(true);
  await until('it is held', () => existsSync(mac.mark));
  expect(awake.state).toEqual({ state: 'held', detail: 'caffeinate' });
  awake.dispose();
  await until('it is released', () => !existsSync(mac.mark));
  const none = new StayAwake(programs('none', {}).only, true);
  none.update(true);
  await until('it is unavailable', () => none.state.state === 'unavailable');
  expect(none.state.detail).toContain('neither systemd-inhibit nor caffeinate');
  const off = new StayAwake(mac.only, false);
  off.update(true);
  expect(off.state).toEqual({ state: 'off', detail: null });
  const broken = programs('broken', { 'systemd-inhibit': 'echo no bus >&2; exit 1' });
  const failed = new StayAwake(broken.environment, true);
  failed.update(true);
  await until('it has failed', () => failed.state.state === 'unavailable');
  expect(failed.state.detail).toContain('no bus');
});

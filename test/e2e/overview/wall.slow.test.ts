/** The wall: what it shows of several sessions, live, and what is asked of people there. */
import { expect, it } from 'vitest';
import type { ClientFrame } from '../../../shared/schema/events/protocol.ts';
import { card, openDashboard, screenOf, useBrowser } from '../../support/browser/browser.ts';
import { join } from '../../support/daemon/invite-person.ts';
import { startSteps } from '../../support/auto/loops-in-trouble.ts';
import {
  askPerson,
  BASH_REQUEST,
  decisionOf,
  QUESTION_REQUEST,
} from '../../support/agents/need-person.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import {
  DESK,
  expectPanes,
  openShells,
  openWall,
  overflow,
  panes,
} from '../../support/browser/wall-page.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const AT_WORK = {
  do: 'step',
  work_ms: 3_600_000,
  signal: { step: 'check', result: 'PASS', next: 'exec' },
};

it('WM1 WM4 WM6 a shared link shows its sessions in their order, live, in rows that fill the window', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, ['api', 'docs', 'ops', 'web']);
  await using page = await openWall(api, '?follow=web,api,docs,ops');
  await expectPanes(page, ['web', 'api', 'docs', 'ops']);
  await typeInto(api, 'api', 'printf "\\033[31mred %s\\033[0m\\n" $((6 * 7))');
  const row = screenOf(page, 'api').getByText('red 42', { exact: true });
  await row.waitFor();
  const screen = await screenOf(page, 'api').boundingBox();
  const box = await row.boundingBox();
  // Its last lines are at the lower edge, and no type is scaled.
  expect((screen?.y ?? 0) + (screen?.height ?? 0) - (box?.y ?? 0)).toBeLessThan(60);
  // An empty row is as high as any other, and the first one in sight is whole.
  await typeInto(api, 'api', 'seq 1 60; printf "\\n\\n%s\\n" $((7 * 11))');
  await screenOf(page, 'api').getByText('77', { exact: true }).waitFor();
  const layout = `(() => {
    const rows = [...document.querySelectorAll('[data-wall-screen=api] .row')];
    const top = document.querySelector('[data-wall-screen=api] .rows').getBoundingClientRect().top;
    const boxes = rows.map((row) => row.getBoundingClientRect());
    const cut = boxes.filter((box) => box.top < top - 1 && box.bottom > top + 1);
    return { heights: new Set(boxes.map((box) => Math.round(box.height))).size, cut: cut.length };
  })()`;
  expect(await page.evaluate(layout)).toEqual({ heights: 1, cut: 0 });
  const typeSizes = async () =>
    page.evaluate<number[]>(`[...new Set([...document.querySelectorAll('[data-wall-screen] .rows')]
      .map((rows) => parseFloat(getComputedStyle(rows).fontSize)))]`);
  const [comfortable = 0, ...others] = await typeSizes();
  expect(others).toEqual([]);
  await page.getByRole('button', { name: 'Compact' }).click();
  const [compact = 0, ...more] = await typeSizes();
  expect(more).toEqual([]);
  expect(compact).toBeLessThan(comfortable);
  expect(await overflow(page)).toBe(0);
  await page.reload();
  await expectPanes(page, ['web', 'api', 'docs', 'ops']);
  await card(page, 'docs').getByRole('link', { name: 'docs' }).click();
  await page.getByRole('heading', { level: 1, name: 'docs' }).waitFor();
});

it('WM2 WM3 an automatic wall follows what works, and a new question comes first unless a pane is in use', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, ['idle', 'zebra']);
  await startSteps(world, api, 'alpha', [AT_WORK]);
  await startSteps(world, api, 'beta', [AT_WORK]);
  await using page = await openWall(api);
  await expectPanes(page, ['alpha', 'beta']);
  await card(page, 'beta').hover();
  await askPerson(world, api, 'zebra', QUESTION_REQUEST);
  await page.getByRole('link', { name: '1 more needs you' }).waitFor();
  expect(await panes(page)).toEqual(['alpha', 'beta']);
  await page.getByRole('heading', { level: 1 }).hover();
  await expectPanes(page, ['zebra', 'alpha', 'beta']);
  expect(page.url()).toBe(`${api.url}/wall`);
});

it('WM5 WM9 a question is answered in its pane, and an end is shown in place', async () => {
  await using world = new World();
  const { api } = await world.start();
  await openShells(world, api, ['web', 'zebra']);
  await using page = await openWall(api, '?follow=web,zebra,nobody');
  const { answer } = await askPerson(world, api, 'zebra', QUESTION_REQUEST);
  const pane = card(page, 'zebra');
  await pane.getByText('Which colour should the button be?').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await pane.getByRole('button', { name: /^Blue/ }).click();
  expect(await decisionOf(answer)).toMatchObject({
    updatedInput: { answers: { 'Which colour should the button be?': 'Blue' } },
  });
  await pane.getByText('answered by admin').waitFor();

  await card(page, 'nobody').getByText('There is no session named nobody.').waitFor();
  await typeInto(api, 'web', 'echo last $((6 * 7))');
  await screenOf(page, 'web').getByText('last 42', { exact: true }).waitFor();
  await api.send('DELETE', '/api/sessions/web');
  await card(page, 'web').getByText('This session closed').waitFor();
  await screenOf(page, 'web').getByText('last 42', { exact: true }).waitFor();
  expect(await panes(page)).toEqual(['web', 'zebra', 'nobody']);
  expect(await scanAccessibility(page)).toEqual([]);
  await page.getByRole('button', { name: 'Remove web' }).click();
  await page.getByRole('button', { name: 'Remove nobody' }).click();
  await expectPanes(page, ['zebra']);
  await page.waitForURL('**/wall?follow=zebra');
});

it('WM5 a digit answers the focused pane, and a viewer gets no answer buttons', async () => {
  await using world = new World();
  const { api } = await world.start();
  const { answer } = await askPerson(world, api, 'web', BASH_REQUEST);
  const { api: viewer } = await join(api, 'Vera', 'viewer');
  await using other = await openDashboard(viewer, DESK);
  await other.goto(`${api.url}/wall?follow=web`);
  await card(other, 'web').getByText('Viewers can’t answer.').waitFor();
  expect(await card(other, 'web').getByRole('button').count()).toBe(0);
  await using page = await openWall(api, '?follow=web');
  await card(page, 'web')
    .getByRole('button', { name: /^Allow/ })
    .waitFor();
  await page.keyboard.press('j');
  await until('the answer', async () => {
    await page.keyboard.press('1');
    return (await card(page, 'web').getByText('answered by admin').count()) > 0;
  });
  expect(await decisionOf(answer)).toMatchObject({ behavior: 'allow' });
});

it('WM10 a screen is watched only in sight and in a visible tab', async () => {
  await using world = new World();
  const { api } = await world.start();
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  await openShells(world, api, names);
  await using page = await openDashboard(api, { viewport: { width: 390, height: 844 } });
  const watched = new Set<string>();
  page.on('websocket', (socket) => {
    watched.clear();
    socket.on('framesent', ({ payload }) => {
      const frame = JSON.parse(payload.toString()) as ClientFrame;
      if (frame.type === 'watch') watched.add(frame.session);
      if (frame.type === 'unwatch') watched.delete(frame.session);
    });
  });
  await page.goto(`${api.url}/wall?follow=${names.join()}`);
  await until('the first is watched', () => watched.has('a'));
  expect(watched.has('f')).toBe(false);
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await until('the last is watched instead', () => watched.has('f') && !watched.has('a'));
  await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);
  await until('nothing is watched behind another tab', () => watched.size === 0);
});

it('WM12 WM13 an empty wall says why, and sessions that need a person elsewhere are counted', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openWall(api);
  await page.getByRole('heading', { name: 'No sessions yet' }).waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await openShells(world, api, ['web']);
  await page.getByRole('heading', { name: 'Nothing is working' }).waitFor();
  await askPerson(world, api, 'docs', BASH_REQUEST);
  await expectPanes(page, ['docs']);
  await page.goto(`${api.url}/wall?follow=web`);
  await page.getByRole('link', { name: '1 more needs you' }).click();
  await card(page, 'docs').waitFor();
  await page.getByRole('link', { name: 'Wall', exact: true }).click();
  await expectPanes(page, ['docs']);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('wall');
  await page.getByRole('option', { name: 'Page Wall' }).waitFor();
});

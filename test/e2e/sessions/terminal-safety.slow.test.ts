/**
 * What a program draws is not trusted, and what a person pastes is checked first. The bytes are
 * injected into the page's own connection here: the daemon filters most of this out, and the page
 * must not rely on it.
 */
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { useBrowser } from '../../support/browser/browser.ts';
import { scanAccessibility } from '../../support/browser/scan-accessibility.ts';
import { openWired, rowsIn, takeControl } from '../../support/browser/terminal-page.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

const ESC = '\u001b';
const ST = `${ESC}\\`;
const CLEAR = `${ESC}[H${ESC}[2J`;

/** A terminal that is controlled from a page, with access to its connection. */
async function openControlled(world: World) {
  const { api } = await world.start();
  await openShell(api, 'web', world.taskDir('web'));
  const permissions = ['clipboard-read', 'clipboard-write'];
  const wired = await openWired(api, 'web', { permissions });
  const { page } = wired;
  const terminal = await takeControl(page, 'web');
  await rowsIn(terminal).getByText('#').first().waitFor();
  return { ...wired, api, terminal };
}

function link(address: string, text: string): string {
  return `${ESC}]8;;${address}${ST}${text}${ESC}]8;;${ST}`;
}

/** Clicks on this text in the terminal, as a mouse does. */
async function clickOn(page: Page, text: Locator): Promise<void> {
  // Rows are redrawn while a pointer moves over them.
  const box = await until('it is in sight', async () => text.boundingBox());
  await page.mouse.move(box.x + 4, box.y + box.height / 2, { steps: 3 });
  await page.mouse.click(box.x + 4, box.y + box.height / 2);
}

interface StyledWindow {
  getComputedStyle(element: unknown): { getPropertyValue(property: string): string };
}

/** The computed value of a property. */
async function readStyle(element: Locator, property: string): Promise<string> {
  return element.evaluate((found, name) => {
    const window = globalThis as unknown as StyledWindow;
    return window.getComputedStyle(found).getPropertyValue(name);
  }, property);
}

it('TP6 only http and https links can be clicked, and the whole address is shown first', async () => {
  await using world = new World();
  await using controlled = await openControlled(world);
  const { api, page, wire, terminal } = controlled;
  const lines = [
    link('javascript:alert(1)', 'script'),
    link('file:///etc/passwd', 'a-file'),
    link('https://good.example@evil.example/', 'misleading'),
    link(`${api.url}/healthz?of=a-link`, 'harmless'),
    `${api.url}/healthz?of=plain-text`,
  ];
  wire.draw(`${CLEAR}${lines.join('\r\n')}\r\nend`);
  await rowsIn(terminal).getByText('end', { exact: true }).waitFor();
  for (const text of ['script', 'a-file', 'misleading']) {
    await clickOn(page, rowsIn(terminal).getByText(text, { exact: true }));
  }
  const dialog = page.getByRole('dialog', { name: 'Open this address?' });
  await clickOn(page, rowsIn(terminal).getByText('harmless', { exact: true }));
  // The three before would have opened theirs earlier.
  await dialog.getByText(`${api.url}/healthz?of=a-link`, { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await clickOn(page, rowsIn(terminal).getByText('of=plain-text'));
  await dialog.getByText(`${api.url}/healthz?of=plain-text`, { exact: true }).waitFor();
  const opened = page.context().waitForEvent('page');
  await dialog.getByRole('button', { name: 'Open in a new tab' }).click();
  const tab = await opened;
  await tab.waitForURL(`${api.url}/healthz?of=plain-text`);
  expect(await tab.evaluate('[window.opener, document.referrer]')).toEqual([null, '']);
  expect(page.context().pages()).toHaveLength(2);
});

it('TP7 a paste of more than one line is shown and needs a confirmation', async () => {
  await using world = new World();
  await using controlled = await openControlled(world);
  const { page, wire, terminal } = controlled;
  const paste = async (text: string) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.keyboard.press('Control+Shift+V');
  };
  wire.draw(`${ESC}[?2004l`);
  await paste('echo one');
  await until('one line is typed', () => wire.typed === 'echo one');
  const lines = `\necho <b>two</b>${ESC}\necho three\n`;
  await paste(lines);
  const dialog = page.getByRole('dialog', { name: 'Paste 4 lines?' });
  await dialog.getByText('echo <b>two</b>').waitFor();
  await dialog.getByText('may run each line immediately').waitFor();
  expect(await scanAccessibility(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(wire.typed).toBe('echo one');
  await terminal.locator('textarea:focus').waitFor();
  // A program that can distinguish a paste from keys gets it marked. A redraw of the daemon sets no modes.
  wire.isMute = true;
  wire.draw(`${ESC}[?2004h`);
  await paste(lines);
  await dialog.getByText('The program receives them as one paste.').waitFor();
  await dialog.getByRole('button', { name: 'Paste' }).click();
  const pasted = '\recho <b>two</b>\recho three\r';
  await until('the paste', () => wire.typed === `echo one${ESC}[200~${pasted}${ESC}[201~`);
});

it('TP8 nothing drawn is answered, names the page, or reaches the clipboard', async () => {
  await using world = new World();
  await using controlled = await openControlled(world);
  const { page, wire, terminal } = controlled;
  await page.evaluate(`navigator.clipboard.writeText('mine')`);
  const questions = [
    '[c',
    '[>c',
    '[=c',
    '[5n',
    '[6n',
    '[?6n',
    '[?25$p',
    '[18t',
    '[14t',
    '[21t',
    '[?1004h',
    `P$qm${ST}`,
    `]10;?${ST}`,
    `]11;?${ST}`,
    `]4;1;?${ST}`,
    `]52;c;cHduZWQ=${ST}`,
    `]0;named${ST}`,
    `]2;named${ST}`,
    `]7;file:///named${ST}`,
  ];
  wire.draw(`${CLEAR}${questions.map((body) => ESC + body).join('')}end`);
  await rowsIn(terminal).getByText('end', { exact: true }).waitFor();
  // Focus reports are enabled as well.
  await page.getByLabel('Type into web').focus();
  await terminal.locator('textarea').focus();
  await page.keyboard.type('x');
  await until('a key', () => wire.typed.endsWith('x'));
  expect(wire.typed).toBe('x');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('mine');
  expect(await page.title()).toBe('web · Loopwatch');
  expect(await page.getByText('named').count()).toBe(0);
});

it('TP8 colours, cursor and selection are drawn correctly under the policy of the page', async () => {
  await using world = new World();
  await using controlled = await openControlled(world);
  const { page, wire, terminal } = controlled;
  const shown = [
    `${ESC}[31mpalette${ESC}[0m ${ESC}[38;2;1;2;3;48;2;200;100;50mtrue${ESC}[0m`,
    `${ESC}[1mbold${ESC}[0m ${ESC}[38;5;208mindexed${ESC}[0m`,
  ];
  wire.draw(`${CLEAR}${shown.join('\r\n')}\r\nselected`);
  const styleOf = async (text: string, property: string) =>
    readStyle(rowsIn(terminal).getByText(text, { exact: true }), property);
  await rowsIn(terminal).getByText('selected', { exact: true }).waitFor();
  expect(await styleOf('palette', 'color')).toBe('rgb(255, 138, 128)');
  expect(await styleOf('true', 'color')).toBe('rgb(1, 2, 3)');
  expect(await styleOf('true', 'background-color')).toBe('rgb(200, 100, 50)');
  expect(await styleOf('indexed', 'color')).toBe('rgb(255, 135, 0)');
  expect(await styleOf('bold', 'font-weight')).toBe('700');
  const ground = async () => readStyle(terminal.locator('.xterm-cursor'), 'background-color');
  await expect.poll(ground).toBe('rgb(233, 237, 243)');
  const selected = rowsIn(terminal).getByText('selected', { exact: true });
  const { x, y } = await until('it is in sight', async () => selected.boundingBox());
  await page.mouse.dblclick(x + 10, y + 5);
  const selection = terminal.locator('.xterm-selection div').first();
  await selection.waitFor();
  expect(await readStyle(selection, 'background-color')).toBe('rgb(52, 69, 107)');
  expect(await scanAccessibility(page)).toEqual([]);
});

/** Hooks in the user's settings: answers from the page reach a session, and no dialog waits for a daemon. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import { compareVersions, parseClientVersion } from '../../server/agents/client-version.ts';
import { print } from '../record/print-judgement.ts';
import { fileOf, promptFor, QUESTION } from './causes.ts';
import { differences } from './file-facts.ts';
import type { FoundStage } from './found-stage.ts';
import type { HandSession } from './hand-session.ts';
import { median, measureDialogs } from './measure-dialogs.ts';
import { factsOf } from './still.ts';

/** From this version on, a client applies changed settings while it runs. */
const APPLIES_SINCE: Readonly<{ major: number; minor: number; patch: number }> = {
  major: 2,
  minor: 1,
  patch: 330,
};
const MOST_DELAY_MS = 200;

/** `unsteady`: what changes by itself. Whether all held. */
export async function playHooks(
  stage: FoundStage,
  unsteady: ReadonlySet<string>,
): Promise<boolean> {
  const before = await calmFacts(stage);
  const plain = await stage.open('plain', 'tmux', null);
  const without = await measureDialogs(stage, plain, 'without hooks');
  await leave(stage, plain);
  await stage.daemon.send('POST', '/api/client-hooks', { action: 'install' });
  const asker = await stage.open('asker', 'tmux', null);
  const held = [
    await isAnswered(stage, asker, 'a session started since'),
    await isAsked(stage, asker),
  ];
  const running = stage.sessions.find(({ name }) => name === 'tmux-4');
  const version = parseClientVersion(`${stage.client.version} (Claude Code)`);
  const applies = version !== null && compareVersions(version, APPLIES_SINCE) >= 0;
  if (running !== undefined && applies) {
    held.push(await isAnswered(stage, running, 'a session started before'));
  }
  const conditions = {
    'the daemon answers': async () => Promise.resolve(),
    'the daemon is stopped': async () => {
      stage.daemon.pause();
      return Promise.resolve();
    },
    'the daemon is killed': async () => stage.daemon.end('SIGKILL'),
  };
  for (const [condition, begin] of Object.entries(conditions)) {
    await begin();
    held.push(isOnTime(await measureDialogs(stage, asker, condition), without, condition));
  }
  await stage.daemon.start();
  await leave(stage, asker);
  await stage.daemon.send('POST', '/api/client-hooks', { action: 'remove' });
  const changed = differences(before, await calmFacts(stage)).filter((name) => !unsteady.has(name));
  report(changed.length === 0, 'settings, tmux and terminals are as before once hooks are removed');
  for (const name of changed) print(`    changed: ${name}`);
  return held.every(Boolean) && changed.length === 0;
}

/** All that is not a file of a client that has worked since; of those the settings. */
async function calmFacts(stage: FoundStage): Promise<Map<string, string>> {
  const all = await factsOf(stage);
  const moved = ['tmux-4', 'plain', 'asker'];
  const facts = new Map([...all].filter(([name]) => !name.startsWith('/')));
  for (const name of facts.keys())
    if (moved.some((each) => name.startsWith(each))) facts.delete(name);
  // Its title says what it did last.
  for (const [name, fact] of facts) {
    if (name.startsWith('tmux list-panes'))
      facts.set(name, fact.replaceAll(/^(\S+ \S+ \S+).*$/gm, '$1'));
  }
  const config = join(stage.user, '.claude');
  const settings = join(config, 'settings.json');
  facts.set(
    'settings.json',
    `${lstatSync(settings).mode.toString(8)} ${readFileSync(settings, 'utf8')}`,
  );
  // The client itself adds others.
  const ours = readdirSync(config).filter((name) => /settings|loopwatch/.test(name));
  facts.set('files next to it', ours.sort().join());
  return facts;
}

/** A permission, allowed on the page. */
async function isAnswered(stage: FoundStage, session: HandSession, what: string): Promise<boolean> {
  const mark = `${session.name}-page`;
  await session.submit(promptFor(mark, 'permission'));
  const item = await itemFor(stage, 'Bash');
  await stage.daemon.send('POST', `/api/attention/${item.id}/answer`, { decision: 'allow' });
  const answeredAtMs = performance.now();
  await stage.until('the allowed command', () => existsSync(join(stage.work, fileOf(mark))));
  const ms = Math.round(performance.now() - answeredAtMs);
  await stage.until('the end of its turn', () => stage.records.statusOf(session.pid) === 'idle');
  return report(
    true,
    `a permission of ${what} was answered on the page: its command ran after ${ms} ms`,
  );
}

/** A question, answered on the page. */
async function isAsked(stage: FoundStage, session: HandSession): Promise<boolean> {
  await session.submit(promptFor(`${session.name}-asked`, 'question'));
  const item = await itemFor(stage, 'AskUserQuestion');
  const answer = { decision: 'allow', answers: { [QUESTION]: 'Blue' } };
  await stage.daemon.send('POST', `/api/attention/${item.id}/answer`, answer);
  await stage.until('the end of its turn', () => stage.records.statusOf(session.pid) === 'idle');
  const got = stage.model.prompts.at(-1) ?? '';
  return report(got.includes('Blue'), 'a question was answered on the page');
}

async function itemFor(stage: FoundStage, tool: string): Promise<AttentionItem> {
  return stage.until(`a request for ${tool}`, async () => {
    const { items } = (await stage.daemon.send('GET', '/api/attention')) as {
      items: AttentionItem[];
    };
    return items.find(({ request }) => request?.tool === tool);
  });
}

function isOnTime(
  delays: readonly number[],
  without: readonly number[],
  condition: string,
): boolean {
  const late = median(delays) - median(without);
  const spread = Math.max(...without) - Math.min(...without);
  const what = `dialogs while ${condition}: ${list(delays)} ms, without hooks ${list(without)} ms`;
  if (late <= MOST_DELAY_MS) return report(true, what);
  if (spread <= MOST_DELAY_MS) return report(false, what);
  print(`  not judged ${what}: without hooks they already differ by ${Math.round(spread)} ms`);
  return true;
}

function list(delays: readonly number[]): string {
  return delays.map((each) => String(Math.round(each))).join(', ');
}

/** It is no part of what is compared. */
async function leave(stage: FoundStage, session: HandSession): Promise<void> {
  await session.close();
  await stage.until('its end', () => !existsSync(`/proc/${session.pid}`));
  stage.sessions.splice(stage.sessions.indexOf(session), 1);
}

function report(hasHeld: boolean, what: string): boolean {
  print(`  ${hasHeld ? 'held  ' : 'FAILED'} ${what}`);
  return hasHeld;
}

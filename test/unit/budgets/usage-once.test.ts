/** Random lives of clients and daemons: every token is counted, and counted once. */
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Random, seeded, sized } from '../../support/house/random.ts';
import { CHUNK_BYTES, spent, UsageHome, workOf } from '../../support/runs/usage-home.ts';

const LIVES = sized({ short: 12, middle: 60, long: 2_000 });
const STEPS = 80;
const SESSIONS = ['web', 'api', 'docs'];

interface Life {
  home: UsageHome;
  random: Random;
  /** Output tokens of each message, by its key. */
  truth: Map<string, number>;
  /** The conversation that each session's agent has. */
  open: Map<string, string>;
  /** Those the daemon has not seen yet. */
  unseen: Set<string>;
  isAway: boolean;
  made: number;
}

/** A line that is not finished yet is finished by the next one that is written. */
const unfinished = new Map<string, string>();

function write(life: Life, path: string, line: string): void {
  const rest = unfinished.get(path);
  if (rest !== undefined) life.home.append(path, `${rest}\n`);
  unfinished.delete(path);
  const cut = life.random.chance(0.2) ? life.random.int(1, line.length - 1) : line.length;
  life.home.append(path, cut < line.length ? line.slice(0, cut) : `${line}\n`);
  if (cut < line.length) unfinished.set(path, line.slice(cut));
}

/** A client that leaves a conversation has written all of it. */
function finish(home: UsageHome, conversation: string): void {
  for (const [path, rest] of [...unfinished]) {
    if (!path.startsWith(home.path(conversation).replace('.jsonl', ''))) continue;
    home.append(path, `${rest}\n`);
    unfinished.delete(path);
  }
}

/** A message in one to three lines; its usage grows until the last. */
function say(life: Life, path: string, entrypoint = 'cli'): number {
  const { home, random, truth } = life;
  const id = `${(life.made += 1)}`;
  const output = random.int(1, 5_000);
  const lines = random.int(1, 3);
  for (let number = 1; number <= lines; number += 1) {
    const seen = number === lines ? output : random.int(1, output);
    write(life, path, home.line({ id, output: seen, entrypoint }));
  }
  truth.set(id, output);
  home.clock.advance(random.int(0, 60_000));
  return output;
}

function noise({ home, random }: Life, path: string): void {
  if (unfinished.has(path)) return;
  const quote = JSON.stringify({ type: 'user', text: '"usage":{"output_tokens":9}' });
  const long = `"usage" ${'x'.repeat(random.int(CHUNK_BYTES, 3 * CHUNK_BYTES))}`;
  home.append(path, `${random.pick([quote, long, '{"usage"', '\u0000\ufffd', ''])}\n`);
}

function seenBy(life: Life, session: string): string {
  const conversation = life.open.get(session) ?? `c${(life.made += 1)}`;
  if (!life.open.has(session)) {
    life.open.set(session, conversation);
    life.unseen.add(conversation);
  }
  return conversation;
}

/** The daemon observes the agent of this session. */
async function observe(life: Life, session: string): Promise<void> {
  const { home, open, unseen, isAway } = life;
  const conversation = open.get(session);
  if (isAway || conversation === undefined) return;
  await home.ledger.follow(conversation, workOf(session), 0);
  unseen.delete(conversation);
  const reading = home.ledger.read(conversation);
  // Sometimes what comes next happens while it is read.
  if (life.random.chance(0.7)) await reading;
}

/** The agent continues in another conversation, which repeats the lines of the old one. */
function continueElsewhere(life: Life, session: string, to: string): void {
  const { home, open, unseen, isAway, random } = life;
  const from = open.get(session);
  if (from === undefined || !existsSync(home.path(from))) return;
  const left = open.get(to);
  // A daemon that was away for all of a conversation cannot know of it.
  if (left !== undefined && unseen.has(left)) return;
  const copy = `c${(life.made += 1)}`;
  home.append(home.path(copy), home.linesOf(home.path(from)));
  open.set(to, copy);
  unseen.add(copy);
  if (left !== undefined) finish(home, left);
  if (!isAway && left !== undefined && random.chance(0.8)) void home.ledger.close(left);
}

/** A turn without a terminal, in a conversation of its own or one that is known. */
async function headless(life: Life): Promise<void> {
  const { home, random, truth, isAway } = life;
  if (isAway) return;
  const id = `t${(life.made += 1)}`;
  const conversation = random.chance(0.5) ? 'task' : `h${life.made}`;
  const work = workOf('fix', 'task');
  const path = home.path(conversation);
  home.database.transaction(() => home.ledger.turnHeard(conversation, work));
  let used = 0;
  for (let n = random.int(0, 3); n > 0; n -= 1) used += say(life, path, 'sdk-cli');
  if (used > 0 && random.chance(0.3)) {
    const agent = home.subagentPath(conversation, id);
    used += say(life, agent, 'sdk-cli');
  }
  if (random.chance(0.3)) await home.restart();
  finish(home, conversation);
  // A title, which no transcript has.
  const more = random.chance(0.5) ? 7 : 0;
  const isLost = random.chance(0.3);
  const result = isLost ? [] : [spent(used + more)];
  if (!isLost && used + more > 0) truth.set(id, more);
  const end = () => home.ledger.turnEnded({ id, conversation, spent: result, work });
  home.database.transaction(end);
  // An end that could not be stored comes again.
  if (random.chance(0.2)) home.database.transaction(end);
  if (random.chance(0.3)) life.open.set('web', seen(life, conversation));
}

/** A person opens the conversation of a task in a terminal, once nothing there is unread. */
function seen(life: Life, conversation: string): string {
  const before = life.open.get('web');
  if (before !== undefined && life.unseen.has(before)) return before;
  if (before !== undefined) finish(life.home, before);
  if (!life.isAway && before !== undefined) void life.home.ledger.close(before);
  life.unseen.add(conversation);
  return conversation;
}

async function step(life: Life): Promise<void> {
  const { home, random } = life;
  const session = random.pick(SESSIONS);
  const conversation = seenBy(life, session);
  const path = home.path(conversation);
  switch (random.int(0, 9)) {
    case 0:
    case 1:
    case 2:
      say(life, path);
      return;
    case 3:
      if (!existsSync(path)) return;
      say(life, home.subagentPath(conversation, `a${random.int(1, 3)}`));
      return;
    case 4:
      return observe(life, session);
    case 5:
      continueElsewhere(life, session, random.chance(0.5) ? session : random.pick(SESSIONS));
      return;
    case 6: {
      if (!existsSync(path) || unfinished.has(path)) return;
      // A compaction repeats what it keeps; a copy of the file has another identity.
      if (random.chance(0.5)) home.append(path, home.linesOf(path));
      else home.replace(path);
      return;
    }
    case 7:
      noise(life, path);
      return;
    case 8:
      return headless(life);
    default:
      if (life.isAway) await home.restart();
      else if (random.chance(0.5)) await home.ledger.dispose();
      else return home.restart();
      life.isAway = !life.isAway;
  }
}

it('US1 US2 US3 US4 US6 no token is lost or counted twice, over any actions of clients and daemons', async () => {
  for (let count = 0; count < LIVES; count += 1) {
    await seeded(async (random) => {
      await using home = new UsageHome();
      const truth = new Map<string, number>();
      const open = new Map<string, string>();
      const unseen = new Set<string>();
      const life = { home, random, truth, open, unseen, isAway: false, made: 0 };
      unfinished.clear();
      for (let n = 0; n < STEPS; n += 1) await step(life);
      for (const [path, rest] of unfinished) home.append(path, `${rest}\n`);
      await home.restart();
      life.isAway = false;
      for (const session of open.keys()) await observe(life, session);
      await home.settle();
      const total = [...truth.values()].reduce((sum, output) => sum + output, 0);
      expect(home.warnings).toBe(0);
      expect(home.tokens()?.output ?? 0).toBe(total);
      const entries = home.database.raw.prepare('SELECT sum(output_tokens) FROM usage_entries');
      expect(entries.pluck().get() ?? 0).toBe(total);
    });
  }
});

/** Processes of another user, with everything that makes one of this user a session. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientProcesses } from '../../../server/found/clients/client-processes.ts';
import { Codex } from '../../../server/found/clients/codex.ts';
import { Gemini } from '../../../server/found/clients/gemini.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { systemProcesses } from '../../../server/lib/processes/processes.ts';
import {
  type OtherClient,
  startChat,
  startGemini,
  startHolder,
  startRollout,
} from '../../support/found/other-client.ts';

const CONVERSATION = '01a21402-3617-7cd0-bf3c-d6b91178492d';
const CHAT = '7e442a9f-8928-4eda-aa0c-a409f5b52eb7';
/** It keeps the open files and the paths: nothing but the user differs. */
const AS_ANOTHER = 'exec setpriv --reuid=65534 --regid=65534 --clear-groups';
/** Only root may become another user. */
const canBeAnother = process.getuid?.() === 0;

let root: string;
let started: OtherClient[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lwu-'));
  // The other user must be able to run what is in there.
  chmodSync(root, 0o755);
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map(async (client) => client.kill()));
  rmSync(root, { recursive: true });
});

/** The pids of the sessions below `root`, by name of their client. */
async function found(): Promise<Record<string, number[]>> {
  const clients = [new Codex({ HOME: root }), new Gemini({ HOME: root })];
  const options = { processes: systemProcesses, clock: systemClock };
  const byClient = await new ClientProcesses(clients, options).of(await systemProcesses.list());
  const open = [...byClient].map(([client, all]) => {
    const sessions = client.open(all).filter(({ process }) => process.program.cwd.startsWith(root));
    return [client.name, sessions.map(({ process }) => process.pid)] as const;
  });
  return Object.fromEntries(open);
}

async function start(prefix: string): Promise<OtherClient[]> {
  const cwd = join(root, 'shop');
  mkdirSync(cwd, { recursive: true });
  const rollout = startRollout(join(root, '.codex'), CONVERSATION, cwd);
  const pair = [
    await startHolder(root, [rollout], { prefix }),
    await startGemini(join(root, 'npm'), root, cwd, prefix),
  ];
  startChat(root, cwd, CHAT);
  started.push(...pair);
  return pair;
}

it.skipIf(!canBeAnother)(
  'FS59 FS62 a process of another user is no session of Codex or Gemini',
  async () => {
    await start(AS_ANOTHER);
    expect(await found()).toEqual({ codex: [], gemini: [] });
  },
);

it('FS59 the same processes of this user are sessions', async () => {
  const [codex] = await start('');
  const { codex: pids, gemini } = await found();
  expect(pids).toEqual([codex?.pid]);
  expect(gemini).toHaveLength(1);
});

/** Writes the control files of a loop as an agent would, or as none should. */
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SIGNAL_FILE } from '../../../shared/schema/loops/auto-signal.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

/** A valid signal, as text; `more` replaces or adds fields. */
export function signalText(more: object = {}): string {
  const timestamp = new Date().toISOString();
  return JSON.stringify({ step: 'check', result: 'PASS', next: 'exec', timestamp, ...more });
}

export function signalPath(taskDir: string): string {
  return join(taskDir, SIGNAL_FILE);
}

/** Replaces the signal atomically, as the agent does. */
export function putSignal(taskDir: string, content: string | Buffer): void {
  const temporary = join(taskDir, `${SIGNAL_FILE}.tmp`);
  writeFileSync(temporary, content);
  renameSync(temporary, signalPath(taskDir));
}

/** Whether the last write has been read: the file system records it. */
export function isRead(taskDir: string): boolean {
  const { atimeNs, mtimeNs } = statSync(signalPath(taskDir), { bigint: true });
  return atimeNs > mtimeNs;
}

/** Waits until the last write has been read. */
export async function untilRead(taskDir: string): Promise<void> {
  await until('the daemon has read the signal', () => isRead(taskDir));
}

/** Waits until the loop is a second older: ten polls of a quick world have passed. */
export async function untilPolled(api: ApiClient, session: string): Promise<void> {
  const age = async () => (await api.loop(session)).elapsed_seconds ?? 0;
  const before = await age();
  await until('the loop is a second older', async () => (await age()) > before + 1);
}

/** Starts a loop whose agent only stays in the foreground; returns its task directory. */
export async function startSilentLoop(
  world: World,
  api: ApiClient,
  session: string,
): Promise<string> {
  world.writeProgram('claude', 'exec sleep 1000');
  const taskDir = world.taskDir(session);
  await api.openSession(session, taskDir);
  const { status, body } = await api.startLoop(session, taskDir);
  if (status !== 201) throw new Error(`the loop of ${session}: ${JSON.stringify(body)}`);
  return taskDir;
}

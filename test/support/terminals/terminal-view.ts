/** A terminal as a person uses it: only through the API. */
import { existsSync, readFileSync } from 'node:fs';
import { plainLines } from '../../../server/terminals/screen-lines.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { until } from '../house/until.ts';

/** The rows a session shows, without colours and trailing blanks. */
export async function rowsOf(api: ApiClient, session: string): Promise<string[]> {
  const { body } = await api.get(`/api/sessions/${session}/screen`);
  return plainLines(body['lines'] as string[]).map((row) => row.trimEnd());
}

/** Types into a session; returns the daemon's delivery state. */
export async function typeInto(
  api: ApiClient,
  session: string,
  text: string,
  submit = true,
): Promise<unknown> {
  const path = `/api/sessions/${session}/input`;
  return (await api.send('POST', path, { text, submit })).body['delivery'];
}

/** Opens a session and waits for the prompt of its shell. */
export async function openShell(api: ApiClient, session: string, cwd: string): Promise<void> {
  await api.openSession(session, cwd);
  await until('the prompt', async () => (await rowsOf(api, session)).join('') !== '');
}

/** Runs a shell line and waits until it has written `file` (the last thing it must do). */
export async function runInShell(
  api: ApiClient,
  session: string,
  line: string,
  file: string,
): Promise<string> {
  await typeInto(api, session, line);
  await until(`${file} is written`, () => existsSync(file));
  return readFileSync(file, 'utf8');
}

/**
 * Starts a foreground program that writes what it reads to `file`. The daemon must have read that
 * the shell ended its line: until then it rightly believes that pastes are wanted.
 */
export async function listen(api: ApiClient, session: string, file: string): Promise<void> {
  await typeInto(api, session, `echo rea""dy; cat > '${file}'`);
  await until('the terminal shows that the shell runs it', async () =>
    (await rowsOf(api, session)).includes('ready'),
  );
  await until('cat is in front', () => existsSync(file));
}

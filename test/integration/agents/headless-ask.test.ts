/** One question to a model, as the daemon's own checks send it. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  askModel,
  endOldChecks,
  type ModelOptions,
} from '../../../server/agents/headless/ask-model.ts';
import { processesOfTurn } from '../../../server/agents/headless/turn-processes.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { Talk } from '../../support/terminals/talk.ts';
import { until } from '../../support/house/until.ts';

function optionsOf(talk: Talk, more: Partial<ModelOptions> = {}): ModelOptions {
  const scratchDirectory = join(talk.root, 'checks');
  return { conversations: talk.open(), clock: systemClock, scratchDirectory, ...more };
}

it('HC14, HC23 a question is answered without tools, settings or memory, in an empty directory', async () => {
  using talk = new Talk();
  const options = optionsOf(talk);
  const answer = await askModel(options, 'Is it done?\nstand-in: say yes');
  expect(answer).toMatchObject({ ok: true, text: 'yes', timedOut: false });
  expect(answer.usage?.inputTokens).toBe(1500);
  const [call = []] = talk.calls();
  expect(call).toEqual(
    expect.arrayContaining([
      '--tools=',
      '--strict-mcp-config',
      '--setting-sources=',
      '--disable-slash-commands',
      '--no-session-persistence',
    ]),
  );
  expect(call[call.indexOf('--permission-mode') + 1]).toBe('default');
  expect(readdirSync(options.scratchDirectory)).toEqual([]);
  expect(readdirSync(talk.config)).toEqual(['stand-in-calls.ndjson']);
});

it('HC22, HC23 a question that is not answered in time is ended', async () => {
  using talk = new Talk();
  const options = optionsOf(talk, { timeoutMs: 300 });
  const answer = await askModel(options, 'stand-in: hang');
  expect(answer).toMatchObject({ ok: false, error: 'interrupted', timedOut: true });
  expect(readdirSync(options.scratchDirectory)).toEqual([]);
});

it('HC22 a question whose answer is no longer needed is ended', async () => {
  using talk = new Talk();
  const stop = new AbortController();
  const asked = askModel(optionsOf(talk), 'stand-in: hang', stop.signal);
  stop.abort();
  expect(await asked).toMatchObject({ ok: false, error: 'interrupted', timedOut: false });
});

it('HC23 a question that could not be asked leaves nothing behind', async () => {
  using talk = new Talk();
  // No program can start with an environment of that size.
  const conversations = talk.open({ environment: { BIG: 'x'.repeat(300_000) } });
  const options = optionsOf(talk, { conversations });
  await expect(askModel(options, 'Is it done?')).rejects.toThrow('E2BIG');
  expect(checks(options)).toEqual([]);
});

it('HC23 the next daemon ends the questions of the one before', async () => {
  using talk = new Talk();
  const conversations = talk.open();
  const options = optionsOf(talk, { conversations });
  const asked = askModel(options, 'stand-in: hang');
  const id = await until('a check', () => checks(options)[0]);
  await until('its client', () => processesOfTurn(id).length === 1 && talk.calls().length === 1);
  conversations.dispose();
  await expect(asked).rejects.toThrow('no longer needed');
  mkdirSync(join(options.scratchDirectory, 'left'));
  await endOldChecks(options);
  expect([processesOfTurn(id), checks(options)]).toEqual([[], []]);
});

function checks({ scratchDirectory }: ModelOptions): string[] {
  try {
    return readdirSync(scratchDirectory);
  } catch {
    return [];
  }
}

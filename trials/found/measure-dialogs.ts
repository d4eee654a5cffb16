/** How long a client takes to show a permission dialog, and that it works in the terminal. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf, promptFor } from './causes.ts';
import type { FoundStage } from './found-stage.ts';
import type { HandSession } from './hand-session.ts';

const TIMES = 3;
const DIALOG = /Do you want/;

/**
 * From the answer of the model to the dialog on the screen, in milliseconds. Each is allowed in the
 * terminal. Throws when the command does not run then.
 */
export async function measureDialogs(
  stage: FoundStage,
  session: HandSession,
  condition: string,
): Promise<number[]> {
  const delays: number[] = [];
  for (let time = 1; time <= TIMES; time += 1) {
    const mark = `${session.name}-${condition.replaceAll(/\W+/g, '-')}-${time}`;
    await stage.until('its prompt', () => stage.records.statusOf(session.pid) === 'idle');
    await session.submit(promptFor(mark, 'permission'));
    const caused = await stage.until('a permission', () =>
      stage.causes.of(mark).find(({ words }) => words === 'waiting permission'),
    );
    await stage.until(`a dialog, ${condition}`, async () => DIALOG.test(await session.screen()));
    delays.push(performance.now() - caused.atMs);
    await stage.until(
      'the dialog is drawn',
      () => stage.records.statusOf(session.pid) === 'waiting',
    );
    await session.submit('');
    await stage.until(`the command, ${condition}`, () =>
      existsSync(join(stage.work, fileOf(mark))),
    );
  }
  await stage.until('its prompt', () => stage.records.statusOf(session.pid) === 'idle');
  return delays;
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN;
}

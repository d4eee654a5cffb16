/** Finds the scenario of a task directory and rejects an invalid one. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { DEFAULT_SCENARIO } from './default-scenario.ts';
import { Scenario } from './scenario.ts';

const SCENARIO_FILE = 'stand-in.json';

/**
 * The scenario in the task directory, else the one of the environment, else the built-in one.
 * Throws with a message that names the file and every mistake in it.
 */
export function loadScenario(taskDirectory: string, environment: NodeJS.ProcessEnv): Scenario {
  const own = path.join(taskDirectory, SCENARIO_FILE);
  const file = existsSync(own) ? own : environment.LOOPWATCH_STAND_IN_SCENARIO;
  return file ? readScenario(file) : DEFAULT_SCENARIO;
}

function readScenario(file: string): Scenario {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`Scenario ${file} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  const parsed = Scenario.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new Error(`Scenario ${file} is not valid:\n${z.prettifyError(parsed.error)}`);
}

/** Which tests the host runs to prove work, as chosen in a form. Pure. */
import type { Gate } from '$shared/schema/tasks/end-criteria.ts';

/** `found`: the host detects how the project is tested. */
export type TestChoice = 'found' | 'own' | 'none';

export interface TestValues {
  tests: TestChoice;
  /** One per line. */
  testCommands: string;
  gates: Gate[];
}

/** The part of a form that these fields fill in. */
export interface TestsForm {
  values: TestValues;
  readonly errors: { test_commands?: string; gates?: string };
  /** Saves the input for this tab. */
  keep: () => void;
}

/** As in the contract: null lets the host detect them, an empty list means none. */
export function testCommands({ tests, testCommands: lines }: TestValues): string[] | null {
  if (tests === 'found') return null;
  if (tests === 'none') return [];
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Without rows that were left empty. */
export function filledGates({ gates }: TestValues): Gate[] {
  return gates.filter(({ name, command }) => `${name}${command}`.trim() !== '');
}

/** What is wrong with the gates, or null. */
export function gateProblem(gates: readonly Gate[]): string | null {
  const isHalf = gates.some(({ name, command }) => name.trim() === '' || command.trim() === '');
  return isHalf ? 'Each gate needs a name and a command.' : null;
}

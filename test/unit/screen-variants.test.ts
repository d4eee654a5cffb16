/** Screens that were never recorded, drawn after the descriptions of clients, at many widths. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentGroup } from '../../shared/agent-state.ts';
import { readScreen } from '../../server/agents/screen/read-screen.ts';
import { packageRoot } from '../../server/lib/package-root.ts';
import { type Drawing, drawScreen } from '../support/draw-screen.ts';

const FILE = join(packageRoot(), 'test/fixtures/drawn-screens.json');
const VARIANTS = JSON.parse(readFileSync(FILE, 'utf8')) as Record<
  string,
  { expected: string; drawing: Drawing }
>;

const WIDTHS = [120, 200, 80, 60, 40];

describe.each(Object.entries(VARIANTS))('%s', (_name, { expected, drawing }) => {
  it(`AG6 is ${expected}`, () => {
    const { state, cause } = readScreen(drawScreen(drawing));
    expect(`${state} ${cause}`).toBe(expected);
  });

  it.each(WIDTHS)('AG6 keeps its group at %i columns, wrapped', (columns) => {
    const { state } = readScreen(drawScreen({ ...drawing, columns, height: 15 }));
    expect(agentGroup(state)).toBe(agentGroup(readScreen(drawScreen(drawing)).state));
  });
});

it('AG1 a shell in front has outlived whatever is drawn', () => {
  for (const { drawing } of Object.values(VARIANTS)) {
    for (const program of ['bash', '-zsh', 'fish']) {
      expect(readScreen({ ...drawScreen(drawing), program }).state).toBe('exited');
    }
  }
});

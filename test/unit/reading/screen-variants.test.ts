/** Screens without a recording, drawn after the descriptions of clients, at many widths. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentGroup } from '../../../shared/schema/agents/agent-state.ts';
import { readScreen } from '../../../server/agents/screen/read-screen.ts';
import { packageRoot } from '../../../server/lib/package-root.ts';
import { type Drawing, drawScreen } from '../../support/terminals/draw-screen.ts';

const DIRECTORY = join(packageRoot(), 'test/fixtures/drawn-screens');
const VARIANTS = Object.fromEntries(
  readdirSync(DIRECTORY).flatMap((file) => {
    const text = readFileSync(join(DIRECTORY, file), 'utf8');
    return Object.entries(JSON.parse(text) as Record<string, Variant>);
  }),
);

interface Variant {
  expected: string;
  drawing: Drawing;
}

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

it.each([24, 18, 15])('AG6 in a terminal of %i rows each of them reads the same', (height) => {
  for (const [name, { expected, drawing }] of Object.entries(VARIANTS)) {
    const { rows, cursor, program } = drawScreen(drawing);
    const hidden = Math.max(0, rows.length - height);
    const at = cursor === null ? null : ([cursor[0] - hidden, cursor[1]] as const);
    const { state, cause } = readScreen({ rows: rows.slice(hidden), cursor: at, program });
    expect([name, `${state} ${cause}`]).toEqual([name, expected]);
  }
});

it('AG6 without its cursor each of them keeps its group', () => {
  for (const { drawing } of Object.values(VARIANTS)) {
    const screen = drawScreen(drawing);
    const blind = readScreen({ ...screen, cursor: null });
    expect(agentGroup(blind.state)).toBe(agentGroup(readScreen(screen).state));
  }
});

it('AG1 with a shell in the foreground nothing drawn counts', () => {
  for (const { drawing } of Object.values(VARIANTS)) {
    for (const program of ['bash', '-zsh', 'fish']) {
      expect(readScreen({ ...drawScreen(drawing), program }).state).toBe('exited');
    }
  }
});

/** Screens of stalled agents: what each asks, and how the screen reading classifies it. */
import { describe, expect, it } from 'vitest';
import { agentGroup } from '../../../shared/schema/agents/agent-state.ts';
import { readScreen } from '../../../server/agents/screen/read-screen.ts';
import { readStallPrompt } from '../../../server/policy/stall/read-stall-prompt.ts';
import { STALL_SCREENS, type StallScreen, WIDTHS } from '../../support/terminals/stall-screens.ts';

const ALL = Object.values(STALL_SCREENS).flat();

it('PO1 the screens are many, and most of them ask nothing', () => {
  expect(ALL.length).toBeGreaterThanOrEqual(200);
  expect(ALL.filter(({ prompt }) => prompt === null).length * 2).toBeGreaterThan(ALL.length);
});

describe.each(Object.entries(STALL_SCREENS))('%s', (_file, screens) => {
  it.each(screens)('PO1 asks $prompt: $name', (screen) => {
    for (const columns of WIDTHS) {
      const read = readStallPrompt(screen.draw(columns));
      expect(read?.kind ?? null, `at ${columns} columns`).toBe(expectedKind(screen, columns));
      expect(read?.where ?? null).toBe(read === null ? null : screen.bare ? 'line' : 'agent_prose');
    }
  });

  it.each(screens.filter(({ state }) => state !== '-'))('AG7 is $state: $name', (screen) => {
    const { state, cause } = readScreen(screen.draw(120));
    expect(`${state} ${cause}`).toBe(screen.state);
    const group = agentGroup(state);
    for (const columns of screen.bare ? [] : WIDTHS) {
      expect(agentGroup(readScreen(screen.draw(columns)).state), `at ${columns} columns`).toBe(
        group,
      );
    }
  });
});

/** A terminal that wraps within a line prompt leaves a part that is none. */
function expectedKind({ bare, prompt, draw }: StallScreen, columns: number): string | null {
  return bare && draw(columns).rows.length > draw(200).rows.length ? null : prompt;
}

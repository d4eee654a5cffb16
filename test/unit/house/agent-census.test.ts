import { expect, it } from 'vitest';
import { isAgent, type SeenProcess } from '../../support/agents/agent-census.ts';

const AGENT: SeenProcess = {
  name: 'claude',
  isZombie: false,
  commandLine: '/bin/sh\0/bin/claude\0-p\0',
  parentCommandLine: '/usr/bin/node\0main.js\0start\0',
  program: '',
};
const COPY = { ...AGENT, parentCommandLine: AGENT.commandLine };
/** Its memory is gone. */
const GONE = { commandLine: '' };

it.each<[string, boolean, SeenProcess]>([
  ['an agent', true, AGENT],
  ['one that has ended', false, { ...AGENT, isZombie: true }],
  ['one that is ending', false, { ...AGENT, ...GONE }],
  ['one that becomes its program', true, { ...AGENT, ...GONE, program: '/usr/bin/node' }],
  ['a copy of an agent', false, COPY],
  ['a copy of an agent that is ending', false, { ...COPY, ...GONE }],
  ['a copy of an agent that becomes tr', false, { ...COPY, ...GONE, program: '/usr/bin/tr' }],
  [
    'a copy of a daemon that becomes git',
    false,
    { ...COPY, name: 'node', ...GONE, program: '/usr/bin/git' },
  ],
  ['a shell', false, { ...AGENT, name: 'sh' }],
])('%s is counted as an agent: %s', (_, counts, seen) => {
  expect(isAgent(seen)).toBe(counts);
});

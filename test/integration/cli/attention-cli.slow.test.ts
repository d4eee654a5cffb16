/** The inbox from the shell: the output, what answers, and how each command ends. */
import { expect, it } from 'vitest';
import type { AgentRequest } from '../../../shared/schema/attention/attention.ts';
import { attentionLines } from '../../../server/cli/print/print-attention.ts';
import { parseChoices } from '../../../server/cli/parse-choices.ts';
import {
  askPerson,
  BASH_REQUEST,
  decisionOf,
  QUESTION_REQUEST,
  showTrust,
} from '../../support/agents/need-person.ts';
import { World } from '../../support/daemon/world.ts';

const [COLOUR] = QUESTION_REQUEST.questions;
const SIZES = {
  question: 'Which sizes = fit?',
  header: 'Sizes',
  options: [
    { label: 'S', description: '' },
    { label: 'M', description: '' },
  ],
  multi_select: true,
};

async function asking(world: World, request: AgentRequest) {
  const { api } = await world.start();
  const { id, answer } = await askPerson(world, api, 'web', request);
  return { api, id, decision: async () => decisionOf(answer) };
}

it('AT12 attention prints the question and a command that answers it', async () => {
  await using world = new World();
  const { id, decision } = await asking(world, QUESTION_REQUEST);
  const { code, stdout } = await world.cli('attention');
  const lines = stdout.trimEnd().split('\n');
  expect(code).toBe(0);
  expect(lines[0]).toMatch(new RegExp(`^${id}  web  for 0:\\d\\d$`));
  expect(lines.slice(1)).toEqual([
    '  Question: Which colour should the button be?',
    '    Which colour should the button be?',
    '    - Red: A red button',
    '    - Blue: A blue button',
    `  loopwatch attention answer ${id} allow --choose 'Red'`,
    `  loopwatch attention answer ${id} deny --message 'why not'`,
  ]);
  const answered = await world.cli('answer', id, 'allow', '--choose', 'Red');
  expect([answered.code, answered.stdout]).toEqual([0, 'answered by admin: Red\n']);
  const answers = { 'Which colour should the button be?': 'Red' };
  expect(await decision()).toEqual({
    behavior: 'allow',
    updatedInput: { ...QUESTION_REQUEST.input, answers },
  });
  const late = await world.cli('answer', id, 'allow', '--choose', 'Blue');
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('(attention_cleared)')]);
  expect((await world.cli('attention')).stdout).toBe('nothing needs you\n');
  expect((await world.cli('attention', '--all')).stdout).toContain('answered by admin: Red');
  const elsewhere = await world.cli('attention', '--all', '--subject', 'task:fix');
  expect([elsewhere.code, elsewhere.stdout]).toEqual([0, 'nothing needs you\n']);
  const [item] = JSON.parse((await world.cli('attention', '--all', '--json')).stdout) as object[];
  expect(item).toMatchObject({ id, outcome: 'answered' });
});

it('AT12 answer allows, edits and denies; each refusal has its exit code', async () => {
  await using world = new World();
  const { api, id, decision } = await asking(world, BASH_REQUEST);
  const trust = await showTrust(world, api, 'db');
  const ends = async (...words: string[]) => (await world.cli('answer', ...words)).code;
  expect({
    unknown: await ends('f'.repeat(20), 'allow'),
    unknownChoice: await ends('f'.repeat(20), 'allow', '--choose', 'Red'),
    word: await ends(id, 'perhaps'),
    input: await ends(id, 'allow', '--input', '[]'),
    choice: await ends(id, 'allow', '--choose', 'Red'),
    message: await ends(id, 'allow', '--message', 'yes'),
    keys: await ends(id, 'allow', '--input', '{"command":"true"}'),
    terminal: await ends(trust, 'allow'),
    terminalChoice: await ends(trust, 'allow', '--text', 'yes'),
  }).toEqual({
    unknown: 4,
    unknownChoice: 4,
    word: 2,
    input: 2,
    choice: 2,
    message: 2,
    keys: 2,
    terminal: 1,
    terminalChoice: 1,
  });
  const input = { ...BASH_REQUEST.input, command: 'true' };
  expect(await ends(id, 'allow', '--input', JSON.stringify(input))).toBe(0);
  expect(await decision()).toEqual({ behavior: 'allow', updatedInput: input });
});

it('AT12 a deny gives the agent its reason', async () => {
  await using world = new World();
  const { id, decision } = await asking(world, BASH_REQUEST);
  await world.cli('answer', id, 'deny', '--message', 'not on a Friday');
  expect(await decision()).toEqual({ behavior: 'deny', message: 'not on a Friday' });
});

it('AT12 a choice belongs to its question, by its text or its header', () => {
  if (COLOUR === undefined) throw new Error('no question');
  const both = [COLOUR, SIZES];
  expect({
    one: parseChoices([COLOUR], ['Red'], []),
    free: parseChoices([COLOUR], [], ['a = warm one']),
    several: parseChoices([SIZES], ['S', 'M'], ['and L']),
    named: parseChoices(both, [`${COLOUR.question}=Blue`, 'Sizes=S', `${SIZES.question}=M`], []),
  }).toEqual({
    one: { [COLOUR.question]: 'Red' },
    free: { [COLOUR.question]: 'a = warm one' },
    several: { [SIZES.question]: ['S', 'M', 'and L'] },
    named: { [COLOUR.question]: 'Blue', [SIZES.question]: ['S', 'M'] },
  });
  for (const [questions, labels] of [
    [[COLOUR], ['Green']],
    [[COLOUR], ['Red', 'Blue']],
    [both, ['Red']],
    [[], ['Red']],
  ] as const) {
    expect(() => parseChoices(questions, labels, [])).toThrow(
      expect.objectContaining({ exitCode: 2 }),
    );
  }
});

it('AT12 nothing an agent asks reaches the terminal raw', () => {
  const evil = `x\u001b[2J\u202e'; rm -rf ~ #`;
  const option = { label: evil, description: evil };
  const item = {
    id: '0'.repeat(20),
    subject: { kind: 'session' as const, id: 'web' },
    session: 'web',
    task: null,
    reason: 'question' as const,
    title: evil,
    detail: evil,
    raised_at: '2026-01-01T00:00:00.000Z',
    cleared_at: null,
    outcome: null,
    by: null,
    answer: null,
    request: {
      tool: evil,
      input: {},
      questions: [{ question: evil, header: '', options: [option], multi_select: false }],
    },
  };
  const text = attentionLines(item, Date.parse('2026-01-01T00:02:05.000Z')).join('\n');
  expect(text).toContain('for 2:05');
  expect(['\u001b', '\u202e'].filter((unseen) => text.includes(unseen))).toEqual([]);
  expect(text).toContain(`--choose 'x\\u{1b}[2J\\u{202e}'\\''; rm -rf ~ #'`);
});

/** The text of a state or a request, what is valid as an answer, and what the client receives. */
import { expect, it } from 'vitest';
import { AgentCause, AgentStateName } from '../../../shared/schema/agents/agent-state.ts';
import type { AgentRequest, AttentionAnswer } from '../../../shared/schema/attention/attention.ts';
import { reasonText } from '../../../shared/words/reason-text.ts';
import { attentionFor, requestNeed } from '../../../server/attention/attention-for.ts';
import { answerText, checkAnswer } from '../../../server/attention/check-answer.ts';
import { decisionFor } from '../../../server/agents/hooks/permission-decision.ts';
import { agentState } from '../../support/agents/agent-states.ts';
import { BASH_REQUEST } from '../../support/agents/need-person.ts';

const COLOUR = 'Which colour should the button be?';
const SIZES = 'Which sizes?';

/** The first question as the real client sent it; the second takes several labels. */
const QUESTIONS: AgentRequest = {
  tool: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: COLOUR,
        header: 'Colour',
        options: [
          { label: 'Red', description: 'A red button' },
          { label: 'Blue', description: 'A blue button' },
        ],
        multiSelect: false,
      },
      { question: SIZES, header: 'Sizes', options: [], multiSelect: true },
    ],
  },
  questions: [
    { question: COLOUR, header: 'Colour', options: [], multi_select: false },
    { question: SIZES, header: 'Sizes', options: [], multi_select: true },
  ],
};

const EXPECTED: [string, string, string][] = [
  ['waiting', 'permission', 'permission'],
  ['waiting', 'plan', 'permission'],
  ['waiting', 'question', 'question'],
  ['waiting', 'login', 'login_needed'],
  ['waiting', 'trust', 'trust_needed'],
  ['waiting', 'first_run', 'setup_needed'],
  ['waiting', 'settings_warning', 'settings_warning'],
  ['waiting', 'bypass_warning', 'bypass_warning'],
  ['waiting', 'mcp_approval', 'mcp_approval'],
  ['waiting', 'dialog', 'dialog_open'],
  ['waiting', 'none', 'dialog_open'],
  ['errored', 'authentication', 'login_needed'],
  ['errored', 'billing', 'agent_error'],
  ['errored', 'invalid_request', 'agent_error'],
  ['errored', 'model_not_found', 'agent_error'],
  ['errored', 'prompt_too_long', 'agent_error'],
  ['ready', 'command_missing', 'command_missing'],
  ['unknown', 'disagreement', 'unknown_screen'],
  ['unknown', 'not_understood', 'unknown_screen'],
];

it.each(EXPECTED)('AT1 %s because of %s needs a person: %s', (state, cause, reason) => {
  const agent = agentState({
    state: AgentStateName.parse(state),
    cause: AgentCause.parse(cause),
    detail: 'what it says',
  });
  const need = attentionFor(agent);
  expect(need).toMatchObject({ reason, detail: 'what it says' });
  expect(reasonText(need?.reason ?? 'completed').next).toMatch(
    /^Open the terminal: |, in the inbox or in the terminal\.$/,
  );
});

const NAMED = new Set(EXPECTED.map(([state, cause]) => `${state} ${cause}`));

it('AT1 every other state needs no one', () => {
  const quiet = AgentStateName.options.filter((state) => !['waiting', 'unknown'].includes(state));
  const needs = quiet.flatMap((state) =>
    AgentCause.options
      .filter((cause) => cause !== 'command_missing' && !NAMED.has(`${state} ${cause}`))
      .map((cause) => attentionFor(agentState({ state, cause }))),
  );
  expect(needs.filter((need) => need !== null)).toEqual([]);
  expect(attentionFor(null)).toBe(null);
});

it('AG21 a dialog about a usage limit needs no one, any other dialog does', () => {
  const dialog = agentState({ state: 'waiting', cause: 'dialog' });
  expect(attentionFor(dialog)).toMatchObject({ reason: 'dialog_open' });
  expect(attentionFor({ ...dialog, until: '2026-11-20T13:14:00Z' })).toBe(null);
});

it('AT17 a request is shown exactly as asked', () => {
  expect(requestNeed(BASH_REQUEST)).toEqual({
    reason: 'permission',
    title: 'Bash: touch made-by-stub.txt',
    detail: 'command: touch made-by-stub.txt\ndescription: Run a stub command',
  });
  expect(requestNeed(QUESTIONS)).toEqual({
    reason: 'question',
    title: COLOUR,
    detail: `${COLOUR}\n${SIZES}`,
  });
  const plan = { tool: 'ExitPlanMode', input: {}, questions: [] };
  expect(requestNeed(plan)).toEqual({ reason: 'permission', title: 'ExitPlanMode', detail: null });
});

it('AT17, PG6 invisible characters in a request are written out, and long text is cut', () => {
  const command = `ls\u001b[2J\u202efdp.exe\r\n\u200bx ${'y'.repeat(100_000)}`;
  const { title, detail } = requestNeed({ ...BASH_REQUEST, input: { command } });
  expect(title.startsWith('Bash: ls\\u{1b}[2J\\u{202e}fdp.exe \\u{200b}x y')).toBe(true);
  expect(detail?.startsWith('command: ls\\u{1b}[2J\\u{202e}fdp.exe\\u{d}\n\\u{200b}x y')).toBe(
    true,
  );
  expect([title.length, detail?.length]).toEqual([200, 4_000]);
});

const FITTING: [string, AgentRequest, AttentionAnswer][] = [
  ['allow', BASH_REQUEST, { decision: 'allow' }],
  ['deny with a reason', BASH_REQUEST, { decision: 'deny', message: 'no' }],
  [
    'an edited input',
    BASH_REQUEST,
    { decision: 'allow', input: { description: 'other', command: 'true' } },
  ],
  ['a label', QUESTIONS, { decision: 'allow', answers: { [COLOUR]: 'Red' } }],
  ['words of one’s own', QUESTIONS, { decision: 'allow', answers: { [COLOUR]: 'a warm one' } }],
  ['several labels', QUESTIONS, { decision: 'allow', answers: { [SIZES]: ['S', 'M'] } }],
  ['no answer at all', QUESTIONS, { decision: 'deny' }],
];

it.each(FITTING)('AT4 %s is accepted', (_, request, answer) => {
  expect(() => checkAnswer(request, answer)).not.toThrow();
});

const UNFITTING: [string, AgentRequest, AttentionAnswer][] = [
  ['an input with a key less', BASH_REQUEST, { decision: 'allow', input: { command: 'true' } }],
  [
    'an input with a key more',
    BASH_REQUEST,
    { decision: 'allow', input: { ...BASH_REQUEST.input, run_in_background: true } },
  ],
  ['answers to no question', BASH_REQUEST, { decision: 'allow', answers: { [COLOUR]: 'Red' } }],
  ['a question not asked', QUESTIONS, { decision: 'allow', answers: { toString: 'Red' } }],
  ['two labels for one', QUESTIONS, { decision: 'allow', answers: { [COLOUR]: ['Red', 'Blue'] } }],
  ['no label', QUESTIONS, { decision: 'allow', answers: { [SIZES]: [] } }],
  ['an empty text', QUESTIONS, { decision: 'allow', answers: { [COLOUR]: ' ' } }],
  ['nothing said to a question', QUESTIONS, { decision: 'allow' }],
  ['another question put in', QUESTIONS, { decision: 'allow', input: QUESTIONS.input }],
];

it.each(UNFITTING)('AT4 %s is refused', (_, request, answer) => {
  expect(() => checkAnswer(request, answer)).toThrow(
    expect.objectContaining({ code: 'invalid_body' }),
  );
});

it('AT10 the client reads an answer as its own dialog would have given it', () => {
  const decided = (request: AgentRequest, answer: AttentionAnswer) => {
    const { hookEventName, decision } = decisionFor(request, answer).hookSpecificOutput;
    expect(hookEventName).toBe('PermissionRequest');
    return decision;
  };
  expect(decided(BASH_REQUEST, { decision: 'allow' })).toEqual({
    behavior: 'allow',
    updatedInput: BASH_REQUEST.input,
  });
  const input = { ...BASH_REQUEST.input, command: 'true' };
  expect(decided(BASH_REQUEST, { decision: 'allow', input })).toEqual({
    behavior: 'allow',
    updatedInput: input,
  });
  expect(decided(BASH_REQUEST, { decision: 'deny', message: 'no' })).toEqual({
    behavior: 'deny',
    message: 'no',
  });
  const answers = { [COLOUR]: 'Red', [SIZES]: ['S', 'M'] };
  expect(decided(QUESTIONS, { decision: 'allow', answers })).toEqual({
    behavior: 'allow',
    updatedInput: { ...QUESTIONS.input, answers: { [COLOUR]: 'Red', [SIZES]: 'S, M' } },
  });
});

it('AT3 the record keeps the answer in one line', () => {
  expect(
    [
      { decision: 'allow' },
      { decision: 'deny', message: 'not\nnow' },
      { decision: 'allow', input: {} },
      { decision: 'allow', answers: { [COLOUR]: 'Red' } },
      { decision: 'allow', answers: { [COLOUR]: 'Red', [SIZES]: ['S', 'M'] } },
    ].map((answer) => answerText(answer as AttentionAnswer)),
  ).toEqual([
    'allow',
    'deny: not now',
    'allow, with an edited input',
    'Red',
    `${COLOUR} Red; ${SIZES} S, M`,
  ]);
});

/** The message that opens a visit of a phase. Pure: facts from the disk are passed in. */
import { oneLine, plainText, tail } from '../../../shared/rules/text/plain-text.ts';
import { dataBlock } from '../../lib/data-block.ts';
import { background, checkBlocks, type PhaseFacts } from './phase-blocks.ts';
import { verdictLines } from './review-verdict.ts';

const FINDINGS_LENGTH = 4_000;
const BRANCH_LENGTH = 250;

const ALONE =
  'Work autonomously: ask no questions, no one may be available to answer. Decide yourself, and note the decision in your summary.';

/** Text of programs and other agents is fenced by the nonce and labelled as data. */
export function phaseMessage(facts: PhaseFacts): string {
  const message = { plan, execute, review, fix }[facts.phase];
  return message(facts).filter(Boolean).join('\n\n');
}

function plan(facts: PhaseFacts): string[] {
  return [
    facts.isNew
      ? 'Plan the task below. Read the code first; change nothing: no file, no commit, no setting.'
      : 'Finish the plan. Change nothing: no file, no commit, no setting.',
    ...background(facts),
    'Answer with the plan alone, in Markdown, as the text of your answer and not in a file: a heading, ' +
      'one or two sentences on the approach, then every step as an item `- [ ] …` in the order of the ' +
      'work, small enough to finish and check one by one, with the files it concerns. Include the ' +
      'tests that prove the work. No questions: where the task leaves something open, choose and say so in the plan.',
  ];
}

function execute(facts: PhaseFacts): string[] {
  return [
    facts.isNew
      ? 'Do the task below in the current directory, following its plan.'
      : 'Continue with the plan. Check the files and the log of commits first: an item may be done and not ticked.',
    ...background(facts),
    list(
      tickRule(facts),
      commitRule(facts),
      'Never push.',
      'Test what you change. When you are done, the host runs the checks of the project itself, and only its results count.',
    ),
    `${ALONE} When every item is done, finish with a short summary of what you did and how you verified it.`,
  ];
}

function review(facts: PhaseFacts): string[] {
  const { nonce, iteration, isNew } = facts;
  const { pass, fail } = verdictLines(nonce);
  const again = `The work has changed: fix round ${iteration} is over. Review it again as a whole, not only what you found before.`;
  return [
    isNew
      ? 'Review the work in the current directory: does it do what the task asks, and is the plan carried out?'
      : again,
    'Only read and run: change no file, make no commit.',
    ...background(facts),
    ...checksFound(facts),
    'Check the code itself, not the ticks of the plan. Look for what is missing, wrong, untested or ' +
      'only pretended: stubs, hard-coded results, tests that were removed or weakened.',
    'First list what is wrong, each with its file and what has to change; nothing that is only a matter of taste. ' +
      'Then end with exactly one line, without code marks and with nothing after it. If nothing has to be fixed:',
    pass,
    'Otherwise, or if in doubt:',
    fail,
    'Write that line once, and name it nowhere else.',
  ];
}

function fix(facts: PhaseFacts): string[] {
  const { checks, findings, nonce, iteration } = facts;
  const found = findings?.trim() ?? '';
  const why =
    checks.length > 0
      ? 'The checks that the host ran on your work failed.'
      : 'The reviewer of the work found that something has to be fixed.';
  const nothing =
    checks.length === 0 && found === ''
      ? 'No details were given: compare the work with each point of the task and the plan.'
      : '';
  return [
    `Fix round ${iteration}. ${why}`,
    ...background(facts),
    ...checkBlocks(checks, nonce),
    ...(found === '' ? [] : [dataBlock('findings', tail(found, FINDINGS_LENGTH), nonce)]),
    nothing,
    list(
      'Find the cause and fix it; do not hide the symptom.',
      'Do not weaken, skip or delete tests or checks. If a test itself is wrong, fix it and say why.',
      'Run what failed again until it passes.',
      commitRule(facts),
      'Never push.',
    ),
    `${ALONE} Finish with one or two sentences: the cause, and what you changed.`,
  ];
}

function tickRule({ planPath }: PhaseFacts): string {
  if (planPath === null) return '';
  return `The plan is the file ${plainText(planPath)}. Tick an item there, \`- [x]\`, as soon as it is done, and only then.`;
}

function commitRule({ branch }: PhaseFacts): string {
  return branch === null
    ? 'In a git repository, commit in small steps on the current branch.'
    : `Commit in small steps on the current branch, \`${oneLine(branch, BRANCH_LENGTH)}\`, and stay on it.`;
}

function checksFound({ checks, nonce }: PhaseFacts): string[] {
  if (checks.length === 0)
    return ['The host ran no checks: nothing but your review proves the work.'];
  return ['The host ran these checks on exactly this work:', ...checkBlocks(checks, nonce)];
}

function list(...points: string[]): string {
  return points
    .filter(Boolean)
    .map((point) => `- ${point}`)
    .join('\n');
}

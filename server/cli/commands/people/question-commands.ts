/** `loopwatch question …`: what happens to questions that no person answers. */
import { Argument, type Command, Option } from 'commander';
import { oneLine } from '../../../../shared/rules/text/plain-text.ts';
import {
  QUESTION_ACTIONS,
  QUESTION_KINDS,
  type QuestionAction,
  type QuestionKind,
  type QuestionRule,
} from '../../../../shared/schema/attention/question-rule.ts';
import {
  ACTION_TEXT,
  questionRuleText,
  trialText,
} from '../../../../shared/words/question-text.ts';
import { request } from '../../client.ts';
import { choices, usage } from '../../command-parts.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import { print } from '../../print/print.ts';
import { tableLines } from '../../print/table.ts';

const HEAD = ['id', 'scope', 'kind', 'after', 'then', 'on', 'tried', 'set by'];
const TRIED_HEAD = ['raised', 'subject', 'outcome', 'question', 'answer'];
const MAX_CELL = 80;

interface SetOptions extends Output {
  after: number;
  kind?: QuestionKind;
}

export function addQuestionCommands(program: Command): void {
  const question = program.command('question');

  question
    .command('ls')
    .description('list the rules')
    .option('-q, --quiet', 'print only the ids')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const { rules } = await request('listQuestionRules', {});
      printList(rules, options, {
        id: ({ id }) => String(id),
        lines: (shown) => tableLines(HEAD, shown.map(cells)),
        none: 'no rules: questions wait; set one with: loopwatch question set all escalate --after 30',
      });
    });

  question
    .command('set')
    .description('set the rule of a scope; it is off until it was tried and switched on')
    .argument('<scope>', 'all, project:/srv/web, task:fix-login, run:ID or session:web')
    .addArgument(choices(new Argument('<action>', 'what happens then'), QUESTION_ACTIONS))
    .requiredOption('--after <minutes>', 'how long a person has', minutes)
    .addOption(choices(new Option('--kind <kind>', '(default: question)'), QUESTION_KINDS))
    .option('--json', 'output as JSON')
    .action(async (scope: string, action: QuestionAction, options: SetOptions) => {
      const { after, kind, ...output } = options;
      const body = { scope, kind, action, after_minutes: after };
      const rule = await request('setQuestionRule', { body });
      const next = `try it with: loopwatch question try ${rule.id}`;
      printOne(rule, output, () => [questionRuleText(rule), `Off; ${next}`]);
    });

  question
    .command('try')
    .description('show what a rule would have done with past questions')
    .argument('<id>', 'as in: loopwatch question ls')
    .option('--json', 'output as JSON')
    .action(async (id: string, options: Output) => {
      const trial = await request('tryQuestionRule', { params: { id } });
      const rows = trial.decided.map(({ raised_at: at, subject, outcome, title, text }) => [
        at,
        subject,
        outcome,
        oneLine(title, MAX_CELL),
        oneLine(text ?? '-', MAX_CELL),
      ]);
      const table = rows.length === 0 ? [] : tableLines(TRIED_HEAD, rows);
      printOne(trial, options, () => [trialText(trial), ...table]);
    });

  for (const [name, on] of [
    ['on', true],
    ['off', false],
  ] as const) {
    question
      .command(name)
      .description(on ? 'switch a rule on, once it was tried' : 'switch a rule off')
      .argument('<id>', 'as in: loopwatch question ls')
      .option('--json', 'output as JSON')
      .action(async (id: string, options: Output) => {
        const rule = await request('switchQuestionRule', { params: { id }, body: { on } });
        printOne(rule, options, () => [`${questionRuleText(rule)} (${name})`]);
      });
  }

  question
    .command('rm')
    .description('remove a rule')
    .argument('<id>', 'as in: loopwatch question ls')
    .action(async (id: string) => {
      await request('removeQuestionRule', { params: { id } });
      print(`${id}: removed`);
    });
}

function cells({ id, scope, kind, action, after_minutes, is_on, tried_at, author }: QuestionRule) {
  return [
    String(id),
    oneLine(scope, MAX_CELL),
    kind,
    `${after_minutes} min`,
    ACTION_TEXT[action],
    is_on ? 'on' : 'off',
    tried_at ?? '-',
    oneLine(author, MAX_CELL),
  ];
}

function minutes(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw usage(`"${text}" is not a number of minutes`);
}

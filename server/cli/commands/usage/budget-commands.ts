/** `loopwatch budget …`: hard limits in money, tokens and minutes. */
import { Argument, type Command } from 'commander';
import {
  type Budget,
  BUDGET_MEASURES,
  type BudgetMeasure,
} from '../../../../shared/schema/usage/budget.ts';
import { oneLine } from '../../../../shared/rules/text/plain-text.ts';
import {
  budgetAmount,
  budgetText,
  elsewhereText,
  raisedLimit,
} from '../../../../shared/words/usage/budget-text.ts';
import { request } from '../../client.ts';
import { choices, usage } from '../../command-parts.ts';
import { type Output, printList, printOne } from '../../print/output.ts';
import { print } from '../../print/print.ts';
import { tableLines } from '../../print/table.ts';

const HEAD = ['id', 'scope', 'measure', 'used', 'limit', 'since', 'waiting', 'set by', 'why'];
const MAX_CELL = 80;

interface WhyOptions extends Output {
  why?: string;
}

export function addBudgetCommands(program: Command): void {
  const budget = program.command('budget');

  budget
    .command('ls')
    .description('list budgets: what is used, and what waits for them')
    .option('-q, --quiet', 'print only the ids')
    .option('--json', 'output as JSON')
    .action(async (options: Output) => {
      const { budgets } = await request('listBudgets', {});
      printList(budgets, options, {
        id: ({ id }) => String(id),
        lines: (shown) => tableLines(HEAD, shown.map(cells)),
        none: 'no budgets; set one with: loopwatch budget set day cost 20',
      });
    });

  budget
    .command('set')
    .description('set the budget of a scope, or change the one there is')
    .argument(
      '<scope>',
      'all, day, or kind:name, e.g. task:fix-login, person:Mia, project:/srv/web',
    )
    .addArgument(
      choices(new Argument('<measure>', 'US dollars, output tokens, or minutes'), BUDGET_MEASURES),
    )
    .argument('<limit>', 'the most that may be used', amount)
    .option('--why <text>', 'why, for the record')
    .option('--json', 'output as JSON')
    .action(async (scope: string, measure: BudgetMeasure, limit: number, options: WhyOptions) => {
      const { why, ...output } = options;
      const set = await request('setBudget', { body: { scope, measure, limit, why } });
      printOne(set, output, () => [budgetText(set)]);
    });

  budget
    .command('raise')
    .description('raise a budget; what waits for it continues')
    .argument('<id>', 'as in: loopwatch budget ls')
    .argument('[limit]', 'the new limit (default: half as much again)', amount)
    .option('--why <text>', 'why, for the record')
    .option('--json', 'output as JSON')
    .action(async (id: string, limit: number | undefined, { why, ...output }: WhyOptions) => {
      const to = limit ?? (await usualLimit(id));
      const raised = await request('raiseBudget', { params: { id }, body: { limit: to, why } });
      printOne(raised, output, () => [budgetText(raised)]);
    });

  budget
    .command('rm')
    .description('remove a budget; what waits for it continues')
    .argument('<id>', 'as in: loopwatch budget ls')
    .action(async (id: string) => {
      await request('removeBudget', { params: { id } });
      print(`${id}: removed`);
    });
}

/** An unknown id is refused by the daemon. */
async function usualLimit(id: string): Promise<number> {
  const { budgets } = await request('listBudgets', {});
  const known = budgets.find((each) => String(each.id) === id);
  return known === undefined ? 1 : raisedLimit(known);
}

function amount(text: string): number {
  const limit = Number(text);
  if (text.trim() !== '' && Number.isFinite(limit) && limit > 0) return limit;
  throw usage(`"${text}" is not an amount above 0`);
}

function cells(budget: Budget): string[] {
  const { id, scope, measure, used, limit, since, holding, author, why, is_partial } = budget;
  const there = elsewhereText(budget);
  return [
    String(id),
    oneLine(scope, MAX_CELL),
    measure,
    `${budgetAmount(measure, used)}${is_partial ? ' or more' : ''}${there === '' ? '' : ` (${there})`}`,
    budgetAmount(measure, limit),
    since ?? 'beginning',
    holding.length === 0 ? '-' : oneLine(holding.join(', '), MAX_CELL),
    oneLine(author, MAX_CELL),
    oneLine(why === '' ? '-' : why, MAX_CELL),
  ];
}

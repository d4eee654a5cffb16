/** How many steps a plan in Markdown has. Pure and linear. */
import { fencedLines } from '../../../shared/rules/text/fenced-lines.ts';

const MAX_STEPS = 10_000;
const HEADING = /^ {0,3}(#{1,6})\s+(.*)$/;
const STEP_HEADING = /^\**step\s+\d{1,5}\b/i;
const STEPS_HEADING = /^\**(?:the\s+)?(?:\w+\s+)?steps\b/i;
const NUMBERED = /^ {0,2}\d{1,5}[.)]\s+\S/;

/**
 * Headings such as `Step 3` count. Without any, the numbered lines below a heading such as `Steps`
 * that are not indented. Null when there is neither.
 */
export function countSteps(plan: string): number | null {
  let headings = 0;
  let numbered = 0;
  /** Of the heading `Steps`; 0 outside its section. */
  let level = 0;
  for (const { line, isCode } of fencedLines(plan)) {
    if (isCode) continue;
    const [, signs = '', title = ''] = HEADING.exec(line) ?? [];
    if (STEP_HEADING.test(title)) headings += 1;
    else if (STEPS_HEADING.test(title)) level = signs.length;
    else if (signs !== '' && signs.length <= level) level = 0;
    else if (level > 0 && NUMBERED.test(line)) numbered += 1;
  }
  const count = headings > 0 ? headings : numbered;
  return count === 0 ? null : Math.min(count, MAX_STEPS);
}

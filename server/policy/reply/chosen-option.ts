/** Which of several options is taken: the agent's recommendation, else the first. */
import type { ListItem } from './message-blocks.ts';
import { plainOf, type MaskedText } from './own-text.ts';

const RECOMMENDED = /(?<!\bnot )(?<!n't )\b(?:recommended|my recommendation|preferred)\b/i;
const ADVICE =
  /\b(?:I(?:'d| would)? (?:recommend|suggest|prefer|lean towards?|go with|pick|choose)|I'm leaning towards?|my (?:recommendation|preference|choice)(?: is| would be|:))\b(.*)$/i;

/** `around`: the sentences around the options. */
export function chosenOption(
  options: readonly [ListItem, ...ListItem[]],
  around: readonly MaskedText[],
): ListItem {
  const marked = options.find(({ content }) => RECOMMENDED.test(content.own));
  if (marked !== undefined) return marked;
  for (const sentence of around) {
    const advice = ADVICE.exec(plainOf(sentence))?.[1];
    if (advice === undefined || /^\W*(?:not|against)\b/i.test(advice)) continue;
    const named = options.filter((option) => isNamedIn(option, advice));
    const [only] = named;
    if (only !== undefined && named.length === 1) return only;
  }
  return options[0];
}

/** By number or letter, by position, or by its beginning. */
function isNamedIn(option: ListItem, advice: string): boolean {
  const label = labelOf(option)
    .replaceAll(/[*`"“”]/g, '')
    .toLowerCase();
  if (label.length > 1 && advice.toLowerCase().includes(label)) return true;
  if (option.key === '') return false;
  const key = new RegExp(
    String.raw`(?:\boption |\bapproach |\bnumber |#|^\W*)${option.key}\b(?! \w+ (?:of|than)\b)`,
    'i',
  );
  return key.test(advice);
}

/** The option's name as written: its bold part, or the part before a dash or colon. */
export function labelOf({ content: { text } }: ListItem): string {
  const bold = /^\*\*([^*]{1,200})\*\*/.exec(text)?.[1];
  const name = bold ?? text.split(/\s+[–—-]\s|:\s|\s+\((?:recommended|preferred)/i)[0] ?? text;
  return name.trim().replace(/(?<!\w\.\w)[.:,;]$/, '');
}

/** The checks for the night as lines, like those of `doctor`. */
import { plainText } from '../../../shared/rules/text/plain-text.ts';
import type { Night } from '../../../shared/schema/usage/night.ts';
import { NIGHT_STATE, nightOrder, nightVerdict } from '../../../shared/words/usage/night-text.ts';
import type { TimeText } from './time-text.ts';

export function nightLines(night: Night, time: TimeText): string[] {
  const lines = nightOrder(night.checks).flatMap(({ name, state, detail, fix, at }) => {
    const label = NIGHT_STATE[state].label.toLowerCase().padEnd(8);
    const when = at === null ? '' : ` (${time(at)})`;
    const line = `${label}${name.padEnd(12)} ${plainText(detail)}${when}`;
    return fix === null ? [line] : [line, `${' '.repeat(21)}${plainText(fix)}`];
  });
  return [nightVerdict(night, time), '', ...lines];
}

/** The history of work as a table for a person. */
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import type { UnitHistory } from '../../../shared/schema/events/history.ts';
import { secondsText, unitReason, unitState } from '../../../shared/words/work/report-text.ts';
import { tableLines } from './table.ts';
import type { TimeText } from './time-text.ts';

const HEAD = ['started', 'kind', 'name', 'state', 'time', 'by', 'directory'];
const MAX_CELL = 60;

export function historyLines({ units, total }: UnitHistory, time: TimeText): string[] {
  const cells = units.map((unit) => {
    const reason = unitReason(unit);
    const { label } = unitState(unit);
    return [
      `${time(unit.opened_at)}${unit.complete ? '' : '*'}`,
      unit.kind,
      unit.name,
      reason === null ? label : `${label}: ${reason}`,
      secondsText(unit.seconds),
      unit.by ?? '-',
      unit.project ?? '-',
    ].map((cell) => oneLine(cell, MAX_CELL));
  });
  const isCut = units.some(({ complete }) => !complete);
  return [
    ...tableLines(HEAD, cells),
    ...(isCut ? ['* started before the log begins'] : []),
    ...(total > units.length ? [`${units.length} of ${total}; raise --limit or narrow it`] : []),
  ];
}

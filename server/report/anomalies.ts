/** What is out of the ordinary in a report. Pure. */
import type { Subject } from '../../shared/schema/events/subject.ts';
import type { ReportAnomaly, ReportUnit } from '../../shared/schema/usage/report.ts';
import { unitInText } from '../../shared/words/work/report-text.ts';

const MANY_RESTARTS = 5;
const TIMES_USUAL = 2;
/** Cheaper work is not worth a look, however its cost compares. In millionths of a dollar. */
const LEAST_ANOMALY = 1_000_000;
/** With fewer, nothing is usual. */
const MIN_OTHERS = 3;

/** The cost of one piece of work as the ledger has it. */
export interface SubjectCost extends Subject {
  project: string;
  costMicros: number;
}

export function anomaliesOf(
  units: readonly ReportUnit[],
  costs: readonly SubjectCost[],
): ReportAnomaly[] {
  return units.flatMap((unit) => {
    const { id, restarts, links } = unit;
    const many: ReportAnomaly = {
      kind: 'restarts',
      unit: id,
      text: `${unitInText(unit)} was restarted ${restarts} times`,
      link: links.state,
    };
    return [...(restarts >= MANY_RESTARTS ? [many] : []), ...costAnomaly(unit, costs)];
  });
}

function costAnomaly(unit: ReportUnit, costs: readonly SubjectCost[]): ReportAnomaly[] {
  const { kind, name, id, used, links } = unit;
  const cost = used.total.cost?.micro_usd ?? 0;
  const isItself = (each: SubjectCost) => each.kind === kind && each.id === name;
  const projects = new Set(costs.filter(isItself).map(({ project }) => project));
  const others = costs
    .filter((each) => each.kind === kind && !isItself(each) && projects.has(each.project))
    .map(({ costMicros }) => costMicros)
    .sort((one, other) => one - other);
  const usual = others[Math.floor(others.length / 2)] ?? 0;
  if (others.length < MIN_OTHERS || usual === 0) return [];
  if (cost < LEAST_ANOMALY || cost < usual * TIMES_USUAL) return [];
  const text = `${unitInText(unit)} cost ${dollars(cost)}, ${shownFactor(cost, usual)} what is usual in its project (${dollars(usual)})`;
  return [{ kind: 'cost', unit: id, text, link: links.used }];
}

/** Of the two amounts as they are shown. */
function shownFactor(cost: number, usual: number): string {
  const cents = Math.round(usual / 1e4);
  return cents === 0 ? 'many times' : `${(Math.round(cost / 1e4) / cents).toFixed(1)} times`;
}

function dollars(micros: number): string {
  return `$${(micros / 1e6).toFixed(2)}`;
}

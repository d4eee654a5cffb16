import { expect, it } from 'vitest';
import type { AgentState } from '../../../../shared/schema/agents/agent-state.ts';
import type { Loop } from '../../../../shared/schema/model.ts';
import { DEMO_SESSION, DEMO_TASK } from '../../../../shared/rules/demo.ts';
import { DEMO_STATIONS, demoMoment } from '../../../../web/lib/demo/demo-moment.ts';
import { isDemo } from '../../../../web/lib/demo/is-demo.ts';

const LOOP = {
  agent: 'stand-in',
  status: 'running',
  wait: null,
  step: 'exec',
  result: '(mid-exec)',
  restart_count: 0,
  recovery_count_total: 0,
  quota_wait_seconds: 0,
} as unknown as Loop;

function stationOf(more: object | null, agent: AgentState['state'] = 'working'): string {
  const loop = more === null ? null : { ...LOOP, ...more };
  const { station, isHere } = demoMoment(loop, { state: agent } as AgentState);
  return `${isHere ? 'in' : 'after'} ${DEMO_STATIONS[station] ?? '?'}`;
}

it('SD5 each state of the demo’s loop is one moment, and past moments stay past', () => {
  const recovered = { recovery_count_total: 1 };
  const limited = { ...recovered, quota_wait_seconds: 15 };
  const done = { ...limited, result: '(done)' };
  expect([
    stationOf({ status: 'starting' }),
    stationOf({}),
    stationOf({}, 'ready'),
    stationOf(recovered),
    stationOf({ ...limited, status: 'quota_wait' }),
    stationOf(limited),
    stationOf({ ...limited, wait: { reason: 'permission' } }),
    stationOf(done),
    stationOf({ ...done, status: 'restart_wait', restart_count: 1 }),
    stationOf({ ...done, status: 'starting', restart_count: 1 }),
    stationOf({ ...done, restart_count: 1 }, 'ready'),
    // The next step resets the count of restarts.
    stationOf({ ...done, result: 'ACCEPT', step: 'check' }),
    stationOf({ ...done, status: 'stopping' }),
    stationOf(null),
  ]).toEqual([
    'in Work',
    'in Work',
    'in Stall',
    'after Stall',
    'in Limit',
    'after Limit',
    'in Question',
    'after Question',
    'in Crash',
    'in Crash',
    'after Crash',
    'after Crash',
    'in Done',
    'in Done',
  ]);
});

it('SD5 the demo is known by its agent, and by its directory once it is over', () => {
  const card = (name: string, cwd: string) =>
    ({ name, session: { cwd }, reading: null }) as unknown as Parameters<typeof isDemo>[0];
  expect(isDemo(card(DEMO_SESSION, `/h/demo/0/${DEMO_TASK}`))).toBe(true);
  expect(isDemo(card(DEMO_SESSION, '/home/you/demo'))).toBe(false);
  expect(isDemo(card('other', `/h/demo/0/${DEMO_TASK}`))).toBe(false);
});

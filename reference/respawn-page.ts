import { RESPAWN_NUMBERS, RESPAWN_SWITCHES } from '../shared/rules/respawn/respawn-keys.ts';
import {
  IDLE_LAYERS,
  RESPAWN_BLOCKS,
  RESPAWN_STATES,
  type RespawnStateName,
} from '../shared/rules/respawn/respawn-names.ts';
import { RESPAWN_PRESETS } from '../shared/rules/respawn/respawn-presets.ts';
import {
  RESPAWN_IGNORED,
  RESPAWN_ROWS,
  type RespawnRow,
} from '../shared/rules/respawn/respawn-table.ts';
import {
  RESPAWN_TIMERS,
  type RespawnTimer,
  TIMERS_OF,
} from '../shared/rules/respawn/respawn-timers.ts';
import {
  CYCLE_OUTCOME_TEXT,
  IDLE_LAYER_TEXT,
  RESPAWN_ACTION_TEXT,
  RESPAWN_BLOCK_TEXT,
  RESPAWN_GUARD_TEXT,
  RESPAWN_STATE_TEXT,
  RESPAWN_TIMER_TEXT,
  RESPAWN_TRIGGER_TEXT,
} from '../shared/words/work/respawn-text.ts';
import { code, table } from './table.ts';

export function respawnPage(): string[] {
  return [
    '# Respawn',
    '',
    'Respawn keeps a session going: when its agent is idle, it has the agent write down where it is, clears the context, reads the project again and continues. A cycle is the steps update, clear, init and kickstart.',
    '',
    'Start it in a session whose agent runs, with a [preset](#presets) or key by key:',
    '',
    '```bash',
    'loopwatch respawn start web --preset overnight --minutes 480',
    'loopwatch respawn show web',
    'loopwatch respawn config web --set kickstart_prompt="Continue with the next open item."',
    'loopwatch respawn stop web',
    '```',
    '',
    'A session has one owner: respawn does not start where an auto loop runs or a person has the keys, and no loop starts where respawn runs or a person has the keys. While a person has the keys, respawn types nothing. After a restart of the daemon it continues with the time it had left, and sends nothing for two minutes. An explicit stop lasts.',
    '',
    'A plan is accepted only in `watching`: a cycle in which the agent shows one ends as `planned`, the plan is accepted after its silence, and the next cycle begins when the agent is idle again. Where plans are not accepted, the cycle waits for the person who answers it.',
    '',
    '## When the agent is done or blocked',
    '',
    'An agent that ends its last message with the line `STATUS: DONE`, or `STATUS: BLOCKED` and a reason, gets no next cycle until its next turn begins; the inbox names it. After `update` the rest of the cycle is left out. Nothing else that an agent says counts. Ask for that line where the agent reads it: in `update_prompt`, `kickstart_prompt` or the notes of the project. Loopwatch reads it from the Stop hook, so only of agents that were started with its hooks.',
    '',
    '```bash',
    'loopwatch respawn config web --set update_prompt="Write down what is done and what is next. If nothing is left, end with the line STATUS: DONE."',
    '```',
    '',
    '## Why no cycle begins',
    '',
    'One of these is in `block` of `GET /api/sessions/:id/respawn` and in each `respawn.blocked`, with its evidence; `loopwatch alert add … --type respawn.blocked --reason CODE` sends it. Those that need a person are in the inbox too.',
    '',
    ...table(
      ['code', 'called', 'next'],
      RESPAWN_BLOCKS.map((reason) => {
        const { label, next } = RESPAWN_BLOCK_TEXT[reason];
        return [code(reason), label, next];
      }),
    ),
    '',
    '## States',
    '',
    'Every state but `stopped` leads to `stopped` on `stop`, and leaves itself on `stuck`; these are left out of the diagram.',
    '',
    ...diagram(),
    '',
    ...table(
      ['state', 'called', 'timers'],
      RESPAWN_STATES.map((state) => [
        code(state),
        RESPAWN_STATE_TEXT[state].label,
        timersOf(state).map(code).join(', '),
      ]),
    ),
    '',
    '## Transitions',
    '',
    'Of the rows with the same state and trigger, the first one applies whose condition holds. `stay` continues the same visit of a state.',
    '',
    ...table(
      ['from', 'when', 'if', 'to', 'does'],
      RESPAWN_ROWS.map((row) => [
        row.from.map(code).join(', '),
        `${code(row.on)}: ${RESPAWN_TRIGGER_TEXT[row.on]}`,
        row.if === undefined ? '' : RESPAWN_GUARD_TEXT[row.if],
        code(row.to),
        effectOf(row),
      ]),
    ),
    '',
    '## Ignored',
    '',
    ...table(
      ['in', 'triggers', 'because'],
      RESPAWN_IGNORED.map(({ in: states, on, because }) => [
        states.map(code).join(', '),
        on.map(code).join(', '),
        because,
      ]),
    ),
    '',
    '## Timers',
    '',
    ...table(
      ['timer', 'called', 'its end is'],
      Object.entries(RESPAWN_TIMERS).map(([timer, trigger]) => [
        code(timer),
        RESPAWN_TIMER_TEXT[timer as RespawnTimer],
        code(trigger),
      ]),
    ),
    '',
    '## Layers of idle detection',
    '',
    'The strongest first. What they add up to must reach `min_idle_confidence`; visible work makes it 0. Reading a terminal that draws 1 MB/s must cost less than 1 % of a core, and a quiet one nothing: `npm run bench -- detection` measures it.',
    '',
    ...table(
      ['layer', 'called'],
      IDLE_LAYERS.map((layer) => [code(layer), IDLE_LAYER_TEXT[layer]]),
    ),
    '',
    '## Configuration',
    '',
    'The texts of the steps are `update_prompt`, `clear_prompt`, `init_prompt` and `kickstart_prompt`; `idle_check_model` and `plan_check_model` name the models, and null is the default of the client.',
    '',
    ...table(
      ['key', 'default', 'range', 'meaning'],
      [
        ...Object.entries(RESPAWN_NUMBERS).map(
          ([key, { standard, least, most, unit, meaning }]) => [
            code(key),
            `${standard} ${unit}`,
            `${least} to ${most}`,
            meaning,
          ],
        ),
        ...Object.entries(RESPAWN_SWITCHES).map(([key, { standard, meaning }]) => [
          code(key),
          String(standard),
          '',
          meaning,
        ]),
      ],
    ),
    '',
    '## Presets',
    '',
    ...table(
      ['preset', 'for', 'minutes', 'changes'],
      RESPAWN_PRESETS.map(({ id, meaning, minutes, change }) => [
        code(id),
        meaning,
        String(minutes),
        Object.entries(change)
          .filter(([key]) => !key.endsWith('_prompt'))
          .map(([key, value]) => code(`${key}: ${String(value)}`))
          .join(', '),
      ]),
    ),
  ];
}

/** One arrow between two states, with everything that leads along it. */
function diagram(): string[] {
  const arrows = new Map<string, string[]>([['[*] --> stopped', []]]);
  for (const { from, on, if: guard, to } of RESPAWN_ROWS) {
    if (on === 'stop' || on === 'stuck' || to === 'stay') continue;
    for (const state of from.filter((each) => each !== to)) {
      const arrow = `${state} --> ${to}`;
      const label = guard === undefined ? on : `${on} [${guard}]`;
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), label]);
    }
  }
  const lines = [...arrows].map(([arrow, labels]) =>
    labels.length === 0 ? `  ${arrow}` : `  ${arrow}: ${labels.join(', ')}`,
  );
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'];
}

function timersOf(state: RespawnStateName): readonly RespawnTimer[] {
  return state === 'stopped' ? [] : TIMERS_OF[state];
}

function effectOf({ does, ends }: RespawnRow): string {
  const parts = [
    does === undefined ? [] : [RESPAWN_ACTION_TEXT[does]],
    ends === undefined ? [] : [`the cycle is ${CYCLE_OUTCOME_TEXT[ends]}`],
  ];
  return parts.flat().join('; ');
}

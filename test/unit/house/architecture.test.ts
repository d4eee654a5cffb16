/** What only one file, or one kind of file, may do. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { FILES, IMPORTS, ROOT } from '../../support/house/source-imports.ts';

/** What machines share with others; imports nothing at run time but each other. */
const PURE = [
  'server/supervision/context-step.ts',
  'server/supervision/evidence-of.ts',
  'server/supervision/no-progress.ts',
  'server/turns/after-failure.ts',
  'server/respawn/checker/checker-state.ts',
  'server/respawn/detection/idle-layers.ts',
  'server/respawn/detection/signs.ts',
  'shared/rules/limit-dialog.ts',
  'shared/rules/loops/loop-limits.ts',
  'shared/rules/respawn/respawn-keys.ts',
  'shared/rules/respawn/respawn-names.ts',
  'shared/rules/respawn/respawn-table.ts',
  'shared/rules/work/run-phases.ts',
  'shared/rules/respawn/respawn-timers.ts',
  'shared/words/count-text.ts',
];

/** Each table is written by one file. */
const TABLE_WRITERS: Record<string, string> = {
  meta: 'server/db/meta-store.ts',
  events: 'server/events/event-statements.ts',
  sessions: 'server/sessions/session-store.ts',
  people: 'server/people/person-store.ts',
  inputs: 'server/sessions/typing/input-store.ts',
  screens: 'server/sessions/showing/screen-store.ts',
  attention: 'server/attention/attention-store.ts',
  alertRules: 'server/alerts/rules/alert-rule-store.ts',
  alertDeliveries: 'server/alerts/deliveries/alert-delivery-store.ts',
  alertIncidents: 'server/alerts/incidents/incident-store.ts',
  pushSubscriptions: 'server/push/push-subscription-store.ts',
  taskAuto: 'server/auto/stores/auto-store.ts',
  respawn: 'server/respawn/respawn-store.ts',
  projectSessions: 'server/projects/project-store.ts',
  projectSetups: 'server/projects/project-setups.ts',
  tasks: 'server/tasks/stores/task-store.ts',
  taskRequests: 'server/tasks/stores/task-request-store.ts',
  placements: 'server/fleet/placement-store.ts',
  interactions: 'server/turns/interaction-store.ts',
  taskInputs: 'server/turns/turn-input-store.ts',
  testCases: 'server/tasks/stores/test-case-store.ts',
  runs: 'server/runs/stores/run-store.ts',
  runChecks: 'server/runs/stores/run-check-store.ts',
  prompts: 'server/prompts/prompt-store.ts',
  worktrees: 'server/worktrees/worktree-store.ts',
  usageDays: 'server/usage/usage-store.ts',
  usageEntries: 'server/usage/usage-store.ts',
  usageClaims: 'server/usage/usage-store.ts',
  usageMeters: 'server/usage/usage-store.ts',
  usageConversations: 'server/usage/conversation-store.ts',
  usageFiles: 'server/usage/conversation-store.ts',
  planWindows: 'server/usage/plan-windows.ts',
  usageWorked: 'server/budgets/budget-store.ts',
  budgets: 'server/budgets/budget-store.ts',
  windowReadings: 'server/usage/window-samples.ts',
  questionRules: 'server/questions/question-rule-store.ts',
  reservePolicies: 'server/reserve/reserve-store.ts',
  idempotencyKeys: 'server/idempotency/key-store.ts',
};

it('AR2 the rules of a machine import only each other at run time', () => {
  const ofMachine = IMPORTS.filter(
    ({ file }) => dirname(file).endsWith('/machine') || PURE.includes(file),
  );
  expect(ofMachine.length).toBeGreaterThan(0);
  // In the same folder, types only, or just as pure.
  const foreign = ofMachine.filter(
    ({ file, target, typeOnly }) =>
      !typeOnly && dirname(target) !== dirname(file) && !PURE.includes(target),
  );
  expect(foreign).toEqual([]);
});

it('AR3 only its one writer imports each table', () => {
  const wrong = FILES.filter((file) => file.endsWith('.ts')).flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const names =
      /import \{([^}]*)\} from '[^']*db\/(?:alert-|task-|usage-|run-)?schema\.ts'/.exec(
        text,
      )?.[1] ?? '';
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && TABLE_WRITERS[name] !== file)
      .map((name) => `${file} imports ${name}`);
  });
  expect(wrong).toEqual([]);
});

it('AR8 the objects of the native engine have one holder each', () => {
  const NATIVE = {
    UwsResponse: 'server/transport/uws/live-response.ts',
    UwsSocket: 'server/transport/uws/uws-peer.ts',
  };
  const wrong = FILES.filter((file) => file !== 'server/transport/uws/engine.ts').flatMap(
    (file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return Object.entries(NATIVE)
        .filter(([type, holder]) => file !== holder && new RegExp(`\\b${type}\\b`).test(text))
        .map(([type]) => `${file} names ${type}`);
    },
  );
  expect(wrong).toEqual([]);
});

it('AR4 only one file reads the environment for settings', () => {
  const readers = FILES.filter((file) => file.startsWith('server/')).filter((file) =>
    readFileSync(join(ROOT, file), 'utf8').includes('process.env'),
  );
  // The daemon passes it on to terminals, the doctor checks as one, the watch to the command it runs; a
  // step runs the checks of a project as the agent that calls it would; a message names the command that
  // the PATH has.
  expect(readers.sort()).toEqual([
    'server/cli/commands/daemon/run-doctor.ts',
    'server/cli/own-command.ts',
    'server/cli/run-shell.ts',
    'server/cli/runs/steer-commands.ts',
    'server/cli/step/in-module.ts',
    'server/daemon/daemon.ts',
    'server/lib/config/config.ts',
  ]);
});

it('AR16 a start of the daemon loads no library that only some daemons need', () => {
  const RARE = ['nodemailer', 'web-push', '@xterm/headless', '@nats-io/transport-node'];
  const loaded = new Set(['server/daemon/daemon.ts']);
  for (const file of loaded) {
    for (const each of IMPORTS) {
      if (each.file === file && !each.typeOnly && !each.onDemand) loaded.add(each.target);
    }
  }
  expect(loaded.size).toBeGreaterThan(500);
  expect(RARE.filter((library) => loaded.has(library))).toEqual([]);
  expect(RARE.filter((library) => !IMPORTS.some(({ target }) => target === library))).toEqual([]);
});

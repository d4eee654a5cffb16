/**
 * Every setting: its environment variable, type, default and meaning; docs/settings.md is generated
 * from this. `unset` describes the default where it is not a constant.
 */
import { z } from 'zod';
import { LOOP_NAMES } from '../../../shared/rules/loops/known-loops.ts';
import { LoopPermissions } from '../../../shared/schema/loops/loop-permissions.ts';
import { StopCheck } from '../../../shared/schema/loops/loop-check.ts';
import { RecoveryMode } from '../../../shared/schema/loops/recovery-mode.ts';
import { PermissionMode } from '../../../shared/schema/tasks/permission-mode.ts';
import { TransportName } from '../../../shared/schema/transport-name.ts';
import {
  decimal,
  delays,
  Directories,
  Directory,
  HostLabels,
  HostPatterns,
  Hosts,
  Line,
  Milliseconds,
  NatsAddresses,
  PassedNames,
  Token,
  WebAddress,
  whole,
} from './setting-types.ts';

/** Of Chrome and its relatives, Firefox, Safari, and Edge. */
export const PUSH_SERVICES = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
];

export const Settings = z.object({
  HOST: z.string().min(1).default('127.0.0.1').meta({
    description:
      'Address to listen on. Anything but loopback needs a TLS proxy and `LOOPWATCH_BEHIND_PROXY=1`.',
  }),
  PORT: whole(0, 65_535).default(4700).meta({
    description: 'Port to listen on; `0` takes a free one.',
  }),
  LOOPWATCH_HOSTS: Hosts.default([]).meta({
    description:
      'Further host names to answer to, comma separated, as `host` or `host:port`. The first one is used in links behind a proxy.',
  }),
  LOOPWATCH_BEHIND_PROXY: z.stringbool().default(false).meta({
    description:
      'A proxy in front terminates TLS: links begin with `https://`, and `HOST` may be other than loopback.',
  }),
  LOOPWATCH_HOME: Directory.optional().meta({
    description: 'Directory with all state: database, token, log.',
    unset: '~/.loopwatch',
  }),
  XDG_RUNTIME_DIR: Directory.optional().meta({
    description: 'Directory for terminal sockets, usually set by the login.',
    unset: "the system's temporary directory",
  }),
  LOOPWATCH_TOKEN: Token.optional().meta({
    description:
      'Token of the home, which is always admin: 16 to 512 visible ASCII characters. Never passed on to terminals.',
    unset: 'created at the first start, kept in the home',
  }),
  LOOPWATCH_ROOTS: Directories.optional().meta({
    description: 'Directories below which sessions and tasks may work, colon separated.',
    unset: 'the home directory of the user',
  }),
  LOOPWATCH_TERMINAL: z.enum(['tmux', 'pty']).optional().meta({
    description:
      'Where terminals live: `tmux`, where they outlive the daemon, or `pty`, inside the daemon.',
    unset: '`tmux` if found, else `pty`',
  }),
  LOOPWATCH_TRANSPORT: TransportName.default('ws').meta({
    description:
      'Network engine: `ws`, or `uws` (uWebSockets.js) for thousands of readers; see [Network engine](service.md#network-engine).',
  }),
  LOOPWATCH_CLAUDE: Line.default('claude').meta({
    description: "The agent's program.",
  }),
  LOOPWATCH_LOOP: z.enum(LOOP_NAMES).optional().meta({
    description:
      'The loop that runs in the agent: `loopwatch` comes with this package, `moonview` and `ai-cli-task` are plugins you install.',
    unset: '`loopwatch`, or an installed one where the agent cannot load it',
  }),
  LOOPWATCH_AUTO_COMMAND: Line.optional().meta({
    description:
      'Line typed into the shell of a session to start a loop; see [Loops](loops.md#what-the-agent-gets).',
    unset: 'the command of `LOOPWATCH_LOOP`',
  }),
  LOOPWATCH_LOOP_PERMISSIONS: LoopPermissions.default('edit').meta({
    description:
      'What the agent of a loop that names none may do without asking: `ask` nothing that changes something, `edit` edit the project and run its own commands, `everything` any command.',
  }),
  LOOPWATCH_RECOVERY: RecoveryMode.default('safe').meta({
    description:
      'What Loopwatch may type to a stalled agent: `off` nothing, `safe` only what continues, `full` everything except what is destructive.',
  }),
  LOOPWATCH_LOOP_STOP_CHECK: StopCheck.default('report').meta({
    description:
      'When a loop reports its end: `off` believes it, `report` runs the checks of the task and says when they do not confirm it, `send_back` also returns failures to the agent; see [Proof of the end](loops.md#proof-of-the-end).',
  }),
  LOOPWATCH_PASS_ENV: PassedNames.default([]).meta({
    description:
      'Variables passed to terminals in addition to the usual ones, comma separated; never the token.',
  }),
  LOOPWATCH_HEARTBEAT_MS: Milliseconds.default(60_000).meta({
    description: "Interval at which a loop's timer is stored and its snapshot compared.",
  }),
  LOOPWATCH_STALL_CAPTURES: whole(1, 1_000).default(3).meta({
    description: 'Identical snapshots after the first one that count as a stall.',
  }),
  LOOPWATCH_SIGNAL_POLL_MS: Milliseconds.default(2_000).meta({
    description:
      'Polling interval for files and processes, in addition to notifications of the system.',
  }),
  LOOPWATCH_IDLE_CONFIRM_MS: Milliseconds.default(5_000).meta({
    description:
      'How long an agent must be idle to have ended, or work to have recovered from a quota.',
  }),
  LOOPWATCH_STOP_GRACE_MS: Milliseconds.default(120_000).meta({
    description: 'From the stop file to the interrupt.',
  }),
  LOOPWATCH_KILL_GRACE_MS: Milliseconds.default(30_000).meta({
    description: 'From the interrupt to the kill.',
  }),
  LOOPWATCH_START_TIMEOUT_MS: Milliseconds.default(10_000).meta({
    description: 'How long an agent may take to come to the foreground.',
  }),
  LOOPWATCH_RESTART_DELAYS_MS: delays().default([5_000, 30_000, 120_000]).meta({
    description: 'Pauses before restarts after a crash; their number is the restart limit.',
  }),
  // Some clients continue on their own about 90 s after the reset.
  LOOPWATCH_QUOTA_DELAYS_MS: delays()
    .default([180_000, 300_000, 900_000, 1_800_000, 3_600_000])
    .meta({
      description: 'Pauses before each nudge after a reset; then a person is asked.',
    }),
  LOOPWATCH_ERROR_DELAYS_MS: delays().default([30_000, 60_000, 120_000]).meta({
    description:
      'Pauses before a failed request is retried: `continue` in a loop, a new turn in a task.',
  }),
  LOOPWATCH_TASK_SLOTS: whole(1, 100).default(4).meta({
    description: 'Tasks and runs that work at the same time.',
  }),
  LOOPWATCH_TASK_INTERRUPTED: z.enum(['stop', 'resume']).default('stop').meta({
    description:
      'What happens to a task whose turn was cut off while no daemon ran: `stop` or `resume`.',
  }),
  LOOPWATCH_LOOP_NO_PROGRESS_SIGNALS: whole(0, 1_000).default(5).meta({
    description:
      'Signals in a row without progress after which a loop stops for a person; `0` turns it off.',
  }),
  LOOPWATCH_TASK_NO_PROGRESS_TURNS: whole(0, 1_000).default(5).meta({
    description:
      'Turns in a row without progress after which a task pauses for a person; `0` turns it off.',
  }),
  LOOPWATCH_COMPACT_AT_PERCENT: whole(0, 100).default(70).meta({
    description:
      'Share of its context from which the conversation of a task or run is compacted before its next message; `0` turns it off.',
  }),
  LOOPWATCH_FRESH_AT_PERCENT: whole(0, 100).default(85).meta({
    description:
      'Share from which the next message begins a new conversation, with a hand-over; `0` turns it off.',
  }),
  LOOPWATCH_TASK_PERMISSIONS: PermissionMode.default('acceptEdits').meta({
    description:
      'Permission mode of tasks that name none: `default`, `acceptEdits`, `plan` or `bypassPermissions`.',
  }),
  LOOPWATCH_TASK_TEST_TIMEOUT_MS: Milliseconds.default(300_000).meta({
    description: 'Time limit of each test command and gate.',
  }),
  LOOPWATCH_DEFAULT_PROJECT: Directory.optional().meta({
    description: 'Directory of tasks that name none.',
    unset: 'each task must name one',
  }),
  LOOPWATCH_STAY_AWAKE: z.enum(['on', 'off']).default('on').meta({
    description:
      'Whether this machine is kept from sleeping while work is open, with `systemd-inhibit` or `caffeinate`; off where neither is installed.',
  }),
  LOOPWATCH_CHECK_IN_URL: WebAddress.optional().meta({
    description:
      'URL that is called while all is well, so that a service elsewhere raises the alarm when the calls stop; see [Check-in](alerts.md#check-in).',
    unset: 'none',
  }),
  LOOPWATCH_NATS: NatsAddresses.optional().meta({
    description:
      'Address of the NATS server that connects the hosts of a fleet, or those of a cluster, comma separated; `loopwatch fleet join` prints it. See [Many hosts](fleet.md).',
    unset: 'none: this host is alone',
  }),
  LOOPWATCH_ACCEPT_REMOTE_INPUT: z.enum(['on', 'off']).default('off').meta({
    description:
      'Whether people may type into terminals of this host from the pages of other hosts of the fleet.',
  }),
  LOOPWATCH_HOST_LABELS: HostLabels.default([]).meta({
    description: 'What this host offers to tasks that may run on any host, comma separated.',
  }),
  LOOPWATCH_PUSH_SERVICES: HostPatterns.default(PUSH_SERVICES).meta({
    description:
      'Hosts of push services that browsers may be notified through, comma separated, as `host`, `host:port` or `*.domain`; see [Web Push](alerts.md#web-push).',
  }),
  LOOPWATCH_CHECK_IN_MS: Milliseconds.default(60_000).meta({
    description: 'Pause between two calls of `LOOPWATCH_CHECK_IN_URL`.',
  }),
  LOOPWATCH_CLIENT_TRUST: z.enum(['tested', 'any']).default('tested').meta({
    description:
      'Versions of Claude Code that Loopwatch types into: `tested` up to the newest it was tested with, and newer ones that a person trusts, or `any`.',
  }),
  LOOPWATCH_FOUND: z.enum(['on', 'off']).default('on').meta({
    description:
      'Whether agent sessions on this machine that Loopwatch did not start are shown, read-only; always off without a home directory. See [Found sessions](found-sessions.md).',
  }),
  LOOPWATCH_FOUND_IGNORE: Directories.optional().meta({
    description:
      'Directories that Loopwatch looks away from: sessions it did not start that work in or below them are not shown, and their transcripts are not read. Colon separated.',
    unset: 'none',
  }),
  LOOPWATCH_FOUND_DETAILS: z.enum(['operators', 'everyone']).default('operators').meta({
    description:
      'Who sees what was read from the transcripts of such sessions: `operators`, or `everyone` including viewers.',
  }),
  LOOPWATCH_RETENTION_DAYS: decimal(0.01, 3650).default(7).meta({
    description: 'Days that events are kept.',
  }),
  LOOPWATCH_RETENTION_EVENTS: whole(100, 1e12).default(1_000_000).meta({
    description: 'Number of events that are kept.',
  }),
  LOOPWATCH_SCREEN_HISTORY: whole(0, 10_000).default(500).meta({
    description:
      'Past screens kept for each session; `0` keeps none and removes those stored before.',
  }),
  LOOPWATCH_LOG_BYTES: whole(1_000, 1e12).default(10_000_000).meta({
    description: 'Size at which `log/daemon.log` rotates.',
  }),
  PYLON_HOME: Directory.optional().meta({
    description:
      'Directory of a Pylon, whose state `loopwatch status` shows; see [Control socket](control.md).',
    unset: '~/.openagents/pylon',
  }),
  LOOPWATCH_LOG_FILES: whole(1, 1_000).default(5).meta({
    description: 'Rotated log files that are kept.',
  }),
});

/**
 * The settings of the daemon: environment → validated, frozen `Config`. The only reader of
 * `process.env`.
 */
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type LoopName, startTemplate } from '../../../shared/rules/loops/known-loops.ts';
import type { LoopPermissions } from '../../../shared/schema/loops/loop-permissions.ts';
import type { StopCheck } from '../../../shared/schema/loops/loop-check.ts';
import type { RecoveryMode } from '../../../shared/schema/loops/recovery-mode.ts';
import type { PermissionMode } from '../../../shared/schema/tasks/permission-mode.ts';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import { Settings } from './settings.ts';

export interface Config {
  host: string;
  port: number;
  /** Names (host or host:port) under which the daemon may be addressed, in addition to loopback. */
  allowedHosts: readonly string[];
  behindProxy: boolean;
  home: string;
  /** Directory of terminal sockets: short, because a socket path has at most 107 bytes. */
  runtimeRoot: string;
  /** Null: created at the first start and kept in `home/token`. */
  token: string | null;
  roots: readonly string[];
  terminal: 'tmux' | 'pty' | null;
  transport: TransportName;
  agentProgram: string;
  /** The loop that runs in the agent; decides what its signals may say. */
  loop: LoopName;
  /** The settings name it, or the command that starts it; otherwise see `withLoop`. */
  isLoopChosen: boolean;
  autoCommand: string;
  /** Of loops that name none. */
  loopPermissions: LoopPermissions;
  /** What may be typed into a stalled agent. */
  recovery: RecoveryMode;
  /** Whether the end of a loop is checked, and what follows when it fails. */
  loopStopCheck: StopCheck;
  /** Reports in a row without progress after which a loop ends; 0 is never. */
  loopNoProgressSignals: number;
  /** Environment variables passed to terminals in addition to the allowlist. */
  passEnvironment: readonly string[];
  heartbeatMs: number;
  stallCaptures: number;
  signalPollMs: number;
  idleConfirmMs: number;
  stopGraceMs: number;
  killGraceMs: number;
  startTimeoutMs: number;
  restartDelaysMs: readonly number[];
  quotaDelaysMs: readonly number[];
  errorDelaysMs: readonly number[];
  /** Tasks that run at the same time. */
  taskSlots: number;
  /** What happens to a task whose turn was cut off while no daemon ran. */
  taskInterrupted: 'stop' | 'resume';
  /** Turns in a row without progress after which a task asks a person; 0 is never. */
  taskNoProgressTurns: number;
  /** In whole percent; 0 is never. */
  contextLimits: { compactAt: number; freshAt: number };
  /** What tools may do in tasks that name no mode. */
  taskPermissions: PermissionMode;
  /** For each test command and gate. */
  taskTestTimeoutMs: number;
  /** Directory of tasks that name none; null: each must name one. */
  defaultProject: string | null;
  /** Versions of the agent's client that may be typed into without a person's word. */
  clientTrust: 'tested' | 'any';
  /** Whether sessions that Loopwatch did not start are shown. */
  found: 'on' | 'off';
  /** Directories that Loopwatch looks away from. */
  foundIgnore: readonly string[];
  /** Who sees what their transcripts say. */
  foundDetails: 'operators' | 'everyone';
  /** Keep the machine from sleeping while work is open. */
  stayAwake: boolean;
  /** Called while all is well. */
  checkInUrl: string | null;
  checkInMs: number;
  /** Address of the server that connects the hosts of a fleet; null: this one is alone. */
  nats: string | null;
  /** Whether people may type into terminals here from the pages of other hosts. */
  acceptRemoteInput: boolean;
  /** What this host offers to tasks that may run anywhere. */
  hostLabels: readonly string[];
  /** Hosts that browsers may be notified through, also as `*.domain`. */
  pushServices: readonly string[];
  retentionDays: number;
  retentionEvents: number;
  /** Snapshots kept per session; 0 keeps none. */
  screenHistory: number;
  /** The log rotates before a file grows beyond this. */
  logBytes: number;
  /** Rotated log files that are kept. */
  logFiles: number;
}

/** A secret, and a directory whose name changes with every login. */
const NOT_WRITTEN_DOWN = ['LOOPWATCH_TOKEN', 'XDG_RUNTIME_DIR'];

export class ConfigError extends Error {}

/** Throws a ConfigError that names the setting. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Readonly<Config> {
  // An empty variable means "not set", as in a shell's `NAME= command`.
  const given = Object.entries(environment).filter(([, value]) => value !== '');
  const parsed = Settings.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new ConfigError(`${String(issue?.path[0])}: ${issue?.message ?? 'is not valid'}`);
  }
  const env = parsed.data;
  const loop = env.LOOPWATCH_LOOP ?? 'loopwatch';
  return Object.freeze({
    host: env.HOST,
    port: env.PORT,
    allowedHosts: env.LOOPWATCH_HOSTS,
    behindProxy: env.LOOPWATCH_BEHIND_PROXY,
    home: readHome(environment),
    runtimeRoot: env.XDG_RUNTIME_DIR ?? tmpdir(),
    token: env.LOOPWATCH_TOKEN ?? null,
    roots: (env.LOOPWATCH_ROOTS ?? [homedir()]).map((root) => resolve(root)),
    terminal: env.LOOPWATCH_TERMINAL ?? null,
    transport: env.LOOPWATCH_TRANSPORT,
    agentProgram: env.LOOPWATCH_CLAUDE,
    loop,
    isLoopChosen: env.LOOPWATCH_LOOP !== undefined || env.LOOPWATCH_AUTO_COMMAND !== undefined,
    autoCommand: env.LOOPWATCH_AUTO_COMMAND ?? startTemplate(loop),
    loopPermissions: env.LOOPWATCH_LOOP_PERMISSIONS,
    recovery: env.LOOPWATCH_RECOVERY,
    loopStopCheck: env.LOOPWATCH_LOOP_STOP_CHECK,
    loopNoProgressSignals: env.LOOPWATCH_LOOP_NO_PROGRESS_SIGNALS,
    passEnvironment: env.LOOPWATCH_PASS_ENV,
    heartbeatMs: env.LOOPWATCH_HEARTBEAT_MS,
    stallCaptures: env.LOOPWATCH_STALL_CAPTURES,
    signalPollMs: env.LOOPWATCH_SIGNAL_POLL_MS,
    idleConfirmMs: env.LOOPWATCH_IDLE_CONFIRM_MS,
    stopGraceMs: env.LOOPWATCH_STOP_GRACE_MS,
    killGraceMs: env.LOOPWATCH_KILL_GRACE_MS,
    startTimeoutMs: env.LOOPWATCH_START_TIMEOUT_MS,
    restartDelaysMs: env.LOOPWATCH_RESTART_DELAYS_MS,
    quotaDelaysMs: env.LOOPWATCH_QUOTA_DELAYS_MS,
    errorDelaysMs: env.LOOPWATCH_ERROR_DELAYS_MS,
    taskSlots: env.LOOPWATCH_TASK_SLOTS,
    taskInterrupted: env.LOOPWATCH_TASK_INTERRUPTED,
    taskNoProgressTurns: env.LOOPWATCH_TASK_NO_PROGRESS_TURNS,
    contextLimits: {
      compactAt: env.LOOPWATCH_COMPACT_AT_PERCENT,
      freshAt: env.LOOPWATCH_FRESH_AT_PERCENT,
    },
    taskPermissions: env.LOOPWATCH_TASK_PERMISSIONS,
    taskTestTimeoutMs: env.LOOPWATCH_TASK_TEST_TIMEOUT_MS,
    defaultProject: env.LOOPWATCH_DEFAULT_PROJECT ?? null,
    stayAwake: env.LOOPWATCH_STAY_AWAKE === 'on',
    checkInUrl: env.LOOPWATCH_CHECK_IN_URL ?? null,
    checkInMs: env.LOOPWATCH_CHECK_IN_MS,
    nats: env.LOOPWATCH_NATS ?? null,
    acceptRemoteInput: env.LOOPWATCH_ACCEPT_REMOTE_INPUT === 'on',
    hostLabels: env.LOOPWATCH_HOST_LABELS,
    pushServices: env.LOOPWATCH_PUSH_SERVICES,
    clientTrust: env.LOOPWATCH_CLIENT_TRUST,
    found: env.LOOPWATCH_FOUND,
    foundIgnore: (env.LOOPWATCH_FOUND_IGNORE ?? []).map((directory) => resolve(directory)),
    foundDetails: env.LOOPWATCH_FOUND_DETAILS,
    retentionDays: env.LOOPWATCH_RETENTION_DAYS,
    retentionEvents: env.LOOPWATCH_RETENTION_EVENTS,
    screenHistory: env.LOOPWATCH_SCREEN_HISTORY,
    logBytes: env.LOOPWATCH_LOG_BYTES,
    logFiles: env.LOOPWATCH_LOG_FILES,
  });
}

/** The home alone, for a script whose other settings are not ours. */
export function readHome(environment: NodeJS.ProcessEnv = process.env): string {
  // An empty variable means "not set", as for every setting.
  return resolve(environment['LOOPWATCH_HOME'] || join(homedir(), '.loopwatch'));
}

/** Where a Pylon of this user keeps its pid file and socket. */
export function pylonDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const { PYLON_HOME: given = '', HOME: home = '' } = environment;
  // Without a home directory it is below the current one.
  return given === '' ? join(home, '.openagents/pylon') : given;
}

/**
 * The settings as given in the environment, and the PATH on which the daemon would find the agent.
 * Never the token: others may read this.
 */
export function givenSettings(
  environment: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const settings = Object.keys(Settings.shape);
  const names = ['PATH', ...settings].filter((name) => !NOT_WRITTEN_DOWN.includes(name));
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name] ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** The daemon as a unit of systemd, with what a person does to install it. Pure. */
import type { ServicePlan } from './service-plan.ts';

export interface UnitOptions {
  /** A unit of the system instead of the user's own. */
  system: boolean;
}

/** Takes a plan of plain values; gives the text of `loopwatch.service`. */
export function systemdUnit(plan: ServicePlan, { system }: UnitOptions): string {
  return [
    ...headOf(plan, system),
    '',
    '[Unit]',
    'Description=Loopwatch supervises coding agents',
    'After=network.target',
    'StartLimitIntervalSec=120',
    'StartLimitBurst=5',
    '',
    '[Service]',
    'Type=simple',
    ...(system ? [`User=${specifierSafe(plan.user)}`] : []),
    'WorkingDirectory=~',
    ...Object.entries(plan.environment).map(
      ([name, value]) => `Environment=${word(`${name}=${value}`)}`,
    ),
    // The colon: nothing in the words is taken for a variable.
    `ExecStart=:${word(plan.node)} ${word(plan.program)} start`,
    'Restart=on-failure',
    'RestartSec=2',
    '# Not for usage, a port in use, another daemon, settings: trying again mends none of them.',
    'RestartPreventExitStatus=2 73 75 78',
    'TimeoutStopSec=15',
    '# Ends the daemon alone: the servers of the terminals, and the agents in them, go on.',
    'KillMode=process',
    '# An agent that takes too much memory must not take the daemon and the others along.',
    'OOMPolicy=continue',
    'UMask=0077',
    '# No core dump of a process that knows the token; who debugs in a terminal can raise it.',
    'LimitCORE=0:infinity',
    '# Nothing here shuts in what it starts (NoNewPrivileges, ProtectSystem, PrivateTmp, …): the',
    '# terminals and agents would lose sudo, their files, or the place where they are found again.',
    '',
    '[Install]',
    `WantedBy=${system ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n');
}

function headOf({ home, tokenIsSet }: ServicePlan, system: boolean): string[] {
  const user = system ? '' : '--user ';
  const install = system
    ? [
        'loopwatch service --system | sudo tee /etc/systemd/system/loopwatch.service',
        'sudo systemctl daemon-reload',
        'sudo systemctl enable --now loopwatch',
      ]
    : [
        'mkdir -p ~/.config/systemd/user',
        'loopwatch service > ~/.config/systemd/user/loopwatch.service',
        'systemctl --user daemon-reload',
        'systemctl --user enable --now loopwatch',
        'loginctl enable-linger      # also without a login, and on after the logout',
      ];
  const token = [
    '',
    'LOOPWATCH_TOKEN is set now and not written here. To keep it, put LOOPWATCH_TOKEN=… into a file',
    'that only its owner can read, and name it: EnvironmentFile=/path/of/the/file',
  ];
  return [
    'Loopwatch as a service. To install it:',
    ...install.map((line) => `  ${line}`),
    `Logs: journalctl ${user}-u loopwatch, and ${home}/log/daemon.log`,
    ...(tokenIsSet ? token : []),
  ].map((line) => `# ${line}`.trimEnd());
}

/** One word as systemd reads it: in quotes, with the escapes of C, and no specifier in it. */
function word(text: string): string {
  return `"${specifierSafe(text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'))}"`;
}

function specifierSafe(text: string): string {
  return text.replaceAll('%', '%%');
}

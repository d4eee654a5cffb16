/** Whether the service manager that runs the daemon would end its terminals along with it. */
import { readFileSync } from 'node:fs';
import type { PreflightCheck } from '../../shared/schema/model.ts';
import { execFile } from '../lib/processes/exec-file.ts';

const ASK_TIMEOUT_MS = 3_000;
/** Ends every process of the unit, or all but the first: the terminals' servers are among them. */
const ENDS_ALL = ['control-group', 'mixed'];

export interface Unit {
  name: string;
  /** It belongs to the user's own service manager. */
  ofUser: boolean;
}

/** `cgroup` is the content of /proc/PID/cgroup. Null when the process runs in no service. */
export function unitOf(cgroup: string): Unit | null {
  const path = /^(?:0:|\d+:name=systemd):(\/.*\.service)$/m.exec(cgroup)?.[1];
  if (path === undefined) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { name, ofUser: /\/user@\d+\.service\/./.test(path) };
}

export function judgeService({ name, ofUser }: Unit, killMode: string): PreflightCheck {
  const detail = `${name} with KillMode=${killMode}`;
  if (!ENDS_ALL.includes(killMode)) return { name: 'service', ok: true, detail, fix: null };
  const user = ofUser ? '--user ' : '';
  return {
    name: 'service',
    ok: false,
    detail: `The daemon runs as ${detail}: when it stops, systemd ends every session and agent.`,
    fix: `systemctl ${user}edit ${name}, add [Service] KillMode=process (loopwatch service prints a whole unit), then restart the daemon when no agent is working.`,
  };
}

/**
 * `cgroup` is that of the daemon. Null when it runs in no unit, or in one that cannot be queried.
 */
export async function serviceCheck(
  cgroup: string,
  environment: NodeJS.ProcessEnv,
): Promise<PreflightCheck | null> {
  const unit = unitOf(cgroup);
  if (unit === null) return null;
  const scope = unit.ofUser ? ['--user'] : [];
  const args = [...scope, 'show', '--property=KillMode', '--value', '--', unit.name];
  const options = { env: environment, timeoutMs: ASK_TIMEOUT_MS };
  const answer = await execFile('systemctl', args, options);
  const killMode = answer.ok ? answer.stdout.trim() : '';
  return killMode === '' ? null : judgeService(unit, killMode);
}

/** '' when unknown. */
export function cgroupOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cgroup`, 'utf8');
  } catch {
    return '';
  }
}

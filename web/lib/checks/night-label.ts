import type { NightCheck } from '$shared/schema/usage/night.ts';
import { CHECK_TEXT } from './check-text.ts';

/** The name of each check for the night; those of the machine are named as there. */
export const NIGHT_LABEL: Record<NightCheck['name'], string> = {
  agent: CHECK_TEXT.agent.label,
  client: CHECK_TEXT.client.label,
  command: CHECK_TEXT.command.label,
  login: CHECK_TEXT.login.label,
  tmux: CHECK_TEXT.tmux.label,
  git: CHECK_TEXT.git.label,
  disk: CHECK_TEXT.disk.label,
  inotify: CHECK_TEXT.inotify.label,
  service: CHECK_TEXT.service.label,
  check_in: CHECK_TEXT.check_in.label,
  login_until: 'Login until the morning',
  five_hour: '5-hour window',
  weekly: 'Weekly window',
  budgets: 'Budgets',
  alerts: 'Alerts',
  awake: 'Awake',
  worktrees: 'Worktrees',
  time_zone: 'Time zone',
};

ALTER TABLE `task_auto` ADD `state` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE `task_auto` SET `state` = json_object(
  'startedBy', `started_by`,
  'iterationBase', `iteration_base`,
  'restartIteration', `restart_iteration`,
  'countUnknown', json(iif(`count_unknown`, 'true', 'false')),
  'lastSignal', iif(`last_step` = '', NULL, json_object('step', `last_step`, 'result', `last_result`, 'next', `last_next`, 'checkpoint', `last_checkpoint`)),
  'signalMark', `signal_mark`,
  'launchCount', `launch_count`,
  'agentProcess', iif(`agent_pid` = 0, NULL, json_object('pid', `agent_pid`, 'startedAt', `agent_started_at`)),
  'stop', iif(`stop_reason` = '', NULL, json_object('reason', `stop_reason`, 'by', `stop_by`, 'author', `stop_author`, 'step', `stop_step`, 'requestedAt', `stop_requested_at`, 'evidence', json(iif(json_valid(`stop_evidence`), `stop_evidence`, '[]')))),
  'wait', iif(`wait_reason` = '', NULL, json_object('reason', `wait_reason`, 'since', `wait_since`, 'until', nullif(`wait_until`, ''), 'evidence', json(iif(json_valid(`wait_evidence`), `wait_evidence`, '[]')))),
  'quota', json(iif(json_valid(`quota`), `quota`, 'null')),
  'quotaWaitTotalMs', `quota_wait_total_ms`,
  'error', nullif(`error`, ''),
  'ageMs', `age_ms`,
  'dueMs', `due_ms`,
  'savedAt', nullif(`age_at`, '')
);--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `started_by`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `launch_count`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `agent_pid`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `agent_started_at`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `iteration_base`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `restart_iteration`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `count_unknown`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `last_step`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `last_result`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `last_next`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `last_checkpoint`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `signal_mark`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `stop_reason`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `stop_by`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `stop_step`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `stop_requested_at`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `stop_author`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `stop_evidence`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `wait_since`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `wait_reason`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `wait_until`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `wait_evidence`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `age_ms`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `age_at`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `due_ms`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `quota_wait_total_ms`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `quota`;--> statement-breakpoint
ALTER TABLE `task_auto` DROP COLUMN `error`;
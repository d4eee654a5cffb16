CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` text NOT NULL,
	`type` text NOT NULL,
	`session` text,
	`data` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `events_session_seq` ON `events` (`session`,`seq`);--> statement-breakpoint
CREATE TABLE `meta` (
	`key` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `sessions` (
	`name` text PRIMARY KEY NOT NULL,
	`cwd` text NOT NULL,
	`terminal` text NOT NULL,
	`status` text NOT NULL,
	`owner` text,
	`identity` text,
	`created_at` text NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `task_auto` ADD `run_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `agent` text DEFAULT 'claude' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `dir_identity` text;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `launch_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `agent_pid` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `agent_started_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `iteration_base` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `restart_iteration` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `count_unknown` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `last_step` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `last_result` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `last_next` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `last_checkpoint` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `signal_mark` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `stop_reason` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `stop_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `stop_step` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `stop_requested_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `wait_since` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `wait_reason` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `age_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `age_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `due_ms` integer;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `quota_wait_total_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `error` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `task_auto_dir_identity_unique` ON `task_auto` (`dir_identity`);
CREATE TABLE `interactions` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`task_id` text NOT NULL,
	`source` text NOT NULL,
	`type` text NOT NULL,
	`turn` integer NOT NULL,
	`content` text NOT NULL,
	`length` integer NOT NULL,
	`tool` text,
	`is_error` integer DEFAULT false NOT NULL,
	`author` text,
	`input_tokens` integer,
	`output_tokens` integer,
	`cache_creation_tokens` integer,
	`cache_read_tokens` integer,
	`duration_ms` integer,
	`cost_usd` real,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `interactions_source` ON `interactions` (`task_id`,`source`);--> statement-breakpoint
CREATE INDEX `interactions_task` ON `interactions` (`task_id`,`id`);--> statement-breakpoint
CREATE TABLE `project_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`project_path` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `project_sessions_project_path_unique` ON `project_sessions` (`project_path`);--> statement-breakpoint
CREATE TABLE `prompts` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`category` text,
	`tags` text,
	`criteria_config` text,
	`usage_count` integer DEFAULT 0 NOT NULL,
	`last_used_at` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `task_inputs` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`task_id` text NOT NULL,
	`text` text NOT NULL,
	`images` text DEFAULT '[]' NOT NULL,
	`interrupt` integer NOT NULL,
	`author` text,
	`state` text NOT NULL,
	`created_at` text NOT NULL,
	`changed_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `task_inputs_id_unique` ON `task_inputs` (`id`);--> statement-breakpoint
CREATE INDEX `task_inputs_task` ON `task_inputs` (`task_id`,`state`,`number`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`task_name` text NOT NULL,
	`name_key` text NOT NULL,
	`session_id` text NOT NULL,
	`plan` text NOT NULL,
	`root_folder` text NOT NULL,
	`status` text NOT NULL,
	`state` text NOT NULL,
	`created_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `project_sessions`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_name_key_unique` ON `tasks` (`name_key`);--> statement-breakpoint
CREATE INDEX `tasks_status` ON `tasks` (`status`);--> statement-breakpoint
CREATE INDEX `tasks_session` ON `tasks` (`session_id`);--> statement-breakpoint
CREATE TABLE `test_cases` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`task_id` text NOT NULL,
	`type` text NOT NULL,
	`name` text NOT NULL,
	`command` text NOT NULL,
	`status` text NOT NULL,
	`exit_code` integer,
	`output` text DEFAULT '' NOT NULL,
	`duration_ms` integer,
	`commit` text,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `test_cases_task` ON `test_cases` (`task_id`,`id`);--> statement-breakpoint
CREATE TABLE `worktrees` (
	`id` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`repository` text NOT NULL,
	`path` text NOT NULL,
	`branch` text NOT NULL,
	`base` text NOT NULL,
	`base_commit` text NOT NULL,
	`owns_branch` integer NOT NULL,
	`state` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `worktrees_branch` ON `worktrees` (`repository`,`branch`);--> statement-breakpoint
CREATE UNIQUE INDEX `worktrees_path` ON `worktrees` (`path`);--> statement-breakpoint
CREATE INDEX `worktrees_owner` ON `worktrees` (`owner`);
CREATE TABLE `run_checks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`run` text NOT NULL,
	`iteration` integer NOT NULL,
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
CREATE INDEX `run_checks_run` ON `run_checks` (`run`,`id`);--> statement-breakpoint
CREATE TABLE `runs` (
	`id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`phase` text NOT NULL,
	`request` text NOT NULL,
	`state` text NOT NULL,
	`agent_plan` text,
	`accepted_plan` text,
	`created_by` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `runs_created` ON `runs` (`created_at`);
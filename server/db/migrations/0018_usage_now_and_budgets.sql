CREATE TABLE `budgets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope_kind` text NOT NULL,
	`scope_id` text NOT NULL,
	`measure` text NOT NULL,
	`limit` integer NOT NULL,
	`since` text NOT NULL,
	`greatest` integer NOT NULL,
	`author` text NOT NULL,
	`why` text NOT NULL,
	`changed_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `budgets_scope` ON `budgets` (`scope_kind`,`scope_id`,`measure`);--> statement-breakpoint
CREATE TABLE `plan_windows` (
	`name` text PRIMARY KEY NOT NULL,
	`used_percent` real NOT NULL,
	`resets_at_ms` integer NOT NULL,
	`read_at_ms` integer NOT NULL,
	`session` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_worked` (
	`day` text NOT NULL,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`project` text NOT NULL,
	`person` text NOT NULL,
	`worked_ms` integer NOT NULL,
	PRIMARY KEY(`day`, `subject_kind`, `subject_id`, `project`, `person`)
);

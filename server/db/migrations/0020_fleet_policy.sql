CREATE TABLE `question_rules` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`scope` text NOT NULL,
	`kind` text NOT NULL,
	`action` text NOT NULL,
	`after_minutes` integer NOT NULL,
	`is_on` integer NOT NULL,
	`tried_at` text,
	`author` text NOT NULL,
	`changed_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `question_rules_scope` ON `question_rules` (`scope`,`kind`);--> statement-breakpoint
CREATE TABLE `reserve_policies` (
	`id` integer PRIMARY KEY NOT NULL,
	`policy` text NOT NULL,
	`author` text NOT NULL,
	`changed_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `window_readings` (
	`name` text NOT NULL,
	`at_ms` integer NOT NULL,
	`used_percent` real NOT NULL,
	`resets_at_ms` integer NOT NULL,
	PRIMARY KEY(`name`, `at_ms`)
);
--> statement-breakpoint
ALTER TABLE `attention` ADD `escalated_at` text;
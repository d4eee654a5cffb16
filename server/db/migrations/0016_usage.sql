CREATE TABLE `usage_claims` (
	`key` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`project` text NOT NULL,
	`person` text NOT NULL,
	`since_ms` integer NOT NULL,
	`reading` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`day` text NOT NULL,
	`source` text NOT NULL,
	`model` text NOT NULL,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`project` text NOT NULL,
	`person` text NOT NULL,
	`input_tokens` integer DEFAULT 0 NOT NULL,
	`output_tokens` integer DEFAULT 0 NOT NULL,
	`cache_read_tokens` integer DEFAULT 0 NOT NULL,
	`cache_write_tokens` integer DEFAULT 0 NOT NULL,
	`cost_micros` integer,
	`latest_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_days_key` ON `usage_days` (`day`,`source`,`model`,`subject_kind`,`subject_id`,`project`,`person`);--> statement-breakpoint
CREATE TABLE `usage_entries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`key` text,
	`sums` integer NOT NULL,
	`input_tokens` integer DEFAULT 0 NOT NULL,
	`output_tokens` integer DEFAULT 0 NOT NULL,
	`cache_read_tokens` integer DEFAULT 0 NOT NULL,
	`cache_write_tokens` integer DEFAULT 0 NOT NULL,
	`cost_micros` integer,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `usage_entries_key_unique` ON `usage_entries` (`key`);--> statement-breakpoint
CREATE INDEX `usage_entries_at` ON `usage_entries` (`at_ms`,`id`);--> statement-breakpoint
CREATE TABLE `usage_files` (
	`path` text PRIMARY KEY NOT NULL,
	`identity` text NOT NULL,
	`offset` integer NOT NULL,
	`is_inside` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_meters` (
	`key` text PRIMARY KEY NOT NULL,
	`cost_micros` integer NOT NULL
);

CREATE TABLE `attention` (
	`id` text PRIMARY KEY NOT NULL,
	`session` text NOT NULL,
	`reason` text NOT NULL,
	`title` text NOT NULL,
	`detail` text,
	`request` text,
	`raised_at` text NOT NULL,
	`cleared_at` text,
	`outcome` text,
	`by` text,
	`answer` text
);
--> statement-breakpoint
CREATE INDEX `attention_cleared_at` ON `attention` (`cleared_at`,`raised_at`);--> statement-breakpoint
CREATE TABLE `inputs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session` text NOT NULL,
	`text` text NOT NULL,
	`submit` integer NOT NULL,
	`source` text NOT NULL,
	`delivery` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` text NOT NULL,
	`changed_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `inputs_session_id` ON `inputs` (`session`,`id`);
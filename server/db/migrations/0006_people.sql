CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`role` text NOT NULL,
	`token_hash` text,
	`link_hash` text,
	`link_expires_at` text,
	`created_at` text NOT NULL,
	`joined_at` text,
	`last_seen_at` text,
	`removed_at` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_name_key` ON `people` (`name_key`) WHERE removed_at IS NULL;--> statement-breakpoint
ALTER TABLE `inputs` ADD `author` text;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `started_by` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `stop_author` text DEFAULT '' NOT NULL;
CREATE TABLE `project_setups` (
	`project` text PRIMARY KEY NOT NULL,
	`setup` text NOT NULL,
	`is_on` integer NOT NULL,
	`author` text NOT NULL,
	`changed_at` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `worktrees` ADD `set_up_at` text;
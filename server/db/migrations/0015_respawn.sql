CREATE TABLE `respawn` (
	`session` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`clock_ms` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `inputs` ADD `tag` text;--> statement-breakpoint
CREATE UNIQUE INDEX `inputs_session_tag` ON `inputs` (`session`,`tag`);
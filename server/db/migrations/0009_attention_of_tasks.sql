CREATE TABLE `__new_attention` (
	`id` text PRIMARY KEY NOT NULL,
	`session` text,
	`task` text,
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
INSERT INTO `__new_attention`("id", "session", "task", "reason", "title", "detail", "request", "raised_at", "cleared_at", "outcome", "by", "answer") SELECT "id", "session", NULL, "reason", "title", "detail", "request", "raised_at", "cleared_at", "outcome", "by", "answer" FROM `attention`;--> statement-breakpoint
DROP TABLE `attention`;--> statement-breakpoint
ALTER TABLE `__new_attention` RENAME TO `attention`;--> statement-breakpoint
CREATE INDEX `attention_cleared_at` ON `attention` (`cleared_at`,`raised_at`);--> statement-breakpoint
ALTER TABLE `alert_deliveries` ADD `task` text;
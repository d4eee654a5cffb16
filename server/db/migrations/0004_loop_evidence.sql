ALTER TABLE `task_auto` ADD `stop_evidence` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `wait_until` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `wait_evidence` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `task_auto` ADD `quota` text DEFAULT '' NOT NULL;
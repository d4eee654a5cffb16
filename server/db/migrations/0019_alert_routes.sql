CREATE TABLE `alert_incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`rule` text NOT NULL,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`session` text,
	`task` text,
	`reason` text,
	`title` text NOT NULL,
	`item` text,
	`body` text NOT NULL,
	`step` integer DEFAULT 0 NOT NULL,
	`due_ms` integer,
	`opened_at` text NOT NULL,
	`acknowledged_at` text,
	`acknowledged_by` text,
	`acknowledged_via` text
);
--> statement-breakpoint
CREATE INDEX `alert_incidents_due` ON `alert_incidents` (`due_ms`);--> statement-breakpoint
CREATE INDEX `alert_incidents_open` ON `alert_incidents` (`acknowledged_at`,`seq`);--> statement-breakpoint
ALTER TABLE `alert_deliveries` ADD `incident` text;--> statement-breakpoint
ALTER TABLE `alert_deliveries` ADD `step` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `alert_rules` ADD `steps` text;
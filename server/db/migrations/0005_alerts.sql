CREATE TABLE `alert_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`rule` text NOT NULL,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`session` text,
	`reason` text,
	`body` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`status` integer,
	`error` text,
	`output` text,
	`due_ms` integer NOT NULL,
	`created_at` text NOT NULL,
	`changed_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `alert_deliveries_rule` ON `alert_deliveries` (`rule`,`state`,`seq`);--> statement-breakpoint
CREATE INDEX `alert_deliveries_seq` ON `alert_deliveries` (`seq`);--> statement-breakpoint
CREATE TABLE `alert_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`enabled` integer NOT NULL,
	`filter` text NOT NULL,
	`quiet_hours` text,
	`target` text NOT NULL,
	`secret` text,
	`cursor` integer NOT NULL,
	`created_at` text NOT NULL
);

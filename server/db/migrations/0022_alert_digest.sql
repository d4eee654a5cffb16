ALTER TABLE `alert_deliveries` ADD `cause` text;--> statement-breakpoint
ALTER TABLE `alert_deliveries` ADD `collects` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `alert_deliveries` ADD `events` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `alert_deliveries` ADD `window_ms` integer;--> statement-breakpoint
CREATE INDEX `alert_deliveries_cause` ON `alert_deliveries` (`rule`,`cause`,`seq`) WHERE "alert_deliveries"."cause" is not null;--> statement-breakpoint
ALTER TABLE `alert_rules` ADD `digest_minutes` integer;
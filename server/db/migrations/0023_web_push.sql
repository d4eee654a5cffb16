CREATE TABLE `push_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`person` text NOT NULL,
	`mark` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`label` text NOT NULL,
	`created_at` text NOT NULL,
	`last_sent_at` text,
	`last_error` text
);
--> statement-breakpoint
CREATE INDEX `push_subscriptions_person` ON `push_subscriptions` (`person`);
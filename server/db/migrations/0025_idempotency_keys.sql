CREATE TABLE `idempotency_keys` (
	`actor` text NOT NULL,
	`key` text NOT NULL,
	`request` text NOT NULL,
	`begun_at_ms` integer NOT NULL,
	`state` text NOT NULL,
	`status` integer,
	`answer` text,
	`events` text DEFAULT '[]' NOT NULL,
	PRIMARY KEY(`actor`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_begun` ON `idempotency_keys` (`begun_at_ms`);
CREATE TABLE `screens` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`session` text NOT NULL,
	`at_ms` integer NOT NULL,
	`seq` integer NOT NULL,
	`moment` text,
	`bytes` integer NOT NULL,
	`picture` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `screens_session` ON `screens` (`session`,`number`,`at_ms`,`moment`,`bytes`);
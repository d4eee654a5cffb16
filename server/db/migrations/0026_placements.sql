CREATE TABLE `placements` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`host` text NOT NULL,
	`handover` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `task_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`is_whole` integer NOT NULL
);

CREATE TABLE `reserve_policies` (
	`id` integer PRIMARY KEY NOT NULL,
	`policy` text NOT NULL,
	`author` text NOT NULL,
	`changed_at` text NOT NULL
);

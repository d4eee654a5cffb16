ALTER TABLE `attention` ADD `subject_kind` text DEFAULT 'session' NOT NULL;--> statement-breakpoint
ALTER TABLE `attention` ADD `subject_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `attention` SET
	`subject_kind` = iif(`task` IS NULL, 'session', 'task'),
	`subject_id` = coalesce(`task`, `session`, '');--> statement-breakpoint
CREATE INDEX `attention_subject` ON `attention` (`subject_kind`,`subject_id`,`raised_at`);--> statement-breakpoint
ALTER TABLE `attention` DROP COLUMN `session`;--> statement-breakpoint
ALTER TABLE `attention` DROP COLUMN `task`;--> statement-breakpoint
ALTER TABLE `events` ADD `subject_kind` text DEFAULT 'daemon' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `subject_id` text DEFAULT 'local' NOT NULL;--> statement-breakpoint
UPDATE `events` SET
	`subject_kind` = CASE
		WHEN `type` LIKE 'auto.%' THEN 'loop'
		WHEN `type` LIKE 'alert.%' THEN 'alert'
		WHEN `session` IS NOT NULL THEN 'session'
		WHEN `type` LIKE 'task.%' OR `type` LIKE 'attention.%' THEN 'task'
		WHEN `type` LIKE 'people.%' THEN 'person'
		ELSE 'daemon' END,
	`subject_id` = coalesce(CASE
		WHEN NOT json_valid(`data`) THEN `session`
		WHEN `type` LIKE 'alert.%' THEN json_extract(`data`, '$.rule')
		WHEN `session` IS NOT NULL THEN `session`
		WHEN `type` LIKE 'task.%' OR `type` LIKE 'attention.%' THEN json_extract(`data`, '$.task')
		WHEN `type` LIKE 'people.%' THEN json_extract(`data`, '$.id')
		ELSE 'local' END, '');--> statement-breakpoint
CREATE INDEX `events_subject_seq` ON `events` (`subject_kind`,`subject_id`,`seq`);
-- Whether the relay looks at the job. One that is due later gets ready when its time has come, so that the relay's walk
-- over organisations and services meets none that wait. Jobs of the former release get ready in the same way.
alter table outbox add column is_ready boolean not null default false;

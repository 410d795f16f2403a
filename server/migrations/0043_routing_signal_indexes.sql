-- no transaction
-- These two are BRIN, so that an attempt's answer writes no index: only summarising ones allow a HOT update.
drop index concurrently if exists attempts_by_answer;
create index concurrently attempts_by_answer on attempts using brin (answered_at)
  with (pages_per_range = 8, autosummarize = on);
-- For calls that hang.
drop index concurrently if exists attempts_by_creation;
create index concurrently attempts_by_creation on attempts using brin (created_at)
  with (pages_per_range = 8, autosummarize = on);
drop index concurrently if exists attempts_by_end;
create index concurrently attempts_by_end on attempts (ended_at) where ended_at is not null;

-- The jobs of a partition that wait for the same receiver, such as one endpoint of an organisation, are a lane. A job of
-- the former release is in the lane of those without a receiver.
alter table outbox add column lane uuid not null default '00000000-0000-0000-0000-000000000000';

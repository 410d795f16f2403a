-- A reconciliation reads the attempts of some days. They are written in the order of time, so ranges of pages are
-- enough, and no payment pays for it.
create index attempts_by_age on attempts using brin (created_at) with (autosummarize = on);

-- Deposits to virtual accounts are found again by the provider's own name of them.
create index inbox_deposits on inbox (org_id, provider, reference) where provider_status = 'deposit';

-- Entries from before the upgrade are sealed too. In a file of its own, so that no lock is held meanwhile.
insert into audit_unsealed (org_id, audit_id) select org_id, audit_id from audit_log on conflict do nothing;

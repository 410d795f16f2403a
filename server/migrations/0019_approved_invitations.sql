-- Who approved the invitation as a second person; null if nobody had to. Once an organisation has approval policies,
-- only an approved invitation gives a role that has a say over payouts.
alter table invitations add column approved_by text;

update invitations set approved_by = request.decided_by
  from change_requests request
  where request.org_id = invitations.org_id and request.kind = 'member.invite' and request.status = 'approved'
    and request.payload ->> 'email' = invitations.email and request.payload ->> 'role' = invitations.role
    and request.updated_at between invitations.created_at - interval '1 minute'
      and invitations.created_at + interval '1 minute';

-- hosted_only: payers enter their cards on the provider's page, and no card number may reach us.
alter table organizations
  add column cards text not null default 'allowed' check (cards in ('allowed', 'hosted_only'));

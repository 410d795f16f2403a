import type pg from 'pg'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { newId } from '../../../lib/ids.ts'
import type { Doors } from './stage-settings.ts'

/** Writes what the operator decides. An account is either retired or suspended, never both. */
export const openDoors = (owner: pg.Pool): Doors => ({
  openAccount: (provider, accountId) =>
    owner.query(
      'insert into provider_accounts (org_id, account_id, provider, label) values ($1, $2, $3, $3)',
      [installationOrgId, accountId, provider],
    ),
  async close(accountId, how) {
    if (how === 'retired') {
      await lift(owner, accountId)
      await owner.query(`update provider_accounts set status = 'retired' where account_id = $1`, [accountId])
    } else
      await owner.query(
        `insert into suspensions (org_id, suspension_id, kind, subject_id, reason, suspended_by, suspended_at)
         select $1, $2, 'provider_account', account_id::text, 'scripted', 'operator', now()
         from provider_accounts where account_id = $3 and status = 'active'
         on conflict do nothing`,
        [installationOrgId, newId(), accountId],
      )
  },
  reopen: (accountId) => lift(owner, accountId),
  match: (payment, status) => openMatch(owner, { ...payment, status }),
})

/** The payer of a payment resembles somebody on a list, or was found to be somebody else. */
export const openMatch = (
  owner: pg.Pool,
  { orgId, paymentId, status }: { orgId: string; paymentId: string; status: string },
): Promise<unknown> =>
  owner.query(
    `insert into sanctions_matches (org_id, match_id, subject_kind, subject_id, person_key, person_sealed, source,
       entry_id, entry, entry_fingerprint, version_id, score_permille, status, created_at, updated_at)
     values ($1, $2, 'payer', $3, '', '', 'un', 'scripted', '{}', '', $2, 900, $4, now(), now())
     on conflict (org_id, subject_kind, subject_id, source, entry_id) do update set status = excluded.status`,
    [orgId, newId(), paymentId, status],
  )

const lift = (owner: pg.Pool, accountId: string) =>
  owner.query(
    `update suspensions set lifted_at = now(), lifted_by = 'operator', lift_reason = 'scripted'
     where kind = 'provider_account' and subject_id = $1 and lifted_at is null`,
    [accountId],
  )

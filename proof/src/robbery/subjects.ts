import type { Pool } from 'pg'
import type { Claim } from './forge-webhook.ts'

export type Subject = Omit<Claim, 'provider' | 'outcome'> & { readonly provider: string }

type SubjectRow = {
  provider: string
  subject: Subject['subject']
  reference: string
  providerRef: string | null
  amountMinor: string
  currency: string
}

/** Recent attempts, refunds and legs. A thief may learn a reference from its provider, so the suite tells it all of them. */
export async function listSubjects(owner: Pool, orgIds: readonly string[]): Promise<Subject[]> {
  const { rows } = await owner.query<SubjectRow>(
    `select * from (
       select a.provider, case p.direction when 'inbound' then 'payin' else 'payout' end as subject, a.reference,
              a.provider_ref as "providerRef", a.created_at,
              case p.direction when 'inbound' then p.amount_minor else p.target_amount_minor end as "amountMinor",
              case p.direction when 'inbound' then p.currency else p.target_currency end as currency
       from attempts a join payments p using (org_id, payment_id) where a.org_id = any($1)
       union all
       select provider, 'refund', reference, provider_ref, created_at, amount_minor, currency
       from refunds where org_id = any($1)
       union all
       select provider, case kind when 'collection' then 'payin' else 'payout' end, reference, provider_ref, created_at,
              amount_minor, currency
       from ramp_legs where org_id = any($1)
     ) subjects order by created_at desc limit 60`,
    [orgIds],
  )
  return rows.map(({ amountMinor, ...row }) => ({ ...row, amountMinor: BigInt(amountMinor) }))
}

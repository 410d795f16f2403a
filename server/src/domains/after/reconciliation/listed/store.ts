import { sql } from 'kysely'
import type { ProviderTransaction } from '../../../../connectors/kit/lists.ts'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { ListedAttempt, ListedTransaction } from './record.ts'

/** Without a deposit, whose sender is personal data: a transaction of an attempt is none. */
const toStoredPart = ({ amount, deposit: _deposit, ...part }: ProviderTransaction) => ({
  ...part,
  amountMinor: amount.amountMinor.toString(),
  currency: amount.currency,
})
type StoredPart = Omit<ReturnType<typeof toStoredPart>, 'createdAt'> & { createdAt: string }

const toPart = ({ amountMinor, currency, createdAt, ...part }: StoredPart): ProviderTransaction => ({
  ...part,
  amount: { amountMinor: BigInt(amountMinor), currency },
  createdAt: new Date(createdAt),
})

export async function insertListed(
  tx: Tx,
  orgId: string,
  comparisonId: string,
  listed: readonly ListedTransaction[],
): Promise<void> {
  await sql`
    insert into listed_transactions
      (org_id, comparison_id, part_no, reference, attempt_org_id, provider_ref, verdict, part)
    select ${orgId}, ${comparisonId}, * from unnest(
      ${listed.map(({ partNo }) => partNo)}::integer[], ${listed.map(({ reference }) => reference)}::uuid[],
      ${listed.map((one) => one.orgId)}::uuid[], ${listed.map(({ part }) => part.providerRef)}::text[],
      ${listed.map(({ verdict }) => verdict)}::text[],
      ${listed.map(({ part }) => JSON.stringify(toStoredPart(part)))}::jsonb[]
    )`.execute(tx.db)
}

/** In the order of their references. The last one is complete: its transactions are not cut off by the limit. */
export async function selectListedAttempts(
  tx: Tx,
  orgId: string,
  page: { comparisonId: string; after: string; limit: number },
): Promise<ListedAttempt[]> {
  const ofComparison = sql`org_id = ${orgId} and comparison_id = ${page.comparisonId} and reference > ${page.after}`
  const { rows } = await sql<Omit<ListedAttempt, 'parts'> & { parts: StoredPart[] | null }>`
    with bound as (
      select reference from listed_transactions where ${ofComparison} order by reference offset ${page.limit - 1} limit 1
    ), attempt as (
      select reference, attempt_org_id, count(*)::integer as recorded,
             (count(*) filter (where verdict <> 'skipped'))::integer as compared, bool_or(verdict = 'differs') as differs
      from listed_transactions
      where ${ofComparison} and reference <= coalesce((select reference from bound), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      group by reference, attempt_org_id
    )
    select reference, attempt_org_id as "orgId", recorded, compared, case when differs or compared > 1 then (
      select jsonb_agg(part order by part_no) from listed_transactions one
      where org_id = ${orgId} and comparison_id = ${page.comparisonId}
        and one.reference = attempt.reference and verdict <> 'skipped'
    ) end as parts
    from attempt order by reference`.execute(tx.db)
  return rows.map((row) => ({ ...row, parts: row.parts && row.parts.map(toPart) }))
}

/** Our references, by the provider's. */
export async function selectListedReferences(
  tx: Tx,
  orgId: string,
  { comparisonId, providerRefs }: { comparisonId: string; providerRefs: readonly string[] },
): Promise<Map<string, string>> {
  if (providerRefs.length === 0) return new Map()
  const rows = await tx.db
    .selectFrom('listed_transactions')
    .select(['provider_ref', 'reference'])
    .where('org_id', '=', orgId)
    .where('comparison_id', '=', comparisonId)
    .where(sql<boolean>`provider_ref = any(${[...providerRefs]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.provider_ref, row.reference]))
}

/** In the order of the list, so that a statement does not step over what the one before has deleted. */
export async function deleteListed(
  tx: Tx,
  orgId: string,
  { comparisonId, from, to }: { comparisonId: string; from: number; to: number },
): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('listed_transactions')
    .where('org_id', '=', orgId)
    .where('comparison_id', '=', comparisonId)
    .where('part_no', '>=', from)
    .where('part_no', '<', to)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteLeftListed(
  tx: Tx,
  orgId: string,
  { before, limit }: { before: Date; limit: number },
): Promise<void> {
  await sql`
    delete from listed_transactions where (org_id, comparison_id, part_no) in (
      select org_id, comparison_id, part_no from listed_transactions
      where org_id = ${orgId} and created_at < ${before} limit ${limit}
    )`.execute(tx.db)
}

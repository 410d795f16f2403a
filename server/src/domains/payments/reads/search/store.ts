import { sql, type RawBuilder } from 'kysely'
import { and, startsWith, type Condition } from '../../../../kernel/db/conditions.ts'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { Source } from '../transactions/record.ts'
import type { QueuedPayment, SearchTerm, UnreadablePayment } from './record.ts'

/** So many matches of a prefix are considered; a text that has more is too short to find anything. */
export const prefixMatchesLimit = 1_000
/** The same for prefixes whose matches have to be looked up one by one. */
const lookupsLimit = 200

/** The newest first: a payment of today must not wait for older ones that are queued again. */
export async function selectQueuedAcrossOrgs(tx: Tx, limit: number): Promise<QueuedPayment[]> {
  const { rows } = await sql<QueuedPayment>`
    select p.org_id as "orgId", p.payment_id as "paymentId", p.country, p.private_sealed as "privateSealed",
      p.created_at as "createdAt"
    from (select org_id, payment_id from payment_search_queue where set_aside_at is null order by queued_at desc limit ${limit}) queued
    cross join lateral (
      select * from payments p where p.org_id = queued.org_id and p.payment_id = queued.payment_id offset 0) p`.execute(
    tx.db,
  )
  return rows
}

export async function insertTermsAcrossOrgs(tx: Tx, terms: readonly SearchTerm[]): Promise<void> {
  await sql`
    insert into payment_search_terms (org_id, term, created_at, payment_id)
    select * from unnest(${terms.map((one) => one.orgId)}::uuid[], ${terms.map((one) => String(one.term))}::bigint[],
      ${terms.map((one) => one.createdAt)}::timestamptz[], ${terms.map((one) => one.paymentId)}::uuid[])
    on conflict do nothing`.execute(tx.db)
}

export async function deleteQueuedAcrossOrgs(
  tx: Tx,
  payments: readonly Pick<QueuedPayment, 'orgId' | 'paymentId'>[],
): Promise<void> {
  await sql`
    delete from payment_search_queue queued
    using unnest(${payments.map((one) => one.orgId)}::uuid[], ${payments.map((one) => one.paymentId)}::uuid[])
      as done (org_id, payment_id)
    where queued.org_id = done.org_id and queued.payment_id = done.payment_id`.execute(tx.db)
}

export async function setAsideAcrossOrgs(tx: Tx, payments: readonly UnreadablePayment[]): Promise<void> {
  await sql`
    update payment_search_queue queued set set_aside_at = now(), set_aside_reason = unreadable.reason
    from unnest(${payments.map((one) => one.orgId)}::uuid[], ${payments.map((one) => one.paymentId)}::uuid[],
      ${payments.map((one) => one.reason)}::text[]) as unreadable (org_id, payment_id, reason)
    where queued.org_id = unreadable.org_id and queued.payment_id = unreadable.payment_id`.execute(tx.db)
}

export async function countSetAsideAcrossOrgs(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from payment_search_queue where set_aside_at is not null`.execute(tx.db)
  return rows[0]?.count ?? 0
}

export async function requeueSetAsideAcrossOrgs(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    update payment_search_queue set set_aside_at = null, set_aside_reason = null
    where set_aside_at is not null`.execute(tx.db)
  return Number(numAffectedRows ?? 0n)
}

export async function deleteTerms(tx: Tx, orgId: string, terms: readonly SearchTerm[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from payment_search_terms t
    using unnest(${terms.map((one) => String(one.term))}::bigint[], ${terms.map((one) => one.createdAt)}::timestamptz[],
      ${terms.map((one) => one.paymentId)}::uuid[]) as gone (term, created_at, payment_id)
    where t.org_id = ${orgId} and t.term = gone.term and t.created_at = gone.created_at
      and t.payment_id = gone.payment_id`.execute(tx.db)
  return Number(numAffectedRows ?? 0n)
}

type Prefix = Extract<Source, { kind: 'clientReferences' | 'providerReferences' | 'ids' | 'attemptIds' }>

/** The ids of the payments that match a prefix, and how many of them are considered. */
export function prefixMatches(orgId: string, source: Prefix): { ids: RawBuilder<unknown>; limit: number } {
  const ofPayments = (condition: Condition) =>
    sql`select p.payment_id from payments p where p.org_id = ${orgId} and ${condition}`
  const ofAttempts = (condition: Condition) =>
    sql`select p.payment_id from attempts p where p.org_id = ${orgId} and ${condition}`
  switch (source.kind) {
    case 'clientReferences':
      return { ids: ofPayments(startsWith('p.client_reference', source.prefix)), limit: prefixMatchesLimit }
    case 'providerReferences':
      return {
        ids: ofAttempts(and([startsWith('p.provider_ref', source.prefix), ...notOurs(source)])),
        limit: lookupsLimit,
      }
    case 'ids':
      return { ids: ofPayments(between('p.payment_id', source)), limit: lookupsLimit }
    case 'attemptIds':
      return {
        ids: ofAttempts(and([between('p.reference', source), ...ofOwnAccounts(source)])),
        limit: lookupsLimit,
      }
  }
}

/** Whoever can search for the beginnings of what they must not see finds it out, digit by digit. */
const ofOwnAccounts = ({ isOperators }: { isOperators: boolean }): Condition[] =>
  isOperators ? [] : [sql<boolean>`p.custody = 'own'`]

/** The ids of some providers are our references. */
const notOurs = ({ isOperators }: { isOperators: boolean }): Condition[] =>
  isOperators ? [] : [sql<boolean>`(p.custody = 'own' or p.provider_ref <> p.reference::text)`]

const isPrefix = (source: Source): source is Prefix =>
  ['clientReferences', 'providerReferences', 'ids', 'attemptIds'].includes(source.kind)

const between = (column: string, { low, high }: { low: string; high: string }): Condition =>
  sql<boolean>`${sql.ref(column)} >= ${low} and ${sql.ref(column)} <= ${high}`

/** Whether more payments match one of the prefixes than are considered. */
export async function hasMoreMatches(tx: Tx, orgId: string, sources: readonly Source[]): Promise<boolean> {
  const counted = sources.filter(isPrefix).map((source) => {
    const { ids, limit } = prefixMatches(orgId, source)
    return sql<boolean>`exists (${ids} offset ${limit} limit 1)`
  })
  const { rows } = await sql<{ isMore: boolean }>`
    select ${counted.length === 0 ? sql`false` : sql.join(counted, sql` or `)} as "isMore"`.execute(tx.db)
  return rows[0]?.isMore ?? false
}

/** Orders the terms from the rarest to the most common, counted up to a limit. */
export async function sortByRarity(tx: Tx, orgId: string, terms: readonly bigint[]): Promise<bigint[]> {
  const { rows } = await sql<{ term: bigint }>`
    select wanted.term from unnest(${terms.map(String)}::bigint[]) as wanted (term)
    cross join lateral (select count(*) as matches from (
      select from payment_search_terms t where t.org_id = ${orgId} and t.term = wanted.term limit 5000) matching) counted
    order by counted.matches`.execute(tx.db)
  return rows.map((row) => row.term)
}

export const termConditions = (orgId: string, [rarest, ...others]: readonly bigint[]): Condition[] => [
  sql<boolean>`p.term = ${String(rarest)}::bigint`,
  ...havingTerms(orgId, others),
]

export const havingTerms = (orgId: string, terms: readonly bigint[]): Condition[] =>
  terms.map(
    (term) => sql<boolean>`exists (
      select from payment_search_terms other where other.org_id = ${orgId} and other.term = ${String(term)}::bigint
        and other.created_at = p.created_at and other.payment_id = p.payment_id)`,
  )

/** The number of payments that have the term, counted up to the limit. */
export async function countTerm(
  tx: Tx,
  orgId: string,
  term: bigint | undefined,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ matches: number }>`
    select count(*)::int as matches from (
      select from payment_search_terms t where t.org_id = ${orgId} and t.term = ${String(term)}::bigint limit ${limit}) counted`.execute(
    tx.db,
  )
  return rows[0]?.matches ?? 0
}

/** The places of the facets' payments in the list, by an index alone. */
export const placesOf = (
  orgId: string,
  facets: readonly string[],
  conditions: readonly Condition[],
): RawBuilder<unknown> => sql`(
  select place.* from unnest(${[...facets]}::text[]) as wanted (facet) cross join lateral (
    select p.org_id, p.created_at, p.payment_id from payments p
    where p.org_id = ${orgId} and ${and([sql<boolean>`p.facet = wanted.facet collate "C"`, ...conditions])} offset 0) place)`

/** The number of payments of the facets, counted up to the limit. */
export async function countFacets(
  tx: Tx,
  orgId: string,
  facets: readonly string[],
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ matches: number }>`
    select count(*)::int as matches from (select from ${placesOf(orgId, facets, [])} place limit ${limit}) counted`.execute(
    tx.db,
  )
  return rows[0]?.matches ?? 0
}

export async function selectPaymentsWithTerm(
  tx: Tx,
  orgId: string,
  term: bigint,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ paymentId: string }>`
    select payment_id as "paymentId" from payment_search_terms
    where org_id = ${orgId} and term = ${String(term)}::bigint order by created_at limit ${limit}`.execute(
    tx.db,
  )
  return rows.map(({ paymentId }) => paymentId)
}

import { sql, type RawBuilder } from 'kysely'
import { and, startsWith, type Condition } from '../../../../kernel/db/conditions.ts'
import { beforePosition } from '../../../../kernel/db/keyset.ts'
import type { Tx } from '../../../../kernel/db/database.ts'
import type { Position } from '../../../../lib/requests/cursor.ts'
import { feeColumns } from '../fees/rules.ts'
import { havingTerms, placesOf, prefixMatches, prefixMatchesLimit, termConditions } from '../search/store.ts'
import type { Source, TransactionFilters, TransactionRow } from './record.ts'
import { hasRange, minorOf } from './rules.ts'

/** An organisation has some hundred; more cannot be merged in time. */
const facetsLimit = 5_000

/** Skips from each facet to the next by the index, so that the cost is that of the facets, not of the payments. */
export async function selectFacets(tx: Tx, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ facet: string }>`
    with recursive known as (
      (select facet from payments where org_id = ${orgId} order by facet limit 1)
      union all
      select (select p.facet from payments p where p.org_id = ${orgId} and p.facet > known.facet
        order by p.facet limit 1)
      from known where known.facet is not null)
    select facet from known where facet is not null limit ${facetsLimit}`.execute(tx.db)
  return rows.map((row) => row.facet)
}

/** The number of payments in the amount range, counted up to the limit. */
export async function countAmountRange(
  tx: Tx,
  orgId: string,
  filters: TransactionFilters,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ matches: number }>`
    select count(*)::int as matches from (
      select from payments p where p.org_id = ${orgId} and ${and(approximateRange(filters))} limit ${limit}) counted`.execute(
    tx.db,
  )
  return rows[0]?.matches ?? 0
}

const columns = [
  'payment_id',
  'org_id',
  'user_id',
  'on_behalf_of',
  'status',
  'direction',
  'payment_method',
  'country',
  'amount_minor',
  'currency',
  'target_amount_minor',
  'target_currency',
  'provider',
  'client_reference',
  'description',
  'beneficiary_id',
  'failure_code',
  'failure_message',
  'private_sealed',
  'erased_at',
  ...feeColumns,
  'created_at',
  'updated_at',
] as const

interface PageQuery {
  filters: TransactionFilters
  sources: readonly Source[]
  limit: number
  before: Position | undefined
}

export async function selectTransactions(tx: Tx, orgId: string, page: PageQuery): Promise<TransactionRow[]> {
  if (page.sources.length === 0) return []
  const found = sql.join(
    page.sources.map((source) => sql`(${fromSource(orgId, source, page)})`),
    sql` union `,
  )
  const { rows } = await sql<TransactionRow>`
    with page as (
      select created_at, payment_id from (${found}) found order by created_at desc, payment_id desc limit ${page.limit})
    select ${sql.join(columns.map((name) => sql.ref(`shown.${name}`)))}
    from page cross join lateral (
      select * from payments p where p.org_id = ${orgId} and p.payment_id = page.payment_id offset 0) shown
    order by page.created_at desc, page.payment_id desc`.execute(tx.db)
  return rows
}

/** The range by the index alone; `double precision` may let in a neighbour, which the exact range leaves out. */
function approximateRange(filters: TransactionFilters): Condition[] {
  const { min, max } = minorRange(filters)
  if (min !== undefined && min === max)
    return [sql<boolean>`p.currency = ${filters.currency}`, sql<boolean>`p.amount_approx = ${min}::float8`]
  return [
    sql<boolean>`p.currency = ${filters.currency}`,
    ...(min === undefined ? [] : [sql<boolean>`p.amount_approx >= ${min}::float8`]),
    ...(max === undefined ? [] : [sql<boolean>`p.amount_approx <= ${max}::float8`]),
  ]
}

function exactRange(filters: TransactionFilters): Condition[] {
  const { min, max } = minorRange(filters)
  return [
    ...(min === undefined ? [] : [sql<boolean>`p.amount_minor >= ${min}::numeric`]),
    ...(max === undefined ? [] : [sql<boolean>`p.amount_minor <= ${max}::numeric`]),
  ]
}

const minorRange = ({ currency = '', minAmount, maxAmount }: TransactionFilters) => ({
  min: minAmount === undefined ? undefined : minorOf(minAmount, currency),
  max: maxAmount === undefined ? undefined : minorOf(maxAmount, currency),
})

/** The conditions that the facet of an ended payment covers already. */
const facetConditions = (filters: TransactionFilters): Condition[] => {
  const equal = {
    direction: filters.direction,
    payment_method: filters.paymentMethod,
    country: filters.country,
    currency: filters.currency,
    provider: filters.provider,
  }
  return [
    ...(filters.statuses ? [sql<boolean>`p.status = any(${[...filters.statuses]}::text[])`] : []),
    ...Object.entries(equal).flatMap(([column, value]) =>
      value === undefined ? [] : [sql<boolean>`${sql.ref(`p.${column}`)} = ${value}`],
    ),
  ]
}

const otherConditions = (filters: TransactionFilters): Condition[] => [
  ...(filters.clientReference === undefined
    ? []
    : [sql<boolean>`p.client_reference collate "C" = ${filters.clientReference}`]),
  ...(filters.beneficiaryId === undefined ? [] : [sql<boolean>`p.beneficiary_id = ${filters.beneficiaryId}`]),
  ...(filters.updatedSince ? [sql<boolean>`p.updated_at >= ${filters.updatedSince}`] : []),
  ...(hasRange(filters) ? [...approximateRange(filters), ...exactRange(filters)] : []),
]

const placeConditions = (
  alias: string,
  { filters, before }: Pick<PageQuery, 'filters' | 'before'>,
  createdFrom?: Date,
): Condition[] => {
  const createdAt = sql.ref(`${alias}.created_at`)
  const since = [filters.from, createdFrom].filter((moment) => moment !== undefined)
  return [
    ...since.map((moment) => sql<boolean>`${createdAt} >= ${moment}`),
    ...(filters.to ? [sql<boolean>`${createdAt} < ${filters.to}`] : []),
    ...(before ? [beforePosition(`${alias}.created_at`, `${alias}.payment_id`, before)] : []),
  ]
}

/** Every source returns the places of its newest payments, at most as many as the page has. */
function fromSource(orgId: string, source: Source, page: PageQuery): RawBuilder<unknown> {
  switch (source.kind) {
    case 'walk':
      return newest(orgId, page, [
        ...facetConditions(page.filters),
        ...otherConditions(page.filters),
        ...placeConditions('p', page, source.createdFrom),
      ])
    case 'facets':
      return fromFacets(orgId, source, page)
    case 'amounts':
      return fromAmounts(orgId, source, page)
    case 'amountRange':
      return placed(orgId, page, { table: sql`payments`, conditions: approximateRange(page.filters) })
    case 'lateUpdates':
      return fromLateUpdates(orgId, source, page)
    case 'clientReferences':
      return placed(orgId, page, {
        table: sql`payments`,
        conditions: [startsWith('p.client_reference', source.prefix)],
        limit: prefixMatchesLimit,
      })
    case 'terms':
      return placed(
        orgId,
        page,
        source.facets
          ? { table: placesOf(orgId, source.facets, []), conditions: havingTerms(orgId, source.terms) }
          : { table: sql`payment_search_terms`, conditions: termConditions(orgId, source.terms) },
      )
    case 'ids':
    case 'attemptIds':
    case 'providerReferences':
      return byPrefix(orgId, page, source)
  }
}

const inListOrder = (alias: string) =>
  sql`order by ${sql.ref(`${alias}.created_at`)} desc, ${sql.ref(`${alias}.payment_id`)} desc`

const newest = (orgId: string, page: PageQuery, conditions: readonly Condition[]): RawBuilder<unknown> => sql`
  select p.created_at, p.payment_id from payments p where p.org_id = ${orgId} and ${and(conditions)}
  ${inListOrder('p')} limit ${page.limit}`

function fromFacets(
  orgId: string,
  source: Extract<Source, { kind: 'facets' }>,
  page: PageQuery,
): RawBuilder<unknown> {
  const others = [...otherConditions(page.filters), ...placeConditions('p', page, source.createdFrom)]
  const merge = (facets: readonly string[], conditions: readonly Condition[]) => sql`
    (select part.created_at, part.payment_id from unnest(${[...facets]}::text[]) as wanted (facet)
    cross join lateral (${newest(orgId, page, [sql<boolean>`p.facet = wanted.facet collate "C"`, ...conditions])}) part
    ${inListOrder('part')} limit ${page.limit})`
  const parts = [
    ...(source.ended.length > 0 ? [merge(source.ended, others)] : []),
    ...(source.open.length > 0 ? [merge(source.open, [...facetConditions(page.filters), ...others])] : []),
  ]
  return sql.join(parts, sql` union all `)
}

const fromAmounts = (
  orgId: string,
  { amounts }: Extract<Source, { kind: 'amounts' }>,
  page: PageQuery,
): RawBuilder<unknown> => sql`
  select part.created_at, part.payment_id
  from unnest(${amounts.map((one) => one.currency)}::text[], ${amounts.map((one) => one.minor)}::text[])
    as wanted (currency, minor)
  cross join lateral (${newest(orgId, page, [
    sql<boolean>`p.currency = wanted.currency and p.amount_approx = wanted.minor::float8`,
    sql<boolean>`p.amount_minor = wanted.minor::numeric`,
    ...facetConditions(page.filters),
    ...otherConditions(page.filters),
    ...placeConditions('p', page),
  ])}) part
  ${inListOrder('part')} limit ${page.limit}`

/** With facets, only theirs are read: a filter that none of the changed payments passes costs nothing. */
function fromLateUpdates(
  orgId: string,
  { createdBefore, facets }: Extract<Source, { kind: 'lateUpdates' }>,
  page: PageQuery,
): RawBuilder<unknown> {
  const isOld = sql<boolean>`p.created_at < ${createdBefore}`
  const isLate = sql<boolean>`p.late_update_at >= ${page.filters.updatedSince}`
  if (!facets) return placed(orgId, page, { table: sql`payments`, conditions: [isLate, isOld] })
  return placed(orgId, page, { table: placesOf(orgId, facets, [isLate]), conditions: [isOld] })
}

/**
 * Reads the places of all matches from an index alone, and the payments one by one, newest first, until the page is
 * full. `offset 0` keeps the planner from walking all payments to find an early match.
 */
const placed = (
  orgId: string,
  page: PageQuery,
  {
    table,
    conditions,
    limit,
  }: { table: RawBuilder<unknown>; conditions: readonly Condition[]; limit?: number },
): RawBuilder<unknown> => sql`
  select hit.created_at, hit.payment_id from (
    select p.created_at, p.payment_id from ${table} p
    where p.org_id = ${orgId} and ${and([...conditions, ...placeConditions('p', page)])}
    ${limit === undefined ? sql`` : sql`limit ${limit}`}) hit
  cross join lateral (
    select from payments p where p.org_id = ${orgId} and p.payment_id = hit.payment_id
      and ${and([...facetConditions(page.filters), ...otherConditions(page.filters)])} offset 0) kept
  ${inListOrder('hit')} limit ${page.limit}`

function byPrefix(
  orgId: string,
  page: PageQuery,
  source: Parameters<typeof prefixMatches>[1],
): RawBuilder<unknown> {
  const matches = prefixMatches(orgId, source)
  return sql`
    select kept.created_at, kept.payment_id
    from (select distinct payment_id from (${matches.ids} limit ${matches.limit}) matching) hit
    cross join lateral (
      select p.created_at, p.payment_id from payments p where p.org_id = ${orgId} and p.payment_id = hit.payment_id
        and ${and([...facetConditions(page.filters), ...otherConditions(page.filters), ...placeConditions('p', page)])}
      offset 0) kept
    ${inListOrder('kept')} limit ${page.limit}`
}

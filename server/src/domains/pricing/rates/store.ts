import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import { smallestCausedBy } from '../../../lib/ids.ts'
import type { LiveRate, MarketRate, Quote } from './record.ts'

export async function upsertMarketRatesAcrossOrgs(tx: Tx, rates: readonly MarketRate[]): Promise<void> {
  await tx.db
    .insertInto('market_rates')
    .values(
      rates.map((rate) => ({
        currency: rate.currency,
        per_usd: rate.perUsd,
        source: rate.source,
        as_of: rate.asOf,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('currency')
        .doUpdateSet({
          per_usd: sql`excluded.per_usd`,
          source: sql`excluded.source`,
          as_of: sql`excluded.as_of`,
        })
        .where(sql<boolean>`market_rates.as_of <= excluded.as_of`),
    )
    .execute()
}

export const selectMarketRatesAcrossOrgs = (tx: Tx): Promise<MarketRate[]> =>
  tx.db
    .selectFrom('market_rates')
    .select(['currency', 'per_usd as perUsd', 'source', 'as_of as asOf'])
    .execute()

interface PairRates {
  from: MarketRate
  to: MarketRate
}

export async function findPairAcrossOrgs(
  tx: Tx,
  pair: { from: string; to: string },
): Promise<PairRates | undefined> {
  const rates = await tx.db
    .selectFrom('market_rates')
    .select(['currency', 'per_usd as perUsd', 'source', 'as_of as asOf'])
    .where('currency', 'in', [pair.from, pair.to])
    .execute()
  const from = rates.find(({ currency }) => currency === pair.from)
  const to = rates.find(({ currency }) => currency === pair.to)
  return from && to && { from, to }
}

const quoteColumns = [
  'org_rate_id as orgRateId',
  'from_currency as fromCurrency',
  'to_currency as toCurrency',
  'rate',
  'source',
  'created_at as createdAt',
  'expires_at as expiresAt',
  sql<boolean>`expires_at <= money_clock()`.as('isExpired'),
  sql<boolean>`used_minor = 0`.as('isUnused'),
] as const

interface WantedQuote extends LiveRate {
  /** A new id; older partitions are not searched for a quote of the last seconds. */
  orgRateId: string
  isForPayers: boolean
}

/** A quote of the same rate that was made since then, and has all of its room. */
export const findSharedQuote = (
  tx: Tx,
  orgId: string,
  { orgRateId, ...wanted }: WantedQuote & { since: Date },
): Promise<Quote | undefined> =>
  tx.db
    .selectFrom('rate_quotes')
    .select(quoteColumns)
    .where('org_id', '=', orgId)
    .where('org_rate_id', '>=', smallestCausedBy(orgRateId))
    .where('from_currency', '=', wanted.fromCurrency)
    .where('to_currency', '=', wanted.toCurrency)
    .where('expires_at', '>', wanted.createdAt)
    .where('created_at', '>', wanted.since)
    .where('is_for_payers', '=', wanted.isForPayers)
    .where('used_minor', '=', '0')
    .where('rate', '=', sql<string>`${wanted.rate}::numeric(40, 18)`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Until the transaction ends no other one makes a quote of the pair for the organisation. */
export async function lockQuotes(
  tx: Tx,
  orgId: string,
  pair: { fromCurrency: string; toCurrency: string },
): Promise<void> {
  const key = `${orgId} quote ${pair.fromCurrency} ${pair.toCurrency}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx.db)
}

interface NewQuote extends WantedQuote {
  limitMinor: bigint
  pairLimitMinor: bigint
  expiresAt: Date
}

export const insertQuote = (tx: Tx, orgId: string, quote: NewQuote): Promise<Quote> =>
  tx.db
    .insertInto('rate_quotes')
    .values({
      org_id: orgId,
      org_rate_id: quote.orgRateId,
      from_currency: quote.fromCurrency,
      to_currency: quote.toCurrency,
      rate: quote.rate,
      source: quote.source,
      limit_minor: quote.limitMinor.toString(),
      pair_limit_minor: quote.pairLimitMinor.toString(),
      is_for_payers: quote.isForPayers,
      created_at: quote.createdAt,
      expires_at: quote.expiresAt,
    })
    .returning(quoteColumns)
    .executeTakeFirstOrThrow()

export const findQuote = (tx: Tx, orgId: string, orgRateId: string): Promise<Quote | undefined> =>
  tx.db
    .selectFrom('rate_quotes')
    .select(quoteColumns)
    .where('org_id', '=', orgId)
    .where('org_rate_id', '=', orgRateId)
    .executeTakeFirst()

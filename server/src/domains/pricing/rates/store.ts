import { sql } from 'kysely'
import type { Tx } from '../../../kernel/db/database.ts'
import type { MarketRate, Quote } from './record.ts'

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
] as const

export const insertQuote = (tx: Tx, orgId: string, quote: Omit<Quote, 'isExpired'>): Promise<Quote> =>
  tx.db
    .insertInto('rate_quotes')
    .values({
      org_id: orgId,
      org_rate_id: quote.orgRateId,
      from_currency: quote.fromCurrency,
      to_currency: quote.toCurrency,
      rate: quote.rate,
      source: quote.source,
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

import { z } from 'zod'
import { RateDecimal, toRate, wireRate } from '../../../lib/money/decimal.ts'
import { isCrypto, isFiat } from '../../../lib/money/money.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { LiveRate, Quote } from './record.ts'

const assetCode = z
  .string()
  .refine((code) => isFiat(code) || isCrypto(code), 'must be an ISO 4217 currency or a crypto asset code')
  .meta({ example: 'NGN' })

export const quoteQuery = z
  .object({ fromCurrency: assetCode, toCurrency: assetCode })
  .refine((query) => query.fromCurrency !== query.toCurrency, {
    path: ['toCurrency'],
    message: 'must differ from fromCurrency',
  })

export const quoteResponse = success(
  z
    .object({
      org_rate_id: uuid
        .nullable()
        .meta({ description: 'Null for members who can neither start nor approve payments.' }),
      fromCurrency: z.string(),
      toCurrency: z.string(),
      rate: wireDecimal,
      inverse_rate: wireDecimal,
      source: z.string(),
      created_at: dateTime,
      expires_at: dateTime.nullable().meta({ description: 'Null without an `org_rate_id`.' }),
    })
    .meta({ id: 'ExchangeRate' }),
)

export const toQuoteResponse = (quote: Quote | LiveRate): z.input<typeof quoteResponse> => {
  const rate = toRate(quote.rate)
  const locked = 'orgRateId' in quote ? quote : undefined
  const message = locked
    ? 'The rate is locked for you until it expires.'
    : 'The rate of this moment. It is not locked, because you can neither start nor approve payments.'
  return ok(message, {
    org_rate_id: locked?.orgRateId ?? null,
    fromCurrency: quote.fromCurrency,
    toCurrency: quote.toCurrency,
    rate: wireRate(rate),
    inverse_rate: wireRate(new RateDecimal(1).div(rate)),
    source: quote.source,
    created_at: quote.createdAt.toISOString(),
    expires_at: locked?.expiresAt.toISOString() ?? null,
  })
}

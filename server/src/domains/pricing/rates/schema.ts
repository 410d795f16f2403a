import { z } from 'zod'
import { RateDecimal, toRate, wireRate } from '../../../lib/money/decimal.ts'
import { isCrypto, isFiat } from '../../../lib/money/money.ts'
import { dateTime, ok, success, uuid, wireDecimal } from '../../../lib/requests/wire.ts'
import type { Quote } from './record.ts'

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
      org_rate_id: uuid,
      fromCurrency: z.string(),
      toCurrency: z.string(),
      rate: wireDecimal,
      inverse_rate: wireDecimal,
      source: z.string(),
      created_at: dateTime,
      expires_at: dateTime,
    })
    .meta({ id: 'ExchangeRate' }),
)

export const toQuoteResponse = (quote: Quote): z.input<typeof quoteResponse> => {
  const rate = toRate(quote.rate)
  return ok('The rate is locked for you until it expires.', {
    org_rate_id: quote.orgRateId,
    fromCurrency: quote.fromCurrency,
    toCurrency: quote.toCurrency,
    rate: wireRate(rate),
    inverse_rate: wireRate(new RateDecimal(1).div(rate)),
    source: quote.source,
    created_at: quote.createdAt.toISOString(),
    expires_at: quote.expiresAt.toISOString(),
  })
}

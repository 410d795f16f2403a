import { AppError } from '../../../lib/errors.ts'
import { formatMinor, type Money } from '../../../lib/money/money.ts'
import type { Quote } from './record.ts'

export const unknownPair = (from: string, to: string): AppError =>
  new AppError('NOT_FOUND', 404, `There is no rate from ${from} to ${to}. Check both currency codes.`)

export const ratesTooOld = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 503, 'Rates are out of date at the moment. Try again shortly.', {
    retryAfterSeconds: 30,
  })

/** For an approval: the payment waits, and the approver decides about the new rate. */
export const rateExpired = ({ rate, fromCurrency, toCurrency, orgRateId }: Quote): AppError =>
  new AppError(
    'RATE_MISMATCH',
    409,
    `The locked rate has expired. The rate from ${fromCurrency} to ${toCurrency} is ${rate} now. To accept it, approve with org_rate_id ${orgRateId}.`,
    { details: [{ path: 'org_rate_id', message: orgRateId }] },
  )

export const rateMismatch = (why: string, cause?: unknown): AppError =>
  new AppError('RATE_MISMATCH', 400, `${why} Fetch a new rate and send its org_rate_id.`, { cause })

const usedUpCodes = { SY074: 'quote', SY075: 'pair' } as const

/** The refusal of a payment for which a locked rate, or its pair, has no room left; others are returned as they are. */
export function asUsedUp(error: unknown, source: Money): unknown {
  if (!(error instanceof Error && 'code' in error && 'detail' in error)) return error
  const { code, detail } = error
  if (typeof code !== 'string' || !(code in usedUpCodes)) return error
  const room = JSON.parse(String(detail)) as { limit: string; left: string } // written by count_rate_use
  const format = (minor: string): string =>
    `${formatMinor(BigInt(minor), source.currency)} ${source.currency}`
  const isOfQuote = usedUpCodes[code as keyof typeof usedUpCodes] === 'quote' // one of its keys
  if (isOfQuote && source.amountMinor <= BigInt(room.limit))
    return rateMismatch(
      `Payments may use ${format(room.limit)} of one locked rate, of which ${format(room.left)} is left.`,
      error,
    )
  const why = isOfQuote
    ? `One locked rate covers at most ${format(room.limit)}.`
    : `Your organisation may exchange ${format(room.limit)} from ${source.currency} at rates that are valid at the same time, of which ${format(room.left)} is left. It is more once they have expired.`
  return new AppError('EXCHANGE_LIMIT', 422, `${why} Nothing was sent. Send less, or ask the operator.`, {
    cause: error,
    details: [{ path: 'amount', message: why }],
  })
}

import { AppError } from '../../../lib/errors.ts'
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

export const rateMismatch = (why: string): AppError =>
  new AppError('RATE_MISMATCH', 400, `${why} Fetch a new rate and send its org_rate_id.`)

import { AppError } from '../../lib/errors.ts'

export const unknownPair = (from: string, to: string): AppError =>
  new AppError('NOT_FOUND', 404, `There is no rate from ${from} to ${to}. Check both currency codes.`)

export const ratesTooOld = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 503, 'Rates are out of date at the moment. Try again shortly.', {
    retryAfterSeconds: 30,
  })

export const rateMismatch = (why: string): AppError =>
  new AppError('RATE_MISMATCH', 400, `${why} Fetch a new rate and send its org_rate_id.`)

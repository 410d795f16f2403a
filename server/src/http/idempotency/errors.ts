import { AppError } from '../../lib/errors.ts'

export const keyUsedForAnotherRequest = (): AppError =>
  new AppError(
    'IDEMPOTENCY_CONFLICT',
    409,
    'This Idempotency-Key was used with another request. Use a new key.',
  )

export const firstCallUnfinished = (): AppError =>
  new AppError(
    'IDEMPOTENCY_IN_PROGRESS',
    409,
    'The first call with this Idempotency-Key has not finished, or it failed on our side. Repeat the request in a few seconds; if this stays, look the resource up before you send it under a new key.',
    { retryAfterSeconds: 2 },
  )

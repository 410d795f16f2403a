import { AppError } from '../../../lib/errors.ts'

/** The engine retries: another worker holds the claim, or has crashed while holding it. */
export const notificationInProgress = (): AppError =>
  new AppError('NOTIFICATION_IN_PROGRESS', 503, 'The notification is being sent.')

export const mailLimitReached = (
  whose: string,
  limit: { mails: number; period: string },
  retryAfterMs: number,
): AppError =>
  new AppError(
    'RATE_LIMITED',
    429,
    `${whose} has reached the limit of ${limit.mails} mails ${limit.period}. Nothing was sent; try again later.`,
    { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) },
  )

import { AppError } from '../../lib/errors.ts'

/** The engine retries: another worker holds the claim, or has crashed while holding it. */
export const notificationInProgress = (): AppError =>
  new AppError('NOTIFICATION_IN_PROGRESS', 503, 'The notification is being sent.')

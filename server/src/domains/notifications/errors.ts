import { AppError } from '../../lib/errors.ts'

/** Retried by the engine: another worker holds the claim, or held it and is gone. */
export const notificationInProgress = (): AppError =>
  new AppError('NOTIFICATION_IN_PROGRESS', 503, 'The notification is being sent.')

import { AppError, conflict, unauthorized, unavailable, validationError } from '../../../lib/errors.ts'

/** Not a 503, which would invite retries although nothing changes until the operator acts. */
export const kybNotSetUp = (): AppError =>
  new AppError('NOT_FOUND', 404, 'This installation has no KYB provider. Ask its operator to set one up.')

export const kybUnavailable = (): AppError =>
  unavailable('The KYB provider did not answer. Try again shortly; retrying is safe.')

export const kybRefused = (): AppError =>
  validationError(
    'The KYB provider refused the application. Check the company, the people and the documents.',
  )

export const kybInProgress = (status: string): AppError =>
  conflict(`The verification is ${status}. It can only be started again after a rejection.`)

export const kybRejectedForGood = (): AppError =>
  conflict('The verification was rejected permanently. Contact the operator of this installation.')

export const forgedKybWebhook = (): AppError => unauthorized('The signature of this webhook is not valid.')

export const unreadableKybWebhook = (): AppError =>
  validationError('The body of this webhook could not be read.')

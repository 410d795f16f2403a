import { AppError, conflict, unauthorized, unavailable, validationError } from '../../lib/errors.ts'

/** Not a 503, which would invite retries although nothing changes until the operator acts. */
export const kybNotSetUp = (): AppError =>
  new AppError('NOT_FOUND', 404, 'This installation has no KYB provider. Ask its operator to set one up.')

export const kybUnavailable = (): AppError =>
  unavailable('The KYB provider did not answer. Try again shortly; nothing is started twice.')

export const kybRefused = (): AppError =>
  validationError('The KYB provider refused what was sent. Check the company, the people and the documents.')

export const kybUnderWay = (status: string): AppError =>
  conflict(`The verification is ${status}. It can be started again only if it is rejected.`)

export const kybRejectedForGood = (): AppError =>
  conflict('The verification was rejected for good. Ask the operator of this installation.')

export const forgedKybWebhook = (): AppError => unauthorized('The signature of this webhook is not valid.')

export const unreadableKybWebhook = (): AppError =>
  validationError('The body of this webhook could not be read.')

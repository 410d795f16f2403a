import { AppError, conflict, forbidden, notFound, unauthorized } from '../../../lib/errors.ts'

export const sessionOver = (): AppError => unauthorized('Your session has ended. Sign in again.')

export const signInDisabled = (): AppError =>
  new AppError(
    'NOT_FOUND',
    404,
    'Nobody can sign in to this installation: its operator has not set OIDC_CLIENT_ID.',
  )

/** Another tab of the same browser may have switched the organisation. */
export const otherOrganization = (): AppError =>
  conflict('Your session is for another organisation than the page that you are on. Reload the page.')

export const notAMember = (): AppError => forbidden('You are not a member of this organisation.')

export const noSuchSession = (): AppError => notFound('The session')

import { AppError, conflict, forbidden } from '../../../../lib/errors.ts'

export const alreadyInvited = (): AppError =>
  conflict('This address has already been invited. Revoke that invitation first, or wait until it expires.')

export const alreadyAMember = (): AppError =>
  conflict('A member of the organisation already has this address.')

export const invitationOver = (status: string): AppError =>
  conflict(`The invitation is ${status}. Ask an administrator for a new one.`)

export const invitationOfAnother = (): AppError =>
  forbidden('The invitation was sent to another address than your token’s. Sign in with the invited address.')

export const approvalMissing = (): AppError =>
  conflict(
    'The invitation is older than the rule that a second person approves members with this role. Ask an administrator to revoke it and to invite you again.',
  )

export const addressNotVerified = (): AppError =>
  forbidden(
    'Your token has no email address that the identity provider has verified. Verify it there and sign in again.',
  )

export const personNeeded = (): AppError =>
  new AppError('UNAUTHORIZED', 401, 'An invitation is accepted by a person: send a Bearer token, no API key.')

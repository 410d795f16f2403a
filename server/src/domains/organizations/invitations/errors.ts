import { AppError, conflict, forbidden } from '../../../lib/errors.ts'

export const alreadyInvited = (): AppError =>
  conflict('This address is invited already. Revoke that invitation first, or wait until it expires.')

export const alreadyAMember = (): AppError =>
  conflict('A member of the organisation has this address already.')

export const invitationOver = (status: string): AppError =>
  conflict(`The invitation is ${status}. Ask an administrator for a new one.`)

export const invitationOfAnother = (): AppError =>
  forbidden('The invitation went to another address than the one of your token. Sign in with that one.')

export const personNeeded = (): AppError =>
  new AppError('UNAUTHORIZED', 401, 'An invitation is accepted by a person: send a Bearer token, no API key.')

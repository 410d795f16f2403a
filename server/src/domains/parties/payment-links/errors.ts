import { conflict, validationError, type AppError } from '../../../lib/errors.ts'
import type { LinkStatus } from './rules.ts'

export const linkEnded = (status: LinkStatus): AppError =>
  conflict(`The payment link is ${status} and cannot be changed. Create a new one.`)

export const linkBeingPaid = (): AppError =>
  conflict('A customer is paying this link. Cancel that payment first, or wait for its outcome.')

export const linkChanged = (): AppError =>
  conflict('The payment link was changed at the same time. Fetch it and try again.')

export const badExpiry = (message: string): AppError =>
  validationError(`expires_at: ${message}.`, [{ path: 'expires_at', message }])

export const refusedReturnUrl = (): AppError =>
  validationError(
    'return_url: must be https, without credentials, on a host that your organisation allows.',
    [{ path: 'return_url', message: 'is not on a host that your organisation allows' }],
  )

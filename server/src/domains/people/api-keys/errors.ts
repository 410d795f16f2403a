import { conflict, forbidden, type AppError } from '../../../lib/errors.ts'

export const scopeBeyondYours = (scope: string): AppError =>
  forbidden(`A key cannot hold ${scope}: you do not hold it yourself.`)

export const keyOfAnotherMember = (): AppError =>
  forbidden('Only its owner can rotate a key, because a key acts as its owner. Revoke it instead.')

export const keyNotActive = (): AppError =>
  conflict('The key has been revoked, replaced or has expired. Create a new one.')

export const keyOutlivesYours = (expiresAt: Date): AppError =>
  forbidden(
    `A key cannot outlive the key that you use, which expires at ${expiresAt.toISOString()}. Choose an earlier end, or sign in.`,
  )

export const addressNotAllowed = (address: string): AppError =>
  forbidden(
    `This key may not be used from the address ${address}. Use it from one of its allowed_ips, or make another key.`,
  )

export const addressBeyondYours = (): AppError =>
  forbidden('A key cannot be used from more addresses than the key that you use. Name fewer, or sign in.')

export const tooManyKeys = (limit: number): AppError =>
  conflict(`You have ${limit} working keys, which is the most. Revoke one that you no longer need.`)

export const keyWiderThanYours = (): AppError =>
  forbidden('Your key has fewer scopes than the one to rotate. Use that key itself, or sign in.')

export const keySuspended = (): AppError =>
  conflict('The operator has suspended the key. Create a new one, or ask the operator.')

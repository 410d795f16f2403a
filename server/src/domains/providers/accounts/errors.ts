import { conflict, forbidden, notFound, type AppError } from '../../../lib/errors.ts'
import type { ProviderAccount } from './record.ts'

export const noSuchAccount = (): AppError => notFound('The provider account')

export const severalAccounts = (provider: string): AppError =>
  conflict(
    `There are several active accounts at ${provider}. Name one: PUT /v1/payments/provider-accounts/{account_id}/credentials.`,
  )

export const severalToCheck = (provider: string): AppError =>
  conflict(`There are several active accounts at ${provider}. Name one by account_id.`)

export const otherAccount = (provider: string): AppError =>
  conflict(
    `These keys belong to another account at ${provider}: add it with POST /v1/payments/provider-accounts, and retire the old one.`,
  )

export const changedMeanwhile = (): AppError =>
  conflict('The accounts at this provider changed at the same moment. Look at them and try again.')

export const urlNotAllowed = (path: string): AppError =>
  forbidden(`${path} can only be set by the operator. Leave it out to use the provider’s default URL.`)

/** A message of one account about a payment of another one is recorded and raised, never applied. */
export const messageFromOther = (
  account: Pick<ProviderAccount, 'accountId' | 'provider'>,
  reference: string,
) => ({
  kind: 'message_from_other_account' as const,
  paymentId: null,
  provider: account.provider,
  findingKey: `message_from_other_account ${account.accountId} ${reference}`,
  summary: `${account.provider} sent a message to the address of account ${account.accountId} about ${reference}, which another account carries. It was not applied.`,
})

import type { z } from 'zod'
import type { ProviderDeposit } from '../kit/accounts.ts'
import type { Method } from '../kit/connector.ts'
import { parseAnswer } from '../kit/parse-answer.ts'
import { readData } from '../kit/replies.ts'
import { customerSchema, dedicatedAccountSchema, depositEventSchema, type depositSchema } from './answers.ts'
import type { PaystackClient, PaystackCredentials } from './client.ts'

/** Paystack opens dedicated accounts only in naira. */
export const accountCurrencies = ['NGN'] as const

/**
 * Paystack identifies a customer by e-mail address and opens one account for each, so an address made from our
 * reference returns the same account again.
 */
export const openAccount =
  (client: PaystackClient, credentials: PaystackCredentials): Method<'openAccount'> =>
  async ({ reference, name }) => {
    const email = `${reference}@${credentials.customerEmailDomain}`
    const customer = await client('/customer', { email, first_name: name, last_name: 'Account' })
    const known = readData(customer, customerSchema)
    if (!known) return { kind: 'refused', reason: 'no customer was created' }
    const reply = await client('/dedicated_account', {
      customer: known.customer_code,
      ...(credentials.preferredBank !== undefined && { preferred_bank: credentials.preferredBank }),
    })
    const opened = readData(reply, dedicatedAccountSchema)
    if (!opened) return { kind: 'refused', reason: 'no account was opened' }
    const { account_number: accountNumber, account_name: accountName, bank } = opened
    return { kind: 'opened', account: { accountNumber, accountName, bankName: bank.name } }
  }

/** A deposit is a `charge.success` with the channel `dedicated_nuban`. */
export function readDeposits(rawBody: Buffer): ProviderDeposit[] {
  const deposit = depositOf(parseAnswer(rawBody.toString('utf8'), depositEventSchema)?.data)
  return deposit ? [deposit] : []
}

/** A deposit in a webhook and in the list is read alike, so that both have the same dedupe key. */
export function depositOf(data: z.infer<typeof depositSchema> | undefined): ProviderDeposit | undefined {
  const { authorization, metadata } = data ?? {}
  const accountNumber = authorization?.receiver_bank_account_number ?? metadata?.receiver_account_number
  if (!data || !accountNumber) return undefined
  return {
    dedupeKey: `deposit:${data.id}:${data.reference}`,
    providerRef: data.reference,
    accountNumber,
    amount: { amountMinor: data.amount, currency: data.currency },
    sender: {
      name: authorization?.sender_name ?? undefined,
      accountNumber: authorization?.sender_bank_account_number ?? undefined,
      bankName: authorization?.sender_bank ?? undefined,
    },
    description: authorization?.narration ?? undefined,
  }
}

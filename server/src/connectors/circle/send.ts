import type { Attempt, Inquiry, Outcome, Payee, RefundRequest } from '../kit/connector.ts'
import { declined } from '../kit/reasons.ts'
import { readData } from '../kit/replies.ts'
import type { Money } from '../../lib/money/money.ts'
import { recipientSchema } from './answers.ts'
import { linkedPayee, linkRequest } from './bank-accounts.ts'
import { keyOf, paths, readAll, type CircleClient } from './client.ts'
import type { Parts } from './collect.ts'
import { beforeMoving, circleCurrency, inquiryOf, outcomeOf, sentOf, wireMoney } from './mapping.ts'

export async function payBank(parts: Parts, attempt: Attempt, payee: Payee): Promise<Outcome> {
  const request = linkRequest(parts.credentials, payee.name, payee.bankAccount, attempt.country)
  if (!request) return declined('ACCOUNT_INVALID', 'final')
  const linked = await linkedPayee(parts.client, request)
  return 'kind' in linked ? linked : sendPayout(parts, linked.id, attempt)
}

/** Circle cannot return a wire, so a refund is a payout to the payer's account. */
export async function refundWire(parts: Parts, attempt: Attempt, refund: RefundRequest): Promise<Outcome> {
  const { method, providerRef, amount } = attempt
  if (method !== 'bank_transfer' || providerRef === null || refund.amount.amountMinor > amount.amountMinor)
    return declined('NOT_REFUNDABLE', 'final')
  return sendPayout(parts, providerRef, refund)
}

async function sendPayout(
  { client, credentials }: Parts,
  id: string,
  { reference, amount }: { reference: string; amount: Money },
): Promise<Outcome> {
  const type = credentials.payoutTypes[amount.currency]
  if (type === undefined) return declined('CURRENCY_NOT_SUPPORTED')
  const body = { idempotencyKey: reference, destination: { type, id }, amount: wireMoney(amount) }
  return outcomeOf(await client(paths.payouts, body), (data) => sentOf(data, amount))
}

export async function payWallet(parts: Parts, attempt: Attempt, { wallet }: Payee): Promise<Outcome> {
  const { client, credentials } = parts
  const { amount, reference } = attempt
  const chain = wallet && credentials.networks[amount.currency]?.[wallet.network]
  if (!wallet || chain === undefined) return declined('NETWORK_NOT_SUPPORTED')
  const currency = circleCurrency(amount.currency)
  const recipient = await activeRecipient(client, { address: wallet.address, chain, currency })
  if ('kind' in recipient) return recipient
  const destination = { type: 'verified_blockchain', addressId: recipient.id }
  const body = { idempotencyKey: reference, destination, amount: wireMoney(amount) }
  return outcomeOf(await client(paths.transfers, body), (data) => sentOf(data, amount))
}

/** Circle sends only to registered addresses, and only once they are cleared. */
async function activeRecipient(
  client: CircleClient,
  wanted: { address: string; chain: string; currency: string },
): Promise<{ id: string } | Outcome> {
  const request = { ...wanted, description: 'Switchyard' }
  const body = { idempotencyKey: keyOf(paths.recipients, request), ...request }
  const reply = await client(paths.recipients, body)
  const added = readData(reply, recipientSchema)
  if (added?.status === 'active') return added
  // The address may be registered with another key, or the answer may show its initial state.
  const isInBook = added !== undefined || (reply.kind === 'refused' && reply.status === 409)
  if (!isInBook) return beforeMoving(outcomeOf(reply, () => undefined))
  const book = await readAll(client, paths.recipients, recipientSchema)
  const known = book?.find(({ address, chain }) => address === wanted.address && chain === wanted.chain)
  return known?.status === 'active' ? known : { kind: 'not_sent', reason: 'the address is not cleared yet' }
}

export const inquireSent = async (client: CircleClient, path: string, amount: Money): Promise<Inquiry> =>
  inquiryOf(await client(path), (data) => sentOf(data, amount))

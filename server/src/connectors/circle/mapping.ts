import type { AcceptedOutcome, Attempt, Outcome } from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { failureOf, type FailureCode } from '../kit/failures.ts'
import { declined } from '../kit/reasons.ts'
import { createReplyReader, type RefusedReply } from '../kit/replies.ts'
import { formatMinor, parseMinor, type Money } from '../../lib/money/money.ts'
import { trimDecimals } from '../../lib/text/trim.ts'
import { movementSchema, type Movement } from './answers.ts'

/** Circle also writes USD for USDC, and EUR for EURC. */
const currencies: Readonly<Record<string, string>> = { USDC: 'USD', EURC: 'EUR' }
export const circleCurrency = (currency: string): string => currencies[currency] ?? currency

const codes: Readonly<Record<string, FailureCode>> = {
  insufficient_funds: 'PROVIDER_OUT_OF_FUNDS',
  transaction_denied: 'SUSPECTED_FRAUD',
  transfer_denied: 'SUSPECTED_FRAUD',
  transaction_returned: 'REVERSED',
  fiat_account_limit_exceeded: 'ACCOUNT_LIMIT_REACHED',
  invalid_bank_account_number: 'ACCOUNT_INVALID',
  invalid_ach_rtn: 'ACCOUNT_INVALID',
  invalid_wire_rtn: 'ACCOUNT_INVALID',
  vendor_inactive: 'PROVIDER_UNAVAILABLE',
}

/** An unknown status is never final, and a `blockchain_error` leaves the result on the chain open. */
export function stateOf({ status, errorCode }: Movement): ProviderState {
  if (status === 'returned') return { state: 'failed', failure: failureOf('REVERSED') }
  if (status === 'complete') return { state: 'completed' }
  if (status !== 'failed' || errorCode === 'blockchain_error') return { state: 'processing' }
  return { state: 'failed', failure: failureOf(codes[errorCode ?? ''] ?? 'UNSPECIFIED') }
}

/** At least two decimals, and as many as the amount has. */
export const wireMoney = ({ amountMinor, currency }: Money) => ({
  amount: trimDecimals(formatMinor(amountMinor, currency), 2),
  currency: circleCurrency(currency),
})

/** Undefined if the answer concerns something else. */
export function readMoney({ amount }: Movement, currency: string): Money | undefined {
  const isSame = amount.currency === circleCurrency(currency)
  const amountMinor = isSame ? parseMinor(amount.amount, currency) : undefined
  return amountMinor === undefined ? undefined : { amountMinor, currency }
}

/** The deposit address. Assets may share one, and so may customers if it has a tag. */
export const placeOf = (address: string, tag: string | null | undefined, currency: string): string =>
  [/^0x/i.test(address) ? address.toLowerCase() : address, ...(tag ? [tag] : []), currency].join('/')

export const isFromChain = ({ source }: Movement): boolean => source?.type === 'blockchain'

/** Our provider reference: the account or address opened for a deposit, or Circle's id of what we sent. */
export function nameOf(movement: Movement): string {
  const { id, source, destination, amount } = movement
  if (isFromChain(movement) && destination?.address)
    return placeOf(destination.address, destination.addressTag, amount.currency)
  return source?.type === 'wire' && source.id ? source.id : id
}

/** The sum of a payment's deposits so far. */
export function arrivalsOf(
  { amount: wanted }: Attempt,
  providerRef: string,
  parts: readonly Movement[],
): AcceptedOutcome | undefined {
  let amountMinor = 0n
  for (const part of parts) {
    const money = readMoney(part, wanted.currency)
    if (!money) return undefined
    if (part.status === 'complete') amountMinor += money.amountMinor
  }
  const received = { amountMinor, currency: wanted.currency }
  const base = { kind: 'accepted', providerRef, received } as const
  if (amountMinor >= wanted.amountMinor)
    return { ...base, amount: received, providerStatus: 'complete', state: { state: 'completed' } }
  if (parts.some((part) => stateOf(part).state === 'processing'))
    return { ...base, providerStatus: 'pending', state: { state: 'processing' } }
  return parts[0] && parts.every(({ status }) => status === 'failed')
    ? { ...base, providerStatus: 'failed', state: stateOf(parts[0]) }
    : { ...base, providerStatus: 'awaiting_funds', state: { state: 'pending' } }
}

export function sentOf(data: unknown, wanted: Money): AcceptedOutcome | undefined {
  const movement = movementSchema.safeParse(data).data
  const amount = movement && readMoney(movement, wanted.currency)
  if (!amount) return undefined
  const { id: providerRef, status: providerStatus } = movement
  return { kind: 'accepted', providerRef, providerStatus, state: stateOf(movement), amount }
}

/** Only these statuses are refusals; 409 and 429 leave the payment's state open. */
function refusalOf({ status, words }: RefusedReply): Outcome {
  if (status === 401 || status === 403) return declined('PROVIDER_REFUSED')
  if (status !== 400 && status !== 404) return { kind: 'unknown', reason: `HTTP ${status}` }
  const text = words.join(' ')
  if (/insufficient/i.test(text)) return declined('PROVIDER_OUT_OF_FUNDS')
  if (/\baddress\b/i.test(text)) return declined('ADDRESS_INVALID', 'final')
  if (/accountNumber|routingNumber|iban/i.test(text)) return declined('ACCOUNT_INVALID', 'final')
  return declined(/amount/i.test(text) ? 'AMOUNT_NOT_ALLOWED' : 'PROVIDER_REFUSED')
}

/** An id that Circle issued and no longer knows does not prove that nothing moved. */
const reader = createReplyReader({ refusalOf, isNotFound: () => false })
export const { inquiryOf } = reader

/** A failed payment was accepted before, so a repeat that finds it is not a refusal. */
export const outcomeOf: typeof reader.outcomeOf = (reply, read) =>
  (reply.kind === 'handled' ? read(reply.data) : undefined) ?? reader.outcomeOf(reply, read)

/** A preparatory call moves no money, so its unknown outcome is `not_sent`. */
export const beforeMoving = (outcome: Outcome): Outcome =>
  outcome.kind === 'unknown' ? { kind: 'not_sent', reason: outcome.reason } : outcome

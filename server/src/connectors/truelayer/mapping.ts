import type { Attempt, Outcome } from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { failureOf } from '../kit/failures.ts'
import { declined, refusalTable } from '../kit/reasons.ts'
import { createReplyReader, type Reading, type RefusedReply } from '../kit/replies.ts'
import { isSameMoney } from '../../lib/money/money.ts'
import { createdPaymentSchema, createdSchema, movementSchema } from './answers.ts'

/** Failure reasons. The documented lists are incomplete. */
const reasons = refusalTable([
  ['ACCOUNT_INVALID', 'final', 'invalid_iban invalid_sort_code invalid_sort_code_account_number'],
  ['ACCOUNT_INVALID', 'final', 'invalid_account_number invalid_account_holder_name invalid_beneficiary'],
  ['EXPIRED', 'final', 'expired authorization_timeout'],
  ['INSUFFICIENT_FUNDS', 'final', 'insufficient_funds'],
  ['NOT_APPROVED', 'final', 'rejected authorization_failed user_canceled_at_provider provider_rejected'],
  ['PROVIDER_UNAVAILABLE', 'fallback', 'provider_error provider_expired scheme_unavailable'],
  ['REVERSED', 'final', 'returned reversed'],
  ['SUSPECTED_FRAUD', 'final', 'blocked mandate_revoked'],
])

type Kind = Attempt['direction'] | 'refund'

const payinStates: Readonly<Record<string, 'pending' | 'processing' | 'completed'>> = {
  authorization_required: 'pending',
  authorizing: 'pending',
  attempt_failed: 'pending',
  settled: 'completed',
}

/** A payment is completed when it is settled, a payout when it is executed. */
export function stateOf(kind: Kind, status: string, reason: string | null | undefined): ProviderState {
  if (status === 'reversed') return { state: 'failed', failure: failureOf('REVERSED') }
  if (status === 'failed' && reason === 'canceled') return { state: 'canceled' }
  if (status === 'failed') {
    const [code] = reasons.get(reason ?? '') ?? ['UNSPECIFIED' as const]
    const isOurs = kind !== 'payin' && code === 'INSUFFICIENT_FUNDS'
    return { state: 'failed', failure: failureOf(isOurs ? 'PROVIDER_OUT_OF_FUNDS' : code) }
  }
  if (kind === 'payin') return { state: payinStates[status] ?? 'processing' }
  return { state: status === 'executed' ? 'completed' : 'processing' }
}

export const readMovement =
  (kind: Kind, { reference, amount: wanted }: Pick<Attempt, 'reference' | 'amount'>): Reading =>
  (data) => {
    const movement = movementSchema.safeParse(data).data
    if (!movement || movement.metadata?.reference !== reference) return undefined
    const { id: providerRef, status: providerStatus, failure_reason: reason, currency } = movement
    const amount = { amountMinor: BigInt(movement.amount_in_minor), currency }
    if (kind === 'refund' && !isSameMoney(amount, wanted)) return undefined
    const state = stateOf(kind, providerStatus, reason)
    return { kind: 'accepted', providerRef, providerStatus, state, amount }
  }

export const readCreatedPayment: Reading = (data) => {
  const created = createdPaymentSchema.safeParse(data).data
  if (!created) return undefined
  const { id: providerRef, status: providerStatus, hosted_page: page } = created
  const state = stateOf('payin', providerStatus, null)
  const nextAction = { type: 'redirect', url: page.uri } as const
  return { kind: 'accepted', providerRef, providerStatus, state, nextAction }
}

/** The answer contains only an id. */
export const readCreated: Reading = (data) => {
  const id = createdSchema.safeParse(data).data?.id
  if (id === undefined) return undefined
  return { kind: 'accepted', providerRef: id, providerStatus: 'created', state: { state: 'processing' } }
}

const clearStatuses = [400, 401, 403, 404]

/** 409 and 422 concern an idempotency key in use: the first request may have been carried out. */
function refusalOf({ status, words }: RefusedReply): Outcome {
  if (status === 429) return declined('PROVIDER_UNAVAILABLE')
  const [title = '', ...fields] = words
  if (!clearStatuses.includes(status)) return { kind: 'unknown', reason: `HTTP ${status} ${title}` }
  const field = fields.join(' ')
  if (/account_identifier|account_holder_name/.test(field)) return declined('ACCOUNT_INVALID', 'final')
  if (field.includes('amount_in_minor')) return declined('AMOUNT_NOT_ALLOWED')
  if (title === 'Invalid State') return declined('NOT_REFUNDABLE', 'final')
  return declined('PROVIDER_REFUSED')
}

export const { outcomeOf, inquiryOf } = createReplyReader({ refusalOf, isNotFound: () => false })

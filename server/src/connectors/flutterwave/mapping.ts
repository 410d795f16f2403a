import { readMoney, type Money } from '../../lib/money/money.ts'
import type { Attempt, NextAction, Outcome } from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { failureOf } from '../kit/failures.ts'
import { movedAmount } from '../kit/moved-amount.ts'
import { declined, reasonIn } from '../kit/reasons.ts'
import { createReplyReader, type Reading, type RefusedReply, type Reply } from '../kit/replies.ts'
import {
  authorizedSchema,
  movementSchema,
  refundSchema,
  type Authorization,
  type Movement,
} from './answers.ts'

/** A status is `successful` for charges, `SUCCESSFUL` for transfers, `completed-momo` for refunds. Others are never final. */
export function movementState(
  kind: Attempt['direction'] | 'refund',
  { status, why }: Pick<Movement, 'status' | 'why'>,
): ProviderState {
  if (/^(successful$|completed)/i.test(status)) return { state: 'completed' }
  if (!/^failed/i.test(status)) return { state: kind === 'payin' ? 'pending' : 'processing' }
  return { state: 'failed', failure: failureOf(reasonIn(why)?.[1] ?? 'UNSPECIFIED') }
}

export const readMovement =
  ({ reference, direction, amount: wanted }: Attempt): Reading =>
  (data) => {
    const movement = movementSchema.safeParse(data).data
    if (movement?.reference !== reference) return undefined
    const state = movementState(direction, movement)
    const moved = readMoney(movement.amount, movement.currency)
    if (!moved) return undefined
    const { id: providerRef, status: providerStatus } = movement
    const amount = movedAmount(wanted, moved)
    return { kind: 'accepted', providerRef, providerStatus, state, amount, cost: costOf(movement) }
  }

export const costOf = ({ fee, currency }: Pick<Movement, 'fee' | 'currency'>): Money | undefined =>
  fee === null ? undefined : readMoney(fee, currency)

export const readRefund: Reading = (data) => {
  const { id: providerRef, status } = refundSchema.safeParse(data).data ?? {}
  if (providerRef === undefined || status === undefined) return undefined
  const state = movementState('refund', { status, why: '' })
  return { kind: 'accepted', providerRef, providerStatus: status, state }
}

export const authorizationOf = (meta: unknown): Authorization | undefined =>
  authorizedSchema.safeParse(meta).data?.authorization

/** The first answer to a charge. Without `data` it is accepted too and only describes the customer's next step. */
export function collectOutcome(attempt: Attempt, reply: Reply): Outcome {
  const authorization = reply.kind === 'handled' ? authorizationOf(reply.meta) : undefined
  const nextAction: NextAction | undefined = authorization ? actionOf(authorization) : { type: 'wait' }
  if (nextAction === undefined) return { kind: 'unknown', reason: 'an unknown kind of authorization' }
  const outcome = outcomeOf(reply, (data) => {
    if (!authorization || data) return readMovement(attempt)(data)
    const { mode: providerStatus, transfer_reference: providerRef = null } = authorization
    return { kind: 'accepted', providerRef, providerStatus, state: { state: 'pending' } }
  })
  const isOpen = outcome.kind === 'accepted' && outcome.state.state === 'pending'
  return isOpen ? { ...outcome, nextAction } : outcome
}

function actionOf(authorization: Authorization): NextAction | undefined {
  const { mode, redirect: url, transfer_account: account_number, ...more } = authorization
  if (mode === 'otp') return { type: 'collect_otp' }
  if (mode === 'callback') return { type: 'wait' }
  if (mode === 'redirect' && url) return { type: 'redirect', url }
  if (mode !== 'banktransfer' || !account_number) return undefined
  const { transfer_bank: bank_name, account_expiration: expires_at } = more
  const instructions = { account_number, ...(bank_name && { bank_name }), ...(expires_at && { expires_at }) }
  return { type: 'bank_transfer', instructions }
}

/** A duplicate reference or an internal error leaves open whether money moves. */
const unclear = /duplicate|already (been|exist|valid)|being processed|timed? ?out|error occurred/i
const clearStatuses = [400, 401, 403, 404, 422]

function refusalOf({ status, words: [message = ''] }: RefusedReply): Outcome {
  if (!clearStatuses.includes(status) || unclear.test(message)) {
    return { kind: 'unknown', reason: `ambiguous refusal (HTTP ${status})` }
  }
  const reason = status === 401 || status === 403 ? undefined : reasonIn(message)
  return declined(reason?.[1] ?? 'PROVIDER_REFUSED', reason?.[2])
}

export const { outcomeOf, inquiryOf } = createReplyReader({
  refusalOf,
  isNotFound: ({ words: [message = ''] }) => /no transaction was found/i.test(message),
})

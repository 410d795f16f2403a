import type { Card, MobileMoney, Outcome } from '../../../connectors/kit/connector.ts'
import { monotonicMs } from '../../../lib/clock.ts'
import { breakerKey } from '../../providers/configs/track-route-health.ts'
import {
  openAttempt,
  type LoadedPayment,
  type Payment,
  type PaymentDeps,
  type PrivateDetails,
  type StoredAttempt,
} from '../record.ts'
import { applyFact } from './apply-fact.ts'
import { collectDetails, toConnectorAttempt } from './build-request.ts'

interface Dispatch {
  details: PrivateDetails
  /** In the memory of the process that received the request, and nowhere else: a card cannot be sent again later. */
  card: Card | undefined
}

const attemptsLimit = 20

/**
 * Sends the attempt that was just written, and after each definite refusal the next one, until a provider accepts
 * it or the outcome is unknown. Only the process that wrote an attempt sends it.
 */
export async function sendAttempts(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  dispatch: Dispatch,
): Promise<LoadedPayment> {
  let current = loaded
  let attempt = openAttempt(loaded)
  for (let sent = 0; sent < attemptsLimit && attempt?.state === 'sending'; sent++) {
    const { orgId, method } = current.payment
    const outcome = await sendAttempt(deps, current.payment, attempt, dispatch)
    const isHealthy = outcome.kind === 'accepted' || outcome.kind === 'declined'
    deps.breakers.record(breakerKey(orgId, attempt.accountId, current.payment), isHealthy)
    const applied = await applyFact(deps, current, outcome, {
      attemptNo: attempt.attemptNo,
      // Without a card from the start, the payer enters it on the provider's page, so another provider can be tried.
      canSend: method !== 'card' || dispatch.card !== undefined || current.payment.card === null,
    })
    current = applied
    attempt = applied.following
  }
  return current
}

async function sendAttempt(
  deps: PaymentDeps,
  payment: Payment,
  attempt: StoredAttempt,
  dispatch: Dispatch,
): Promise<Outcome> {
  const connector = await deps.connectors.load(payment.orgId, attempt.accountId)
  if (!connector) return { kind: 'not_sent', reason: 'the provider has no credentials' }
  // This process may have been suspended; past the deadline another one may have moved on to the next attempt.
  if (attempt.sendBeforeMs === undefined || monotonicMs(deps.clock) >= attempt.sendBeforeMs)
    return { kind: 'not_sent', reason: 'it was not sent before its deadline' }
  const request = toConnectorAttempt(payment, attempt)
  try {
    if (request.direction === 'payout') {
      const { payee } = dispatch.details
      if (!connector.payout || !payee) return { kind: 'not_sent', reason: 'the provider cannot pay out' }
      return await connector.payout(request, {
        ...payee,
        mobileMoney: withProviderNetworkCode(payment, attempt, payee.mobileMoney),
      })
    }
    if (!connector.collect) return { kind: 'not_sent', reason: 'the provider cannot collect' }
    const { details, card } = dispatch
    const mobileMoney = withProviderNetworkCode(payment, attempt, details.mobileMoney)
    return await connector.collect(request, collectDetails(deps, payment, { details, card, mobileMoney }))
  } catch (error) {
    // Connectors report every outcome without throwing, so a throw does not show how far the call got.
    deps.log.error(
      { err: error, provider: attempt.provider, paymentId: payment.paymentId },
      'a connector threw',
    )
    return { kind: 'unknown', reason: 'the connector failed' }
  }
}

/** Each provider has its own codes for mobile money networks; routing stored this provider's. */
function withProviderNetworkCode(
  payment: Payment,
  attempt: StoredAttempt,
  mobileMoney: MobileMoney | undefined,
): MobileMoney | undefined {
  const route = payment.routing.candidates.find((candidate) => candidate.configId === attempt.configId)
  return mobileMoney && route?.networkCode !== undefined
    ? { ...mobileMoney, network: route.networkCode }
    : mobileMoney
}

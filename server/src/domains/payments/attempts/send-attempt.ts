import type {
  Attempt,
  Card,
  CollectDetails,
  MobileMoney,
  Outcome,
} from '../../../connectors/kit/connector.ts'
import { corridorKey } from '../../provider-configs/track-route-health.ts'
import { applyFact, type Applied } from './apply-fact.ts'
import { openAttempt, privateContext, providerAmount } from '../record.ts'
import type { LoadedPayment, Payment, PrivateDetails, StoredAttempt } from '../record.ts'
import type { PaymentDeps } from '../payment-deps.ts'
import { returnPageUrl } from '../build-return-url.ts'

/** What only the request's own process has. Never stored: a card cannot be sent again later. */
export interface Memory {
  card?: Card | undefined
}

export interface Dispatch {
  details: PrivateDetails
  memory: Memory
}

const attemptsLimit = 20

/**
 * Sends the attempt that was just written, and the next one after a definite refusal, until one is taken or its
 * outcome is unknown. Only the process that wrote an attempt sends it.
 */
export async function sendAttempts(
  deps: PaymentDeps,
  loaded: LoadedPayment,
  dispatch: Dispatch,
): Promise<LoadedPayment> {
  let current = loaded
  let attempt = openAttempt(loaded)
  for (let sent = 0; sent < attemptsLimit && attempt?.state === 'sending'; sent++) {
    const outcome = await send(deps, current.payment, attempt, dispatch)
    const isHealthy = outcome.kind === 'accepted' || outcome.kind === 'declined'
    deps.breakers.record(
      corridorKey(attempt.provider, current.payment.country, current.payment.method),
      isHealthy,
    )
    const canSend = current.payment.method !== 'card' || dispatch.memory.card !== undefined
    const applied: Applied = await applyFact(deps, current, outcome, {
      attemptNo: attempt.attemptNo,
      canSend,
    })
    current = applied
    attempt = applied.following
  }
  return current
}

async function send(
  deps: PaymentDeps,
  payment: Payment,
  attempt: StoredAttempt,
  dispatch: Dispatch,
): Promise<Outcome> {
  const connector = await deps.connectors.load(payment.orgId, attempt.provider)
  if (!connector) return { kind: 'not_sent', reason: 'the provider has no credentials' }
  // Stopped for a while and woken up: others may have given the attempt up and gone on with another.
  if (deps.clock.now() >= attempt.deadlineAt)
    return { kind: 'not_sent', reason: 'it was not sent before its deadline' }
  const view = attemptView(payment, attempt)
  try {
    if (payment.direction === 'outbound') {
      const { payee } = dispatch.details
      if (!connector.payout || !payee) return { kind: 'not_sent', reason: 'the provider cannot pay out' }
      return await connector.payout(view, {
        ...payee,
        mobileMoney: withProviderNetworkCode(payment, attempt, payee.mobileMoney),
      })
    }
    if (!connector.collect) return { kind: 'not_sent', reason: 'the provider cannot collect' }
    const details = collectDetails(deps, payment, dispatch)
    return await connector.collect(view, {
      ...details,
      mobileMoney: withProviderNetworkCode(payment, attempt, details.mobileMoney),
    })
  } catch (error) {
    // A connector answers with an outcome; if it throws, nobody knows how far it got.
    deps.log.error(
      { err: error, provider: attempt.provider, paymentId: payment.paymentId },
      'a connector threw',
    )
    return { kind: 'unknown', reason: 'the connector failed' }
  }
}

/** Providers know a mobile money network by codes of their own; routing looked them up. */
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

const collectDetails = (deps: PaymentDeps, payment: Payment, dispatch: Dispatch): CollectDetails => ({
  payer: dispatch.details.payer ?? {},
  card: dispatch.memory.card,
  mobileMoney: dispatch.details.mobileMoney,
  payerAccount: dispatch.details.payerAccount,
  description: payment.description ?? undefined,
  returnUrl: returnPageUrl(deps, payment),
})

export const attemptView = (payment: Payment, attempt: StoredAttempt): Attempt => ({
  reference: attempt.reference,
  providerRef: attempt.providerRef,
  direction: payment.direction === 'outbound' ? 'payout' : 'payin',
  method: payment.method,
  country: payment.country,
  amount: providerAmount(payment),
  createdAt: attempt.createdAt,
})

export const openDetails = async (deps: PaymentDeps, payment: Payment): Promise<PrivateDetails> =>
  (await deps.vault.open(
    payment.orgId,
    privateContext(payment.paymentId),
    payment.privateSealed,
  )) as PrivateDetails // sealed by us from this type

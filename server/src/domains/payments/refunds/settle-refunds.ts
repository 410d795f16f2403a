import type { ProviderRefund } from '../../../connectors/kit/refunds.ts'
import type { Money } from '../../../lib/money/money.ts'
import { toConnectorAttempt } from '../attempts/build-request.ts'
import type { LoadedPayment, PaymentDeps, StoredAttempt } from '../record.ts'
import { advanceOpenRefund } from './advance-refund.ts'
import { applyRefundFact } from './apply-refund-fact.ts'
import { bookRefund } from './book-refund.ts'
import { isOpenRefund, isWaitingRefund, type Refund } from './record.ts'
import { selectRefunds } from './store.ts'

/**
 * Inquires about every refund of a payin and books the answers. `open`: one of them may still be what the provider
 * reports about the payment, or the provider could not answer.
 */
export async function settleRefunds(
  deps: PaymentDeps,
  { payment }: LoadedPayment,
  attempt: StoredAttempt,
): Promise<'settled' | 'open'> {
  const { orgId, paymentId } = payment
  if (payment.direction !== 'inbound') return 'settled'
  await advanceOpenRefund(deps, orgId, paymentId)
  const connector = await deps.connectors.load(orgId, attempt.accountId)
  const listed = await connector?.listRefunds?.({ attempt: toConnectorAttempt(payment, attempt) })
  if (connector?.listRefunds && !listed) return 'open'
  for (const refund of listed ?? []) await bookListed(deps, { orgId, paymentId }, refund)
  return (await hasOpenRefund(deps, { payment })) ? 'open' : 'settled'
}

/** Asks a provider that lists no refunds about one that was made there, by the id from a message that proves nothing. */
export async function bookNamedRefund(
  deps: PaymentDeps,
  { payment }: LoadedPayment,
  { attempt, refundId }: { attempt: StoredAttempt; refundId: string },
): Promise<void> {
  const { orgId, paymentId } = payment
  const connector = await deps.connectors.load(orgId, attempt.accountId)
  if (!connector?.inquireRefund || connector.listRefunds) return
  const named = { reference: refundId, providerRef: refundId, amount: payment.source, isPartial: true }
  const answer = await connector.inquireRefund(toConnectorAttempt(payment, attempt), named)
  if (answer.kind !== 'accepted' || !answer.amount) return
  const { providerStatus, state, amount } = answer
  await bookRefund(deps, { orgId, paymentId }, { providerRef: refundId, providerStatus, state, amount })
}

/**
 * The list may contradict what we know about a refund of ours, even after its end. Any other refund is booked, unless
 * it may be one of ours whose outcome is still unknown.
 */
async function bookListed(
  deps: PaymentDeps,
  key: { orgId: string; paymentId: string },
  listed: ProviderRefund,
): Promise<void> {
  const { orgId, paymentId } = key
  const known = await deps.db.inOrg(orgId, (tx) => selectRefunds(tx, orgId, paymentId))
  const own = known.find((refund) => refund.origin === 'api' && isSame(refund, listed))
  const { amount } = listed
  if (own) await applyRefundFact(deps, own, { kind: 'accepted', ...listed })
  else if (amount && !known.some((refund) => mayBeSame(refund, listed, amount)))
    await bookRefund(deps, key, { ...listed, amount })
}

const isSame = ({ reference, providerRef }: Refund, listed: ProviderRefund): boolean =>
  reference === listed.reference || providerRef === listed.providerRef

/** Until we know the provider's id of our own refund, another one of the same amount may be the same refund. */
const mayBeSame = (refund: Refund, listed: ProviderRefund, amount: Money): boolean =>
  refund.origin === 'api' &&
  refund.providerRef === null &&
  refund.state !== 'failed' &&
  !isWaitingRefund(refund) &&
  listed.reference === null &&
  refund.amountMinor === amount.amountMinor

export async function hasOpenRefund(
  deps: Pick<PaymentDeps, 'db'>,
  { payment: { orgId, paymentId } }: Pick<LoadedPayment, 'payment'>,
): Promise<boolean> {
  const refunds = await deps.db.inOrg(orgId, (tx) => selectRefunds(tx, orgId, paymentId))
  return refunds.some(isOpenRefund)
}

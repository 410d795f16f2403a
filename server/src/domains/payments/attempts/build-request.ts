import type { Attempt, Card, CollectDetails, MobileMoney } from '../../../connectors/kit/connector.ts'
import { returnPageUrl } from '../actions/build-return-url.ts'
import {
  privateContext,
  providerAmount,
  wireDirections,
  type Payment,
  type PaymentDeps,
  type PrivateDetails,
  type StoredAttempt,
} from '../record.ts'

/** The payment as a connector sees it. Routing builds one before there is an attempt, with an empty reference. */
export const toConnectorAttempt = (
  payment: Pick<Payment, 'direction' | 'method' | 'country' | 'source' | 'target'>,
  attempt: Pick<StoredAttempt, 'reference' | 'providerRef' | 'createdAt'>,
): Attempt & { direction: 'payin' | 'payout' } => ({
  reference: attempt.reference,
  providerRef: attempt.providerRef,
  direction: payment.direction === 'outbound' ? wireDirections.outbound : wireDirections.inbound,
  method: payment.method,
  country: payment.country,
  amount: providerAmount(payment),
  createdAt: attempt.createdAt,
})

interface CollectSource {
  details: PrivateDetails
  card: Card | undefined
  /** Replaces that of the details. */
  mobileMoney?: MobileMoney | undefined
}

/** What a provider needs to collect from the payer. */
export const collectDetails = (
  deps: Pick<PaymentDeps, 'publicUrl' | 'returnKey'>,
  payment: Pick<Payment, 'orgId' | 'paymentId' | 'description'>,
  { details, card, mobileMoney = details.mobileMoney }: CollectSource,
): CollectDetails => ({
  payer: details.payer ?? {},
  card,
  mobileMoney,
  payerAccount: details.payerAccount,
  description: payment.description ?? undefined,
  // Signed when it is read, because most methods never do.
  get returnUrl() {
    return returnPageUrl(deps, payment)
  },
})

export const openDetails = async (
  deps: Pick<PaymentDeps, 'vault'>,
  { orgId, paymentId, privateSealed }: Payment,
): Promise<PrivateDetails> =>
  (await deps.vault.open(orgId, privateContext(paymentId), privateSealed)) as PrivateDetails // sealed by us from this type

import type { Connector } from '../../../connectors/kit/connector.ts'
import type { DisputeState, ProviderDispute } from '../../../connectors/kit/disputes.ts'
import { installationOrgId } from '../../../kernel/db/vault.ts'
import { toConnectorAttempt } from '../attempts/build-request.ts'
import { loadPayment } from '../reads/get-payment.ts'
import type { LoadedPayment, PaymentDeps, StoredAttempt } from '../record.ts'
import { takenMinor } from '../sums/rules.ts'

/** What the provider answered about a dispute of a payment. */
interface AskedDispute {
  account: { orgId: string; accountId: string; provider: string }
  report: ProviderDispute
  isAsked: true
}

export interface EndedPaymentDeps extends PaymentDeps {
  /** Books what a provider reports about a dispute. Passed in because the disputes domain depends on this one. */
  receiveDispute(this: void, asked: AskedDispute): Promise<unknown>
}

const ended: readonly (DisputeState | undefined)[] = ['won', 'lost', 'accepted']

/**
 * Some providers call a payment with a lost dispute reversed. Asks for the disputes of a payment that is reported so, and
 * books them, so that one loss is not booked twice. `open`: a dispute may be what the provider reports, for all or for a
 * part of the payment, or the provider could not answer.
 */
export async function settleDisputes(
  deps: EndedPaymentDeps,
  connector: Connector,
  { payment }: LoadedPayment,
  attempt: StoredAttempt,
): Promise<'settled' | 'open'> {
  if (payment.direction !== 'inbound' || !connector.disputesOf) return 'settled'
  const { orgId, paymentId } = payment
  const { accountId, provider, custody } = attempt
  const disputes = await connector.disputesOf(toConnectorAttempt(payment, attempt))
  if (!disputes) return 'open'
  const account = { orgId: custody === 'own' ? orgId : installationOrgId, accountId, provider }
  for (const report of disputes) await deps.receiveDispute({ account, report, isAsked: true })
  if (disputes.some(({ state }) => !ended.includes(state))) return 'open'
  if (disputes.every(({ state }) => state === 'won')) return 'settled'
  const { payment: after } = await loadPayment(deps, orgId, paymentId)
  return takenMinor(after.sums) < after.source.amountMinor ? 'open' : 'settled'
}

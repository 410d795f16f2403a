import type {
  Attempt,
  Connector,
  Inquiry,
  MobileMoney,
  Outcome,
  Payee,
  RefundRequest,
  RampDetails,
} from '../../../connectors/kit/connector.ts'
import { failureOf } from '../../../connectors/kit/failures.ts'
import { monotonicMs } from '../../../lib/clock.ts'
import { privateContext } from '../../payments/record.ts'
import { returnPageUrl } from '../../payments/actions/build-return-url.ts'
import { screenAddress } from './screening/screen-address.ts'
import type { Leg, LoadedRamp, RampPrivateDetails } from './record.ts'
import { loadLegConnector } from './load-leg-connector.ts'
import type { RampDeps } from './record.ts'

const openRampDetails = async (
  deps: Pick<RampDeps, 'vault'>,
  { payment }: LoadedRamp,
): Promise<RampPrivateDetails> =>
  (await deps.vault.open(
    payment.orgId,
    privateContext(payment.paymentId),
    payment.privateSealed,
  )) as RampPrivateDetails // sealed by us from this type

const directions = {
  collection: 'payin',
  refund: 'payin',
  delivery: 'payout',
} as const

const toConnectorLeg = ({ payment, ramp }: LoadedRamp, leg: Leg): Attempt => ({
  reference: leg.reference,
  providerRef: leg.providerRef,
  direction: leg.kind === 'whole' ? ramp.direction : directions[leg.kind],
  method: leg.method,
  country: payment.country,
  amount: leg.amount,
  createdAt: leg.createdAt,
})

/** Sends a stored leg. Only the process that wrote it may, unless the connector's calls are repeatable. */
export async function sendLeg(deps: RampDeps, loaded: LoadedRamp, leg: Leg): Promise<Outcome> {
  const { orgId, paymentId } = loaded.payment
  const connector = await loadLegConnector(deps, orgId, leg)
  if (!connector) return { kind: 'not_sent', reason: 'the provider has no credentials' }
  const isLate = leg.sendBeforeMs === undefined || monotonicMs(deps.clock) >= leg.sendBeforeMs
  if (!connector.isRepeatable && isLate)
    return { kind: 'not_sent', reason: 'it was not sent before its deadline' }
  try {
    const refusal = await refusalOf(deps, loaded, leg)
    if (refusal) return await unlessSent(refusal, toConnectorLeg(loaded, leg), connector)
    const details = await openRampDetails(deps, loaded)
    return await senders[leg.kind]({ deps, loaded, leg, details, connector })
  } catch (error) {
    deps.log.error({ err: error, provider: leg.provider, paymentId }, 'a connector threw')
    return { kind: 'unknown', reason: 'the connector failed' }
  }
}

/** A repeatable leg may have been sent before; then its actual outcome counts, and not this refusal. */
async function unlessSent(refusal: Outcome, attempt: Attempt, connector: Connector): Promise<Outcome> {
  if (!connector.isRepeatable || !connector.cancel) return refusal
  const canceled = await connector.cancel(attempt)
  return canceled.kind === 'accepted' && canceled.state.state === 'canceled' ? refusal : canceled
}

/** The address is screened again right before crypto is sent; the verdict may have changed since the ramp began. */
async function refusalOf(
  deps: RampDeps,
  { payment, ramp }: LoadedRamp,
  leg: Leg,
): Promise<Outcome | undefined> {
  const sendsCrypto = ramp.direction === 'on_ramp' && (leg.kind === 'delivery' || leg.kind === 'whole')
  if (!sendsCrypto || ramp.walletAddress === null) return undefined
  try {
    const wallet = { network: ramp.network, address: ramp.walletAddress }
    const { verdict } = await screenAddress(deps, payment.orgId, wallet)
    return verdict === 'clear'
      ? undefined
      : { kind: 'declined', failure: failureOf('SUSPECTED_FRAUD'), fallback: false }
  } catch (error) {
    deps.log.warn({ err: error, paymentId: payment.paymentId }, 'an address could not be screened')
    return { kind: 'not_sent', reason: 'the address could not be screened' }
  }
}

interface Sending {
  deps: RampDeps
  loaded: LoadedRamp
  leg: Leg
  details: RampPrivateDetails
  connector: Connector
}

const senders: Readonly<Record<Leg['kind'], (sending: Sending) => Promise<Outcome>>> = {
  async collection({ deps, loaded, leg, details, connector }) {
    if (!connector.collect) return { kind: 'not_sent', reason: 'the provider cannot collect' }
    return connector.collect(toConnectorLeg(loaded, leg), {
      payer: details.payer,
      mobileMoney: withProviderNetworkCode(leg, details.mobileMoney),
      payerAccount: details.payerAccount,
      cryptoNetwork: leg.method === 'crypto' ? loaded.ramp.network : undefined,
      returnUrl: returnPageUrl(deps, loaded.payment),
    })
  },
  async delivery({ loaded, leg, details, connector }) {
    const payee = deliveryPayee(loaded, leg, details)
    if (!connector.payout || !payee) return { kind: 'not_sent', reason: 'the provider cannot pay out' }
    return connector.payout(toConnectorLeg(loaded, leg), payee)
  },
  async whole({ deps, loaded, leg, details, connector }) {
    const { ramp } = loaded
    const isOnRamp = ramp.direction === 'on_ramp'
    const person = isOnRamp ? payerAsPerson(details) : details.payee
    if (!person) return { kind: 'not_sent', reason: 'there is nobody to pay' }
    const rampDetails: RampDetails = {
      crypto: ramp.crypto,
      network: ramp.network,
      walletAddress: ramp.walletAddress ?? undefined,
      person: { ...person, mobileMoney: withProviderNetworkCode(leg, person.mobileMoney) },
      customer: details.customer,
      returnUrl: returnPageUrl(deps, loaded.payment),
    }
    const view = toConnectorLeg(loaded, leg)
    const sent = isOnRamp ? connector.onRamp?.(view, rampDetails) : connector.offRamp?.(view, rampDetails)
    return (await sent) ?? { kind: 'not_sent', reason: 'the provider cannot ramp' }
  },
  async refund({ loaded, leg, connector }) {
    const collection = collectionOf(loaded)
    if (!connector.refund || !collection)
      return { kind: 'declined', failure: failureOf('NOT_REFUNDABLE'), fallback: false }
    return connector.refund(toConnectorLeg(loaded, collection), refundRequest(collection, leg))
  },
}

const payerAsPerson = ({ payer, mobileMoney, payerAccount }: RampPrivateDetails): Payee => ({
  name: payer.name ?? '',
  email: payer.email,
  phone: payer.phone,
  mobileMoney,
  bankAccount: payerAccount,
})

function deliveryPayee(
  { payment, ramp }: LoadedRamp,
  leg: Leg,
  { payee, payer }: RampPrivateDetails,
): Payee | undefined {
  const description = `Ramp ${payment.paymentId}`
  if (ramp.direction === 'off_ramp')
    return payee && { ...payee, mobileMoney: withProviderNetworkCode(leg, payee.mobileMoney), description }
  if (ramp.walletAddress === null) return undefined
  const wallet = { network: ramp.network, address: ramp.walletAddress }
  return { name: payer.name ?? 'customer', wallet, description }
}

/** Each provider has its own codes for mobile money networks; routing stored this provider's. */
const withProviderNetworkCode = (leg: Leg, mobileMoney: MobileMoney | undefined): MobileMoney | undefined =>
  mobileMoney && leg.networkCode !== null ? { ...mobileMoney, network: leg.networkCode } : mobileMoney

export const collectionOf = ({ legs }: LoadedRamp): Leg | undefined =>
  legs.find(({ kind, state }) => kind === 'collection' && state === 'succeeded')

const refundRequest = (collection: Leg, leg: Leg): RefundRequest => ({
  reference: leg.reference,
  providerRef: leg.providerRef,
  amount: collection.amount,
  isPartial: false,
})

/** Asks the provider about a leg. A failed inquiry changes nothing. */
export async function inquireLeg(
  deps: RampDeps,
  loaded: LoadedRamp,
  leg: Leg,
  connector: Connector,
): Promise<Inquiry> {
  try {
    if (leg.kind !== 'refund') return await connector.inquire(toConnectorLeg(loaded, leg))
    const collection = collectionOf(loaded)
    if (!collection || !connector.inquireRefund)
      return { kind: 'unknown', reason: 'the provider cannot be asked about a refund' }
    return await connector.inquireRefund(toConnectorLeg(loaded, collection), refundRequest(collection, leg))
  } catch (error) {
    const { paymentId } = loaded.payment
    deps.log.error({ err: error, provider: leg.provider, paymentId }, 'an inquiry threw')
    return { kind: 'unknown', reason: 'the inquiry failed' }
  }
}

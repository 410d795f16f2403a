import type { Caller } from '../../../lib/requests/access.ts'
import { toRate } from '../../../lib/money/decimal.ts'
import { validationError } from '../../../lib/errors.ts'
import type { NetworkDeps } from '../../providers/networks/list-networks.ts'
import { matchNetwork } from '../../providers/networks/match-network.ts'
import { assertPayoutsOpen } from '../../people/organizations/reads.ts'
import {
  acceptedQuote,
  amended,
  type Approval,
  type PayoutCheck,
} from '../../payments/initiation/check-payout.ts'
import { privateContext, type Payment } from '../../payments/record.ts'
import type { RateDeps } from '../../pricing/rates/record.ts'
import { chooseRampRoutes, type RampRoutingDeps } from './choose-ramp-route.ts'
import type { RampDraft } from './draft-ramp.ts'
import { loadRamp } from './get-ramp.ts'
import type { Ramp, RampPrivateDetails } from './record.ts'
import { cryptoAmount, expiryFrom } from './rules.ts'
import { amendRamp } from './store.ts'

type CheckRampDeps = RampRoutingDeps & NetworkDeps & RateDeps

/** At its approval a ramp is priced and routed again, and the time in which the customer can pay begins. */
export async function checkRamp(
  deps: CheckRampDeps,
  caller: Caller,
  { payment, orgRateId }: Approval,
): Promise<PayoutCheck> {
  const { orgId, paymentId } = payment
  await assertPayoutsOpen(deps, orgId)
  const { ramp: before } = await loadRamp(deps, orgId, paymentId)
  const quote = await acceptedQuote(deps, caller, { payment, orgRateId })
  const rate = orgRateId === undefined || !quote ? toRate(before.rate) : toRate(quote.rate)
  const crypto = cryptoAmount(before.direction, before.fiat, rate, before.crypto.currency)
  if (crypto.amountMinor === 0n) throw validationError('The amount is too small for the new rate.')
  const now = await deps.db.now()
  const draft = await draftFrom(deps, payment, before)
  const { routes, considered } = await chooseRampRoutes(deps, { orgId, draft, crypto, now })
  const ramp: Ramp = { ...before, crypto, rate: rate.toFixed(18), routes, expiresAt: expiryFrom(now) }
  const [source, target] = ramp.direction === 'on_ramp' ? [ramp.fiat, ramp.crypto] : [ramp.crypto, ramp.fiat]
  const checked = amended({
    ...payment,
    source,
    target,
    orgRateId: quote?.orgRateId ?? payment.orgRateId,
    routing: { candidates: [], considered },
  })
  return { ...checked, statements: [...checked.statements, amendRamp(orgId, paymentId, ramp)] }
}

/** The request as it was, from what was stored of it. */
async function draftFrom(deps: CheckRampDeps, payment: Payment, ramp: Ramp): Promise<RampDraft> {
  const { orgId, paymentId, country, privateSealed } = payment
  const opened = await deps.vault.open(orgId, privateContext(paymentId), privateSealed)
  const details = opened as RampPrivateDetails // sealed by us from this type
  const mobileMoney = details.payee?.mobileMoney ?? details.mobileMoney
  const matched = mobileMoney && (await matchNetwork(deps, orgId, { name: mobileMoney.network, country }))
  return {
    direction: ramp.direction,
    fiat: ramp.fiat,
    asset: ramp.crypto.currency,
    network: ramp.network,
    country,
    clientRate: toRate(ramp.rate),
    walletAddress: ramp.walletAddress,
    fiatMethod: mobileMoney ? 'mobile_money' : 'bank_transfer',
    networkCodes: matched?.codes,
    onBehalfOf: payment.onBehalfOf,
    beneficiaryId: payment.beneficiaryId,
    clientReference: payment.clientReference,
    metadata: payment.metadata,
    details,
  }
}

import type { Payee, Payer, PaymentMethod } from '../../../connectors/kit/connector.ts'
import type { RampDirection } from '../../../connectors/kit/ramp-details.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import type { Money } from '../../../lib/money/money.ts'
import type { WalletDeps } from './wallet/record.ts'
import type { Payment, PaymentDeps } from '../../payments/record.ts'
import { isOpen, type AttemptState } from '../../payments/lifecycle/rules.ts'
import type { ScreeningDeps } from './screening/record.ts'

export type RampDeps = PaymentDeps & WalletDeps & ScreeningDeps

/**
 * The state of the saga. `watching`: it ended unpaid, but the customer may still pay late; `closed`: nothing more
 * is expected.
 */
export type Phase = 'collecting' | 'delivering' | 'refunding' | 'watching' | 'closed'

/** `whole`: one provider collects and delivers in a single call. */
export type LegKind = 'collection' | 'delivery' | 'refund' | 'whole'

export interface LegRoute {
  provider: string
  configId: string
  /** Null for the operator's wallet. */
  accountId: string | null
  custody: Custody
  method: PaymentMethod
  /** The provider's code for the mobile money network. */
  networkCode?: string
}

/** One way to carry a ramp: by a single provider, or leg by leg. */
export interface RampRoute {
  /** The provider's name in the API: yellowcard, circle, hybrid. */
  provider: string
  configId: string
  first: LegRoute
  isWhole: boolean
  /** The providers that may deliver, in the order in which they are tried. */
  deliveries: LegRoute[]
}

export interface Ramp {
  direction: RampDirection
  fiat: Money
  crypto: Money
  network: string
  rate: string
  walletAddress: string | null
  routes: RampRoute[]
  phase: Phase
  /** Both in the collected asset. */
  receivedMinor: bigint
  suspendedMinor: bigint
  expiresAt: Date
}

export interface Leg {
  legNo: number
  kind: LegKind
  provider: string
  configId: string
  /** The provider account that carries it; null for the operator's wallet. */
  accountId: string | null
  custody: Custody
  networkCode: string | null
  method: PaymentMethod
  amount: Money
  reference: string
  state: AttemptState
  providerRef: string | null
  providerStatus: string | null
  outcomeCode: string | null
  outcomeMessage: string | null
  reachedCustomer: boolean
  notFoundCount: number
  polls: number
  deadlineAt: Date
  /** As for an attempt: only the process that wrote the leg has it. */
  sendBeforeMs?: number
  createdAt: Date
  updatedAt: Date
}

/** A leg of any organisation, found by a provider's message. */
export interface FoundLeg {
  orgId: string
  paymentId: string
  legNo: number
  accountId: string | null
}

export interface LoadedRamp {
  payment: Payment
  ramp: Ramp
  legs: Leg[]
}

/** Personal data of a ramp, sealed with its payment. */
export interface RampPrivateDetails {
  payer: Payer
  payee?: Payee | undefined
  mobileMoney?: Payee['mobileMoney']
  payerAccount?: Payee['bankAccount']
  /** Undefined in ramps of the first release. */
  wallet?: { network: string; address: string | null } | undefined
  customer: {
    id: string
    type: 'retail' | 'business'
    businessId?: string | undefined
    businessName?: string | undefined
  }
}

/** The asset that the customer pays with. */
export const collectedAsset = (ramp: Pick<Ramp, 'direction' | 'fiat' | 'crypto'>): Money =>
  ramp.direction === 'on_ramp' ? ramp.fiat : ramp.crypto
/** The asset that the customer receives. */
export const deliveredAsset = (ramp: Pick<Ramp, 'direction' | 'fiat' | 'crypto'>): Money =>
  ramp.direction === 'on_ramp' ? ramp.crypto : ramp.fiat

export const openLeg = ({ legs }: Pick<LoadedRamp, 'legs'>): Leg | undefined =>
  legs.find((leg) => isOpen(leg.state))

/** The last leg that collects; the received money is at its provider. */
export const firstLeg = ({ legs }: Pick<LoadedRamp, 'legs'>): Leg | undefined =>
  legs.findLast(({ kind }) => kind === 'collection' || kind === 'whole')

/** The current route is the one whose first leg was tried last. */
export function routeTaken({ ramp, legs }: Pick<LoadedRamp, 'ramp' | 'legs'>): RampRoute | undefined {
  const first = firstLeg({ legs })
  return ramp.routes.find(
    (route) => first && route.first.configId === first.configId && route.first.provider === first.provider,
  )
}

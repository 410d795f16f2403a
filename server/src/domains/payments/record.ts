import type {
  BankAccount,
  MobileMoney,
  NextAction,
  Payee,
  Payer,
  PaymentMethod,
} from '../../connectors/kit/connector.ts'
import type { Money } from '../../lib/money.ts'
import { isOpen, type AttemptState, type Status } from './rules.ts'

export interface RouteCandidate {
  provider: string
  configId: string
  /** The provider's own code for the mobile money network. */
  networkCode?: string
}

/** Each provider that was looked at, and why it was taken or left. Stored with the payment. */
export interface Routing {
  candidates: RouteCandidate[]
  considered: (RouteCandidate & { taken: boolean; reason: string })[]
}

export interface CardSummary {
  brand: string | null
  first6: string
  last4: string
  expiry_month: string
  expiry_year: string
}

/** Personal data of a payment, sealed at rest. What a later dispatch needs; never a card. */
export interface PrivateDetails {
  payer?: Payer | undefined
  mobileMoney?: MobileMoney | undefined
  payerAccount?: BankAccount | undefined
  bankAccount?: BankAccount | undefined
  payee?: Payee | undefined
}

export interface Payment {
  orgId: string
  paymentId: string
  userId: string
  direction: 'inbound' | 'outbound' | 'external'
  method: PaymentMethod
  country: string
  source: Money
  target: Money
  status: Status
  version: number
  eventCount: number
  orgRateId: string | null
  clientReference: string | null
  description: string | null
  beneficiaryId: string | null
  linkId: string | null
  /** The virtual account that pays; null when the organisation's own balance does. */
  fundingAccountId: string | null
  provider: string | null
  providerPaymentId: string | null
  providerStatus: string | null
  card: CardSummary | null
  privateSealed: Buffer
  nextAction: NextAction | null
  routing: Routing
  failureCode: string | null
  failureMessage: string | null
  returnUrl: string | null
  metadata: Record<string, unknown> | null
  comments: string | null
  refundedMinor: bigint
  requestId: string
  createdAt: Date
  updatedAt: Date
}

export interface StoredAttempt {
  attemptNo: number
  provider: string
  configId: string
  reference: string
  state: AttemptState
  providerRef: string | null
  providerStatus: string | null
  outcomeCode: string | null
  outcomeMessage: string | null
  reachedCustomer: boolean
  notFoundCount: number
  inquiries: number
  otpTries: number
  deadlineAt: Date
  createdAt: Date
  updatedAt: Date
}

/** A payment with everything that was tried for it. */
export interface LoadedPayment {
  payment: Payment
  attempts: StoredAttempt[]
}

export const openAttempt = (loaded: LoadedPayment): StoredAttempt | undefined =>
  loaded.attempts.find((attempt) => isOpen(attempt.state))

export const lastAttempt = (loaded: LoadedPayment): StoredAttempt | undefined => loaded.attempts.at(-1)

/** Candidates in order, less those that were tried. */
export const untriedRoutes = (loaded: LoadedPayment): RouteCandidate[] =>
  loaded.payment.routing.candidates.filter(
    (candidate) => !loaded.attempts.some((attempt) => attempt.configId === candidate.configId),
  )

/** What a provider moves: the source amount of a payin, the target amount of a payout. */
export const providerAmount = (payment: Payment): Money =>
  payment.direction === 'outbound' ? payment.target : payment.source

export const privateContext = (paymentId: string): string => `payment ${paymentId}`

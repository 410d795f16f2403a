import type { CompiledQuery } from 'kysely'
import type {
  BankAccount,
  MobileMoney,
  NextAction,
  Payee,
  Payer,
  PaymentMethod,
} from '../../connectors/kit/connector.ts'
import type { KeyRing } from '../../lib/crypto/key-ring.ts'
import type { Log } from '../../lib/log.ts'
import type { Meter } from '../../lib/flow/meter.ts'
import type { Money } from '../../lib/money/money.ts'
import type { Custody } from '../../kernel/ledger/available.ts'
import type { ScreeningDeps } from '../compliance/sanctions/matches/record.ts'
import type { Fee } from '../pricing/fees/record.ts'
import type { ConnectorSource } from '../providers/accounts/load-connector.ts'
import type { Breakers } from '../providers/configs/track-route-health.ts'
import type { FallbackTable, RouteFigures, RoutingDecision } from '../routing/policies/record.ts'
import type { PollSchedule } from './attempts/rules.ts'
import { isOpen, type AttemptState, type Status } from './lifecycle/rules.ts'
import type { PayinSums } from './sums/record.ts'

export type Direction = 'inbound' | 'outbound' | 'external'

/** Records and provider configurations use inbound and outbound; the API and the connectors use payin and payout. */
export const wireDirections = { inbound: 'payin', outbound: 'payout', external: 'external' } as const
export const recordDirections = { payin: 'inbound', payout: 'outbound' } as const

export interface RouteCandidate {
  provider: string
  configId: string
  accountId: string
  custody: Custody
  /** The provider's code for the mobile money network. */
  networkCode?: string
}

/** The chosen providers in order, and the reason for each one that was considered. Stored with the payment. */
export interface Routing {
  candidates: RouteCandidate[]
  considered: ConsideredRoute[]
  /** How the policy ordered them; absent where none applied. */
  decision?: RoutingDecision | undefined
  /** The policy's rules for declines at the time when the payment was routed. */
  fallback?: FallbackTable | undefined
}

/** The account is null where the configuration has none that can be used. */
export interface ConsideredRoute {
  provider: string
  configId: string
  accountId: string | null
  custody: Custody | null
  taken: boolean
  reason: string
  /** What the policy's strategy compared. */
  figures?: RouteFigures | undefined
}

export interface CardSummary {
  brand: string | null
  first6: string
  last4: string
  expiry_month: string
  expiry_year: string
  /** Absent if the operator's table has no entry. */
  issuer_country?: string
}

/** The personal data that a later attempt needs, sealed at rest. It never contains a card. */
export interface PrivateDetails {
  payer?: Payer | undefined
  mobileMoney?: MobileMoney | undefined
  payerAccount?: BankAccount | undefined
  bankAccount?: BankAccount | undefined
  payee?: Payee | undefined
  /** Of a ramp: the network, and for crypto that we send the wallet that gets it. */
  wallet?: { network: string; address: string | null } | undefined
}

export interface Payment {
  orgId: string
  paymentId: string
  /** The member who started it, and who alone counts for four eyes, limits and the audit log. */
  userId: string
  /** The member that it is for, where that is another one. */
  onBehalfOf: string | null
  direction: Direction
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
  /** The virtual account that pays for a payout; null when the organisation's own balance does. */
  fundingAccountId: string | null
  /** The custody of the amount: for a payout the one that pays, for a payin null until it is completed. */
  custody: Custody | null
  provider: string | null
  /** The provider account that carries it. */
  accountId: string | null
  providerPaymentId: string | null
  providerStatus: string | null
  card: CardSummary | null
  privateSealed: Buffer
  /** When the data of its people was erased. */
  erasedAt: Date | null
  nextAction: NextAction | null
  routing: Routing
  failureCode: string | null
  failureMessage: string | null
  returnUrl: string | null
  metadata: Record<string, unknown> | null
  comments: string | null
  refundedMinor: bigint
  /** What went back to the payer of a payin, or may go back. */
  sums: PayinSums
  /** What it costs the organisation; null when no fee schedule applies. */
  fee: Fee | null
  requestId: string
  createdAt: Date
  updatedAt: Date
}

interface StateChange {
  state: AttemptState
  /** An ISO timestamp. */
  at: string
}

export interface StoredAttempt {
  attemptNo: number
  provider: string
  /** The provider account that it was sent to, and that alone may report on it. */
  accountId: string
  custody: Custody
  configId: string
  reference: string
  state: AttemptState
  /** The states after the first, each with its time; null while it has none. */
  stateChanges: readonly StateChange[] | null
  providerRef: string | null
  providerStatus: string | null
  outcomeCode: string | null
  outcomeMessage: string | null
  /** The cost that the provider charged, if it reports one. */
  cost: Money | null
  reachedCustomer: boolean
  notFoundCount: number
  /** The engine's scheduled inquiries; those of a page or a webhook are not among them. */
  inquiries: number
  pageInquiries: number
  pageInquiredAt: Date | null
  /** How often the parameters of the customer's return were passed on to the provider. */
  forwardedReturns: number
  /** Claimed before the provider is called. */
  otpTries: number
  /** Those of the tries that the provider has refused. */
  wrongOtps: number
  /** The decision of two people about it; null if the provider's report applies. */
  resolutionId: string | null
  deadlineAt: Date
  /**
   * By the monotonic clock of the process that wrote it, taken before the database stamped its deadline. No other process
   * has it, and no other may send the attempt.
   */
  sendBeforeMs?: number
  createdAt: Date
  updatedAt: Date
}

/** A payment with all of its attempts. */
export interface LoadedPayment {
  payment: Payment
  attempts: StoredAttempt[]
}

export const openAttempt = (loaded: LoadedPayment): StoredAttempt | undefined =>
  loaded.attempts.find((attempt) => isOpen(attempt.state))

export const lastAttempt = (loaded: LoadedPayment): StoredAttempt | undefined => loaded.attempts.at(-1)

/** The route candidates that have no attempt yet, in order. */
export const untriedRoutes = (loaded: LoadedPayment): RouteCandidate[] =>
  loaded.payment.routing.candidates.filter(
    (candidate) => !loaded.attempts.some((attempt) => attempt.configId === candidate.configId),
  )

/**
 * Whether the route of an attempt may be tried once more. A card that was sent with the request cannot: it is not
 * stored.
 */
export const canRepeat = (
  { payment, attempts }: LoadedPayment,
  { configId }: Pick<StoredAttempt, 'configId'>,
  { repeatMs }: PollSchedule,
): boolean =>
  (payment.method !== 'card' || payment.card === null) &&
  attempts.filter((attempt) => attempt.configId === configId).length <= repeatMs.length

/** The route whose last decline is to be repeated, and when. */
export function routeToRepeat(
  loaded: LoadedPayment,
  pollSchedule: PollSchedule,
): { route: RouteCandidate; at: Date } | undefined {
  const { candidates, fallback } = loaded.payment.routing
  const last = lastAttempt(loaded)
  const table: Readonly<Record<string, string | undefined>> = fallback ?? {}
  if (last?.state !== 'declined' || table[last.outcomeCode ?? ''] !== 'later') return undefined
  const route = candidates.find(({ configId }) => configId === last.configId)
  if (!route || last.reachedCustomer || !canRepeat(loaded, last, pollSchedule)) return undefined
  const tries = loaded.attempts.filter(({ configId }) => configId === last.configId).length
  return { route, at: new Date(last.updatedAt.getTime() + (pollSchedule.repeatMs[tries - 1] ?? 0)) }
}

/** The amount that the provider moves: the source of a payin, the target of a payout. */
export const providerAmount = (payment: Pick<Payment, 'direction' | 'source' | 'target'>): Money =>
  payment.direction === 'outbound' ? payment.target : payment.source

/** Binds the sealed details to their row: they cannot be opened for another payment. */
export const privateContext = (paymentId: string): string => `payment ${paymentId}`

/**
 * The owner of the virtual accounts that fund payouts. It adds its statements to the transaction in which a funded
 * payment is created (`previous` is undefined) or changes its status, after the payment's ledger transfers.
 */
export type Funding = (previous: Status | undefined, payment: Payment) => CompiledQuery[]

export interface PaymentDeps extends ScreeningDeps {
  connectors: ConnectorSource
  breakers: Breakers
  log: Log
  meter: Meter
  funding: Funding
  /** The base of the return page's URL, and the key that signs the payment's id in it. */
  publicUrl: string
  returnKey: KeyRing
  /** A sender that has written no outcome by then is considered dead. */
  sendDeadlineMs: number
  pollSchedule: PollSchedule
}

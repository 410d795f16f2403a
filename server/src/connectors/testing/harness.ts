import type {
  Attempt,
  BankAccount,
  CollectDetails,
  Connector,
  ConnectorDefinition,
  Payee,
  PaymentMethod,
  RampDetails,
} from '../kit/connector.ts'

/** The reasons for which the simulator can decline a payment at any provider. */
export const refusalReasons = ['temporarily_unavailable', 'insufficient_funds', 'declined'] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** How the provider refuses: in its answer, or by accepting the payment and failing it later. */
export type Refusal =
  | { kind: 'declined'; code: string; fallback: boolean }
  | { kind: 'failed' | 'canceled'; code?: string }

export interface FlowChange {
  amountMinor?: bigint
  /** Replaces the last digits of the phone or account number. */
  accountEnding?: string
  /** Replaces fields of the flow's details. */
  details?: Partial<CollectDetails & Payee & RampDetails>
}

/** A test value that the provider documents for its sandbox, or a request that its rules forbid. */
interface TestValue {
  title: string
  change: FlowChange
  refusal: Refusal
}

interface FlowBase {
  /** Part of the test names, such as `mobile money in Uganda`. */
  title: string
  method: PaymentMethod
  country: string
  currency: string
  /** All tests use the first; each must arrive exactly. Their cents must not be those of a sentinel. */
  amountsMinor: readonly [bigint, ...bigint[]]
  /** The field that contains the two sentinel digits. */
  sentinels: 'cents' | 'account'
  refusals: Readonly<Record<RefusalReason, Refusal>>
  testValues?: readonly TestValue[]
  /** The flow can ask for a one-time password. */
  otp?: true
  /** False if the provider has no idempotency key, so that a repeated request is a second charge. */
  idempotent?: false
  /** False if only the provider's id finds a payment: after a lost answer an inquiry is unknown. */
  foundByReference?: false
  /** False if an inquiry about a request that never arrived is "unknown" rather than "not found". */
  reportsNotFound?: false
  /** False if payments cannot be looked up: only webhooks report their result. */
  lookUp?: false
  /** False if no lookup reports the paid amount. */
  reportsAmount?: false
  /** False if no webhook reports a failure, because the customer may always try again. */
  reportsFailure?: false
  /** The provider needs only the amount. */
  bare?: true
}

export type PayinFlow = FlowBase & { direction: 'payin'; details: CollectDetails }
export type PayoutFlow = FlowBase & { direction: 'payout'; details: Payee }
/** One provider carries out both legs; the amounts are those of the fiat leg. */
export type RampFlow = FlowBase & { direction: 'on_ramp' | 'off_ramp'; details: RampDetails }
export type Flow = PayinFlow | PayoutFlow | RampFlow

export interface LogEntry {
  readonly sequence: number
  readonly kind: 'charge' | 'payout' | 'refund'
  readonly reference: string
  readonly amount: string
  readonly currency: string
}

type SimulatorOperation =
  | 'collect'
  | 'payout'
  | 'refund'
  | 'inquire'
  | 'cancel'
  | 'list'
  | 'dispute'
  | 'prepare'
type SimulatorFaultName =
  | 'timeout_before'
  | 'timeout_after'
  | 'error_500'
  | 'error_500_accepted'
  | 'rate_limit'
  | 'refuse'
  | 'down'
  | 'cut_answer'
  | 'malformed_200'
  | 'decline'

export interface SimulatorFault {
  readonly on: SimulatorOperation
  readonly fault: SimulatorFaultName
  readonly times?: number
  readonly reason?: RefusalReason
}

/** The part of the simulator that the suite uses. */
export interface ContractSimulator {
  readonly url: string
  readonly providerUrl: (provider: string) => string
  readonly log: (filter: { provider: string; afterSequence: number }) => readonly LogEntry[]
  readonly configure: (provider: string, config: AccountChange) => unknown
  readonly setFaults: (provider: string, faults: readonly SimulatorFault[]) => void
  readonly settle: () => Promise<number>
  readonly dispute: (provider: string, input: DisputeInput) => Promise<SimulatedDispute>
  readonly disputes: (provider: string) => readonly SimulatedDispute[]
  readonly stop: () => Promise<void>
}

export interface SimulatedDispute {
  readonly id: string
  readonly moves: number
  readonly isSubmitted: boolean
}

type DisputeSending = { duplicate?: boolean; forge?: boolean; deliver?: boolean }
type DisputeInput =
  | (DisputeSending & { reference: string })
  | (DisputeSending & { id: string; action: 'lose' })

interface AccountChange {
  webhook_url?: string
  options?: Record<string, string | number | boolean>
}

export interface ContractHarness {
  definition: ConnectorDefinition
  startSimulator: (options: { delayMs: number }) => Promise<ContractSimulator>
  /** The credentials that an operator would store, with the simulator's address. */
  credentials: (baseUrl: string) => object
  /** The same with an unknown key. */
  wrongCredentials: (baseUrl: string) => object
  /** Values that no result of the connector may contain. The suite adds the card numbers of the flows. */
  secrets: readonly string[]
  /** The first flow of each direction and method runs under every fault; the others run only without faults. */
  flows: readonly [Flow, ...Flow[]]
  webhooks: WebhookHarness
  /** Present if the provider has refunds. */
  refunds?: RefundHarness
  /** The provider has no list of networks, so they are configuration. */
  networks?: 'configured'
  cancel?: CancelHarness
  accounts?: AccountHarness
  /** The country in which accounts are opened, for providers that open them. */
  openings?: { country: string }
  /** A flow whose payments are listed, for providers that list only some payments. */
  listed?: Flow
  /** Configures the amount that the customer will pay, if no request contains it. */
  configureBefore?: (attempt: Attempt) => AccountChange
  /** The provider's OpenAPI files, against which every request is validated. */
  openapi?: OpenapiHarness | readonly OpenapiHarness[]
}

interface RefundHarness {
  /** A flow whose payments can be refunded. Absent: the first payin. */
  flow?: PayinFlow
  partial: boolean
  /** False if no webhook reports refunds. */
  isReported?: false
  /** Our reference finds refunds although it does not find payments. */
  found?: true
  /** The provider refunds by a payout. */
  by?: 'payout'
}

interface OpenapiHarness {
  file: string
  baseUrl?: (providerUrl: string) => string
  deviations?: Record<string, string>
}

/** Brings a payment into a state in which it can be canceled. */
export interface CancelHarness {
  flow: Flow
  account: AccountChange
  accountAfter: AccountChange
}

/** For providers that list banks and resolve account names. */
export interface AccountHarness {
  country: string
  known: BankAccount
  unknown: BankAccount
}

interface WebhookHarness {
  /** `unsigned`: a secret in a header or in the address, and no signature of the body. `none`: no webhooks. */
  kind: 'signed' | 'unsigned' | 'none'
  /** A genuine webhook that is older is refused. Absent: the signature contains no time. */
  windowMs?: number
  /** Only some fields are signed, and the connector reads no others. */
  binds?: 'fields'
  /** Webhooks contain the provider's id of a payment and not our reference. */
  named?: 'by provider'
  /** Webhooks report final states that an inquiry does not return. */
  decide?: true
}

/** The flows that run under every fault: one for each direction and method. */
export function mainFlows(flows: readonly Flow[]): Flow[] {
  const seen = new Set<string>()
  return flows.filter(({ direction, method }) => {
    const isFirst = !seen.has(`${direction} ${method}`)
    seen.add(`${direction} ${method}`)
    return isFirst
  })
}

export const openapiFiles = ({ openapi = [] }: ContractHarness): readonly OpenapiHarness[] =>
  'file' in openapi ? [openapi] : openapi

export const isPayin = (flow: Flow): flow is PayinFlow => flow.direction === 'payin'
export const isRamp = (flow: Flow): flow is RampFlow =>
  flow.direction === 'on_ramp' || flow.direction === 'off_ramp'

/** The simulator's operation for the flow: fiat comes in or goes out. */
export const operationOf = ({ direction }: Flow): 'collect' | 'payout' =>
  direction === 'payin' || direction === 'on_ramp' ? 'collect' : 'payout'

export const mobileMoneyOf = ({ details }: Flow) =>
  'person' in details ? details.person.mobileMoney : details.mobileMoney

/** A connector without a provider, to inspect which functions it has. */
export const shapeOf = ({ definition, credentials }: ContractHarness): Connector =>
  definition.create({
    credentials: definition.credentials.parse(credentials('http://127.0.0.1:9')),
    http: async () => ({ kind: 'not_sent', reason: 'this connector is only inspected' }),
    clock: { now: () => new Date() },
    webhookUrl: 'https://api.test/hook',
  })

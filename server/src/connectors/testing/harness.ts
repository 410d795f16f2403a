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

/** What the simulator can be told to refuse, whatever the provider calls it. */
export const refusalReasons = ['temporarily_unavailable', 'insufficient_funds', 'declined'] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** How the provider says no: at once, or by accepting and failing later. */
export type Refusal =
  { kind: 'declined'; code: string; fallback: boolean } | { kind: 'failed' | 'canceled'; code?: string }

export interface FlowChange {
  amountMinor?: bigint
  /** Replaces the last digits of the phone or account number. */
  accountEnding?: string
  /** Replaces fields of the flow's details. */
  details?: Partial<CollectDetails & Payee & RampDetails>
}

/** A value that the provider documents for its sandbox, or a request that it refuses by its own rules. */
export interface TestValue {
  title: string
  change: FlowChange
  refusal: Refusal
}

interface FlowBase {
  /** In a test's name: `mobile money in Uganda`. */
  title: string
  method: PaymentMethod
  country: string
  currency: string
  /** The first is used everywhere; each must arrive exactly. At the currency's exponent, without a sentinel's cents. */
  amountsMinor: readonly [bigint, ...bigint[]]
  /** Where the simulator finds its two sentinel digits. */
  sentinels: 'cents' | 'account'
  refusals: Readonly<Record<RefusalReason, Refusal>>
  testValues?: readonly TestValue[]
  /** The flow can ask for a one-time password. */
  otp?: true
  /** False where the provider knows no key of ours and a repeat is a second charge. */
  idempotent?: false
  /** False where only the provider's own id finds a payment: after a lost answer an inquiry is unknown. */
  foundByReference?: false
  /** False where what the provider never received is unknown to an inquiry, and not "not found". */
  notFoundTold?: false
  /** False where the provider cannot be asked about a payment: its webhooks alone tell what became of it. */
  lookUp?: false
  /** False where no look-up tells how much was paid. */
  amountTold?: false
  /** False where no webhook tells that a payment failed: the customer may always try again. */
  failureTold?: false
  /** The provider needs nothing but the amount. */
  bare?: true
}

export type PayinFlow = FlowBase & { direction: 'payin'; details: CollectDetails }
export type PayoutFlow = FlowBase & { direction: 'payout'; details: Payee }
/** Both legs at one provider; the amounts are those of the fiat. */
export type RampFlow = FlowBase & { direction: 'on_ramp' | 'off_ramp'; details: RampDetails }
export type Flow = PayinFlow | PayoutFlow | RampFlow

export interface LogEntry {
  readonly sequence: number
  readonly kind: 'charge' | 'payout' | 'refund'
  readonly reference: string
  readonly amount: string
  readonly currency: string
}

export type SimulatorOperation = 'collect' | 'payout' | 'refund' | 'inquire' | 'cancel' | 'list'
export type SimulatorFaultName =
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

/** What the suite uses of the simulator. Its `startSimulator` fits; the kit may not import it. */
export interface ContractSimulator {
  readonly url: string
  readonly providerUrl: (provider: string) => string
  readonly log: (filter: { provider: string; afterSequence: number }) => readonly LogEntry[]
  readonly configure: (provider: string, config: AccountChange) => unknown
  readonly setFaults: (provider: string, faults: readonly SimulatorFault[]) => void
  readonly settle: () => Promise<number>
  readonly stop: () => Promise<void>
}

export interface AccountChange {
  webhook_url?: string
  options?: Record<string, string | number | boolean>
}

export interface ContractHarness {
  definition: ConnectorDefinition
  startSimulator: (options: { delayMs: number }) => Promise<ContractSimulator>
  /** What an operator would store, with the provider's address replaced. */
  credentials: (baseUrl: string) => object
  /** The same with a key that the provider does not know. */
  wrongCredentials: (baseUrl: string) => object
  /** Values that no answer of the connector may carry. Card numbers of the flows are added by the suite. */
  secrets: readonly string[]
  /** The first of each direction and method meets every fault; the others only show their happy path. */
  flows: readonly [Flow, ...Flow[]]
  webhooks: WebhookHarness
  /** Where the provider can refund: a flow whose payments can be. Absent: the first payin. `told: false`: no webhook. */
  refunds?: RefundHarness
  /** The provider has no list of networks: they are configuration. */
  networks?: 'configured'
  cancel?: CancelHarness
  accounts?: AccountHarness
  /** Where the provider lists only some of its payments: a flow that is among them. */
  listed?: Flow
  /** What the simulator must know before an attempt is sent: how much its customer pays, where no call says it. */
  foretell?: (attempt: Attempt) => AccountChange
  /** The provider's OpenAPI files, against which every request is held. */
  openapi?: OpenapiHarness | readonly OpenapiHarness[]
}

/** `by`: what the provider is asked for, where a refund is a payment the other way. */
export interface RefundHarness {
  flow?: PayinFlow
  partial: boolean
  told?: false
  found?: true
  by?: 'payout'
}

export interface OpenapiHarness {
  file: string
  baseUrl?: (providerUrl: string) => string
  deviations?: Record<string, string>
}

/** How to bring a payment into the state in which it can be canceled. */
export interface CancelHarness {
  flow: Flow
  account: AccountChange
  accountAfter: AccountChange
}

/** Where the provider tells banks and the names of accounts. */
export interface AccountHarness {
  country: string
  known: BankAccount
  unknown: BankAccount
}

export interface WebhookHarness {
  /** `unsigned`: a secret in a header or in the address, and nothing that binds the body. `none`: no webhooks. */
  kind: 'signed' | 'unsigned' | 'none'
  /** A genuine webhook older than this is refused. Absent: the provider's signature has no time. */
  windowMs?: number
  /** Some fields are signed and not the whole body: what a changed byte elsewhere changes is never read. */
  binds?: 'fields'
  /** They carry the provider's own name of a payment and no reference of ours. */
  named?: 'by provider'
  /** They bring ends that an inquiry cannot. */
  decide?: true
}

/** The flows that meet every fault: one for each direction and method. */
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

/** What the simulator calls it when fiat comes in, and when it goes out. */
export const operationOf = ({ direction }: Flow): 'collect' | 'payout' =>
  direction === 'payin' || direction === 'on_ramp' ? 'collect' : 'payout'

export const mobileMoneyOf = ({ details }: Flow) =>
  'person' in details ? details.person.mobileMoney : details.mobileMoney

/** A connector that can be looked at before there is anything to talk to. */
export const shapeOf = ({ definition, credentials }: ContractHarness): Connector =>
  definition.create({
    credentials: definition.credentials.parse(credentials('http://127.0.0.1:9')),
    http: async () => ({ kind: 'not_sent', reason: 'only its shape is looked at' }),
    clock: { now: () => new Date() },
    webhookUrl: 'https://api.test/hook',
  })

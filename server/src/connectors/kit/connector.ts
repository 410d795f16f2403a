import type { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import type { Money } from '../../lib/money/money.ts'
import type { AccountHolder, NewBankAccount, OpeningOutcome, ProviderDeposit } from './accounts.ts'
import type { CapabilityFacts, ProviderFacts, WebhookProves, WebhookVerdict } from './declared.ts'
import type {
  DisputeEvidence,
  DisputeInquiry,
  DisputeOutcome,
  DisputePage,
  DisputeSubject,
  ProviderDispute,
} from './disputes.ts'
import type { HttpClient } from './http-client.ts'
import type { Bank, Network, TransactionPage } from './lists.ts'
import type { CryptoInstructions, RampDirection, Wallet } from './ramp-details.ts'
import type { ProviderRefund, ReportedRefund } from './refunds.ts'
import type { Direction, Failure, ProviderState } from './state.ts'

export type PaymentMethod = 'mobile_money' | 'bank_transfer' | 'card' | 'crypto'

export interface Capability extends CapabilityFacts {
  direction: Direction | RampDirection
  /** For a ramp, the method of its fiat leg. */
  method: PaymentMethod
  /** ISO 3166 alpha-2. */
  countries: readonly string[]
  currencies: readonly string[]
  /** For crypto, the networks of each asset. */
  assets?: Readonly<Record<string, readonly string[]>>
}

/** One attempt to carry out a payment at one provider. It is stored before anything is sent. */
export interface Attempt {
  /** Our UUIDv4: the idempotency key at the provider, and the reference in its webhooks and lookups. */
  reference: string
  /** The provider's id, once we know it. */
  providerRef: string | null
  direction: Direction | RampDirection
  method: PaymentMethod
  country: string
  /** The source amount of a payin, the target amount of a payout, or the fiat amount of a ramp. */
  amount: Money
  createdAt: Date
}

export interface Payer {
  name?: string | undefined
  email?: string | undefined
  phone?: string | undefined
}

/** Held in memory only: never logged, stored, journaled or included in an error. */
export interface Card {
  number: string
  expiryMonth: string
  expiryYear: string
  cvv?: string | undefined
  holderName?: string | undefined
}

export interface MobileMoney {
  /** The provider network code, as `listNetworks` returns it. */
  network: string
  phoneNumber: string
}

export interface BankAccount {
  accountName?: string | undefined
  accountNumber?: string | undefined
  bankName?: string | undefined
  bankCode?: string | undefined
  sortCode?: string | undefined
  iban?: string | undefined
  swiftCode?: string | undefined
  country?: string | undefined
}

export interface CollectDetails {
  payer: Payer
  card?: Card | undefined
  mobileMoney?: MobileMoney | undefined
  /** The payer's bank account, for providers that require it. */
  payerAccount?: BankAccount | undefined
  /** The network on which crypto is collected, at an address that the connector returns. */
  cryptoNetwork?: string | undefined
  description?: string | undefined
  /** Our page to which the provider redirects the customer. */
  returnUrl: string
}

export interface Payee {
  name: string
  email?: string | undefined
  phone?: string | undefined
  mobileMoney?: MobileMoney | undefined
  bankAccount?: BankAccount | undefined
  wallet?: Wallet | undefined
  description?: string | undefined
}

/** What a provider needs to carry out both legs of a ramp itself. */
export interface RampDetails {
  crypto: Money
  network: string
  /** Receives the crypto of an on-ramp. */
  walletAddress?: string | undefined
  /** Pays the fiat of an on-ramp or receives the fiat of an off-ramp. */
  person: Payee
  customer: {
    id: string
    type: 'retail' | 'business'
    businessId?: string | undefined
    businessName?: string | undefined
  }
  returnUrl: string
}

/** Funding instructions, with the field names of the API. */
export interface BankInstructions {
  account_name?: string
  account_number?: string
  bank_name?: string
  bank_code?: string
  sort_code?: string
  iban?: string
  reference?: string
  expires_at?: string
}

export type NextAction =
  | { type: 'redirect'; url: string }
  | { type: 'wait'; message?: string }
  | { type: 'bank_transfer'; instructions: BankInstructions }
  | { type: 'crypto_transfer'; instructions: CryptoInstructions }
  | { type: 'pay_by_link'; paymentLink: string }
  | { type: 'collect_otp'; message?: string }
  | { type: 'check_status' }

export interface AcceptedOutcome {
  kind: 'accepted'
  providerRef: string | null
  /** The provider's raw status, stored for diagnosis. */
  providerStatus: string
  state: ProviderState
  /** The amount that the provider reports as moved, if it reports one. */
  amount?: Money | undefined
  /** What the provider charges for it, if it reports that. */
  cost?: Money | undefined
  nextAction?: NextAction | undefined
  /** The total that has arrived so far, even if the payment is not yet fully funded. */
  received?: Money | undefined
}

/** The only possible results of sending a payment. */
export type Outcome =
  | AcceptedOutcome
  /** The provider refused and no money moved. `fallback`: another provider may accept the payment. */
  | { kind: 'declined'; failure: Failure; fallback: boolean }
  /** The request failed before its first byte was sent. */
  | { kind: 'not_sent'; reason: string }
  /** Every other result. The payment must not be sent again, neither here nor to another provider. */
  | { kind: 'unknown'; reason: string }

export type Inquiry =
  | AcceptedOutcome
  | { kind: 'not_found' }
  /** `isAsked`: the provider accepted the inquiry and will answer it by webhook. */
  | { kind: 'unknown'; reason: string; isAsked?: true }

export type CustomerAction = { type: 'submit_otp'; otp: string } | { type: 'resend_otp' }

export type ActionOutcome = Outcome | { kind: 'wrong_otp' }

export interface RefundRequest {
  /** Our UUIDv4, the idempotency key of this refund. */
  reference: string
  providerRef: string | null
  amount: Money
  isPartial: boolean
  /** Asked before the request leaves, by connectors that make other calls first. Absent: there is no deadline. */
  isInTime?: () => boolean
}

/** The refunds of one payment, or all since then. */
export type RefundScope = { attempt: Attempt } | { since: Date }

export interface WebhookRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
  rawBody: Buffer
  method: string
  /** The URL that the provider called: scheme, host, path and query. */
  url: string
}

export interface ProviderUpdate {
  /** Unique per reported change, and equal if the same change is reported again. */
  dedupeKey: string
  /** Our reference of the attempt or refund; the provider's id if the message does not repeat ours. */
  reference: string
  subject: 'attempt' | 'refund'
  providerRef: string | null
  providerStatus: string
  state: ProviderState
  /** The amount that the provider reports as moved, if it reports one. */
  amount?: Money | undefined
  /** What the provider charges for it, if it reports that. */
  cost?: Money | undefined
  /** The payment of a refund that we may not have started, because it was made at the provider itself. */
  refundOf?: ReportedRefund | undefined
  /** Another program may use the same account, so a message about nothing here is not raised. */
  isPerhapsForeign?: true | undefined
  /** The next step, for providers that report it by webhook, such as the URL of a payment page. */
  nextAction?: NextAction | undefined
}

/** A capability that the provider lacks is an absent function. */
export interface Connector<Proves extends WebhookProves = WebhookProves> {
  /** The name of the connector’s folder, which is the value of `provider` in the API. */
  readonly name: string
  readonly capabilities: readonly Capability[]
  /** After this time, two consecutive "not found" prove that the request never arrived. Absent: they never prove it. */
  readonly notFoundFinalAfterMs?: number
  /** The provider accepts card numbers in the request. Absent: customers enter them on the provider's page. */
  readonly takesCards?: boolean
  /** Without a card in the request, customers enter it on the provider's own page. */
  readonly hasCardPage?: boolean
  /** A repeated request is the same payment, so a leg with an unknown outcome may be sent again or canceled for good. */
  readonly isRepeatable?: true
  /** Fields, by their API names, that this provider needs and the request lacks. */
  missingFields?(attempt: Attempt, details: CollectDetails | Payee): string[]
  collect?(attempt: Attempt, details: CollectDetails): Promise<Outcome>
  payout?(attempt: Attempt, payee: Payee): Promise<Outcome>
  onRamp?(attempt: Attempt, details: RampDetails): Promise<Outcome>
  offRamp?(attempt: Attempt, details: RampDetails): Promise<Outcome>
  inquire(attempt: Attempt): Promise<Inquiry>
  act?(attempt: Attempt, action: CustomerAction): Promise<ActionOutcome>
  /** Passes on the parameters of the customer's return, for providers that need them to continue. */
  receiveReturn?(attempt: Attempt, parameters: Readonly<Record<string, string>>): Promise<Outcome>
  cancel?(attempt: Attempt): Promise<Outcome>
  refund?(attempt: Attempt, refund: RefundRequest): Promise<Outcome>
  inquireRefund?(attempt: Attempt, refund: RefundRequest): Promise<Inquiry>
  /** Undefined: the list is incomplete. */
  listRefunds?(scope: RefundScope): Promise<ProviderRefund[] | undefined>
  verifyWebhook?(request: WebhookRequest): Promise<WebhookVerdict<Proves>>
  /** `url`: the called URL, for providers that call a separate one for each payment. */
  readWebhook?(rawBody: Buffer, url?: string): ProviderUpdate[]
  /** The provider's own id of the account that the keys belong to; undefined if it could not be asked. */
  identify?(): Promise<string | undefined>
  listNetworks?(country: string): Promise<Network[]>
  listBanks?(country: string): Promise<Bank[]>
  listTransactions?(since: Date, cursor: string | null): Promise<TransactionPage>
  /** The only direction in the list of transactions. Absent: the list has both. */
  readonly listsOnly?: Direction
  /** The currencies in which accounts can be opened. It is present if and only if `openAccount` is. */
  readonly accountCurrencies?: readonly string[]
  openAccount?(account: NewBankAccount): Promise<OpeningOutcome>
  /** The deposits that a webhook reports. They count only if its signature was verified. */
  readDeposits?(rawBody: Buffer): ProviderDeposit[]
  resolveAccount?(account: BankAccount & { country: string }): Promise<AccountHolder>
  /** The disputes that a webhook reports. Those of an unsigned one only trigger `inquireDispute`. */
  readDisputes?(rawBody: Buffer): ProviderDispute[]
  inquireDispute?(providerRef: string): Promise<DisputeInquiry>
  /** Our reference of the payment with this id of the provider, for disputes that name nothing else. */
  referenceOf?(paymentRef: string): Promise<string | undefined>
  listDisputes?(since: Date, cursor: string | null): Promise<DisputePage>
  /** For providers that call a payment with a lost dispute reversed. Undefined: its disputes could not be read. */
  disputesOf?(attempt: Attempt): Promise<ProviderDispute[] | undefined>
  submitEvidence?(dispute: DisputeSubject, evidence: DisputeEvidence): Promise<DisputeOutcome>
  acceptDispute?(dispute: DisputeSubject): Promise<DisputeOutcome>
}

export type Method<Name extends keyof Connector> = NonNullable<Connector[Name]>

export interface ConnectorContext<Credentials> {
  credentials: Credentials
  http: HttpClient
  clock: Clock
  /** Our webhook address for this account, for providers that take it with each request. */
  webhookUrl: string
}

/** Static description of a connector; the registry has one for each provider. */
export interface ConnectorDefinition<
  Schema extends z.ZodType = z.ZodType,
  Proves extends WebhookProves = WebhookProves,
> extends ProviderFacts<Proves> {
  name: string
  /** What an operator stores for the provider: keys, secrets, base URL and configurable facts. */
  credentials: Schema
  /** The merchant account that the credentials name themselves. Credentials that name another are not new keys. */
  namedAccount?(credentials: z.infer<Schema>): string
  create(context: ConnectorContext<z.infer<Schema>>): Connector<Proves>
}

export const defineConnector = <Schema extends z.ZodType, Proves extends WebhookProves>(
  definition: ConnectorDefinition<Schema, Proves>,
): ConnectorDefinition<Schema, Proves> => definition

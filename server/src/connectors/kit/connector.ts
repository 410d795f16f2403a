import type { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import type { Money } from '../../lib/money.ts'
import type { AccountHolder, NewBankAccount, OpeningOutcome, ProviderDeposit } from './accounts.ts'
import type { CapabilityFacts, ProviderFacts } from './declared.ts'
import type { HttpClient } from './http-client.ts'
import type { Bank, Network, TransactionPage } from './lists.ts'
import type { CryptoInstructions, RampDirection, Wallet } from './ramp-details.ts'
import type { Direction, Failure, ProviderState } from './state.ts'

export type PaymentMethod = 'mobile_money' | 'bank_transfer' | 'card' | 'crypto'

export interface Capability extends CapabilityFacts {
  direction: Direction | RampDirection
  /** Of a ramp: how its fiat moves. */
  method: PaymentMethod
  /** ISO 3166 alpha-2. */
  countries: readonly string[]
  currencies: readonly string[]
  /** For crypto: the networks of each asset. */
  assets?: Readonly<Record<string, readonly string[]>>
}

/** What a connector knows of one try at one provider. Written down before anything is sent. */
export interface Attempt {
  /** A UUIDv4 of ours: the provider's idempotency key, and what its webhooks and look-ups name. */
  reference: string
  /** The provider's own id, once it has told us. */
  providerRef: string | null
  direction: Direction | RampDirection
  method: PaymentMethod
  country: string
  /** What the provider moves: the source amount of a payin, the target amount of a payout, the fiat of a ramp. */
  amount: Money
  createdAt: Date
}

export interface Payer {
  name?: string | undefined
  email?: string | undefined
  phone?: string | undefined
}

/** In memory only. Never logged, stored, journaled or put into an error. */
export interface Card {
  number: string
  expiryMonth: string
  expiryYear: string
  cvv?: string | undefined
  holderName?: string | undefined
}

export interface MobileMoney {
  /** A network as `listNetworks` names it. */
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
  /** The payer's own account, where a provider asks for it. */
  payerAccount?: BankAccount | undefined
  /** Crypto is collected on this network, at an address that the connector names. */
  cryptoNetwork?: string | undefined
  description?: string | undefined
  /** Our own page, to which the provider sends the customer back. */
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

/** Funding instructions under the names that the API returns them. */
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

export interface Accepted {
  kind: 'accepted'
  providerRef: string | null
  /** The provider's own word, for the record. */
  providerStatus: string
  state: ProviderState
  /** What the provider says moved, where it says so. */
  amount?: Money | undefined
  nextAction?: NextAction | undefined
  /** All that has arrived so far, even of an unpaid rest. */
  received?: Money | undefined
}

/** The four answers to a send, and no others. */
export type Outcome =
  | Accepted
  /** It said no and nothing moved. `fallback`: another provider may say yes. */
  | { kind: 'declined'; failure: Failure; fallback: boolean }
  /** It never got there: before the first byte of the request. */
  | { kind: 'not_sent'; reason: string }
  /** Anything else. Never a reason to send again or elsewhere. */
  | { kind: 'unknown'; reason: string }

export type Inquiry =
  | Accepted
  | { kind: 'not_found' }
  /** `isAsked`: the provider took the question and answers it by a webhook. */
  | { kind: 'unknown'; reason: string; isAsked?: true }

export type CustomerAction = { type: 'submit_otp'; otp: string } | { type: 'resend_otp' }

export type ActionOutcome = Outcome | { kind: 'wrong_otp' }

export interface RefundRequest {
  /** A UUIDv4 of ours, the idempotency key of this refund. */
  reference: string
  providerRef: string | null
  amount: Money
  isPartial: boolean
}

export interface WebhookRequest {
  headers: Readonly<Record<string, string | string[] | undefined>>
  rawBody: Buffer
  method: string
  /** As the provider called it: scheme, host, path. */
  url: string
}

export type WebhookVerdict =
  | { kind: 'verified' }
  /** The provider signs nothing: the body is a hint, and we ask. */
  | { kind: 'unsigned' }
  | { kind: 'forged'; reason: string }

export interface ProviderUpdate {
  /** Unique per thing that the provider tells, equal for a repeat. */
  dedupeKey: string
  /** Which of our references it is about: an attempt or a refund. */
  reference: string
  subject: 'attempt' | 'refund'
  providerRef: string | null
  providerStatus: string
  state: ProviderState
  /** What the provider says moved, where it says so. */
  amount?: Money | undefined
  /** Where the provider tells the next step by webhook: an address that became known, for example. */
  nextAction?: NextAction | undefined
}

/** A capability that a provider lacks is an absent function. */
export interface Connector {
  /** The name of the connector’s folder, which is the value of `provider` in the API. */
  readonly name: string
  readonly capabilities: readonly Capability[]
  /** After this long, "not found" (twice in a row) means that the request never arrived. Absent: it never means that. */
  readonly notFoundFinalAfterMs?: number
  /** It can be given a card; without this, cards are typed on the provider's own page. */
  readonly takesCards?: boolean
  /** A repeat is the same payment: a leg whose outcome is unknown is sent again, or given up for good by `cancel`. */
  readonly isRepeatable?: true
  /** Request fields (in the API's own names) that this provider needs and the request lacks. */
  missingFields?(attempt: Attempt, details: CollectDetails | Payee): string[]
  collect?(attempt: Attempt, details: CollectDetails): Promise<Outcome>
  payout?(attempt: Attempt, payee: Payee): Promise<Outcome>
  onRamp?(attempt: Attempt, details: RampDetails): Promise<Outcome>
  offRamp?(attempt: Attempt, details: RampDetails): Promise<Outcome>
  inquire(attempt: Attempt): Promise<Inquiry>
  act?(attempt: Attempt, action: CustomerAction): Promise<ActionOutcome>
  /** The customer is back on our page with these parameters, without which the provider does not go on. */
  receiveReturn?(attempt: Attempt, parameters: Readonly<Record<string, string>>): Promise<Outcome>
  cancel?(attempt: Attempt): Promise<Outcome>
  refund?(attempt: Attempt, refund: RefundRequest): Promise<Outcome>
  inquireRefund?(attempt: Attempt, refund: RefundRequest): Promise<Inquiry>
  verifyWebhook?(request: WebhookRequest): Promise<WebhookVerdict>
  /** `url`: as in the request, for providers that call an address of each payment's own. */
  readWebhook?(rawBody: Buffer, url?: string): ProviderUpdate[]
  listNetworks?(country: string): Promise<Network[]>
  listBanks?(country: string): Promise<Bank[]>
  listTransactions?(since: Date, cursor: string | null): Promise<TransactionPage>
  /** The one direction that the list of transactions holds; absent: both. */
  readonly listsOnly?: Direction
  /** The currencies in which accounts are opened; present exactly if `openAccount` is. */
  readonly accountCurrencies?: readonly string[]
  openAccount?(account: NewBankAccount): Promise<OpeningOutcome>
  /** The deposits that a webhook tells of. Believed only where its signature was verified. */
  readDeposits?(rawBody: Buffer): ProviderDeposit[]
  resolveAccount?(account: BankAccount & { country: string }): Promise<AccountHolder>
}

/** One that a connector has. */
export type Method<Name extends keyof Connector> = NonNullable<Connector[Name]>

export interface ConnectorContext<Credentials> {
  credentials: Credentials
  http: HttpClient
  clock: Clock
  /** Where this account's webhooks arrive, for providers that take the address with each request. */
  webhookUrl: string
}

/** One line per provider in the registry. */
export interface ConnectorDefinition<Schema extends z.ZodType = z.ZodType> extends ProviderFacts {
  name: string
  /** What an operator stores for the provider: keys, secrets, base URL, and facts that are configuration. */
  credentials: Schema
  create(context: ConnectorContext<z.infer<Schema>>): Connector
}

export const defineConnector = <Schema extends z.ZodType>(
  definition: ConnectorDefinition<Schema>,
): ConnectorDefinition<Schema> => definition

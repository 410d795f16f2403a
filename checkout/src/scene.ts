import type { Amount } from './format.ts'
import type { Language } from './languages.ts'
import type { Messages } from './messages/en.ts'

/** The data from which a page is rendered; nothing in it is formatted or escaped. */
export interface Page {
  language: Language
  merchant: { name: string; logoUrl: string | undefined; color: string | null }
  /** The page's own address, without a query. */
  path: string
  request: PaymentRequest | undefined
  scene: Scene
}

/** The amount due, shown at the top of every page of a link. */
export interface PaymentRequest {
  description: string
  /** Undefined until the payer has entered an amount. */
  amount: Amount | undefined
  /** Set if the payer's money is exchanged: the amount that the merchant receives, and the rate. */
  exchange:
    { receives: Amount | undefined; from: string; to: string; rate: string; until: string } | undefined
  /** The deadline, set only while the payer still has to act. */
  payBy: string | undefined
}

/** Lets the page's script detect a new state. */
export interface Live {
  eventsUrl: string
  statusUrl: string
  state: string
}

export type MethodName = 'card' | 'mobile_money' | 'bank_transfer'
export type Field = 'amount' | 'email' | 'card_number' | 'expiry' | 'cvc' | 'network' | 'phone' | 'otp'
export type Notice = Extract<keyof Messages, `notice${string}`>
type Reason = keyof Messages['reasons']

export interface Choice {
  kind: 'choose'
  csrf: string
  version: number
  rateId: string | undefined
  /** Set if the payer enters the amount, in this currency. */
  openAmount: { currency: string } | undefined
  asksEmail: boolean
  methods: readonly { method: MethodName; takesCard: boolean }[]
  networks: readonly { value: string; name: string }[]
  country: string
  /** The countries to choose from; a single one if there is no choice. */
  countries: readonly string[]
  selected: MethodName
  /** The payer's previous input, never that of card fields. */
  values: Partial<Record<Field, string>>
  invalid: readonly Field[]
  notice: Notice | undefined
  live: Live
}

interface InProgress {
  live: Live
  /** Set if the payer can cancel this payment and choose another method. */
  leave: { csrf: string } | undefined
  notice: Notice | undefined
}

export interface TransferDetails {
  account_name?: string | undefined
  account_number?: string | undefined
  bank_name?: string | undefined
  bank_code?: string | undefined
  sort_code?: string | undefined
  iban?: string | undefined
  reference?: string | undefined
  expires_at?: string | undefined
}

export type Scene =
  | Choice
  | ({ kind: 'redirect'; url: string; isAutomatic: boolean } & InProgress)
  | ({
      kind: 'otp'
      csrf: string
      hint: string | undefined
      triesLeft: number | undefined
      isInvalid: boolean
    } & InProgress)
  | ({ kind: 'prompt'; hint: string | undefined } & InProgress)
  | ({ kind: 'transfer'; details: TransferDetails } & InProgress)
  | { kind: 'checking'; live: Live }
  | { kind: 'elsewhere'; live: Live }
  | { kind: 'done'; amount: Amount | undefined; reference: string | undefined; returnUrl: string | undefined }
  | { kind: 'failed'; reason: Reason; retryUrl: string | undefined; returnUrl: string | undefined }
  | { kind: 'expired'; at: string }
  | { kind: 'canceled' }
  | { kind: 'none' }
  | { kind: 'missing' }
  | { kind: 'busy' }
  | { kind: 'trouble' }

export const isReason = (messages: Messages, code: string): code is Reason =>
  Object.hasOwn(messages.reasons, code)

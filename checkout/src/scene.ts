import type { Amount } from './format.ts'
import type { Language } from './languages.ts'
import type { Messages } from './messages/en.ts'

/** What the server knows when it renders a page: data only, nothing formatted, nothing escaped. */
export interface Page {
  language: Language
  merchant: { name: string; logoUrl: string | undefined; color: string | null }
  /** The page's own address, without a query. */
  path: string
  request: PaymentRequest | undefined
  scene: Scene
}

/** What is to be paid, on top of every page of a link. */
export interface PaymentRequest {
  description: string
  /** Unknown while the payer has not said how much. */
  amount: Amount | undefined
  /** Where the payer's money is exchanged: what arrives, and at which rate. */
  exchange:
    { receives: Amount | undefined; from: string; to: string; rate: string; until: string } | undefined
  /** Until when; only where the payer still has to act. */
  payBy: string | undefined
}

/** Tells a page's script that there is something new to see. */
export interface Live {
  eventsUrl: string
  statusUrl: string
  state: string
}

export type MethodName = 'card' | 'mobile_money' | 'bank_transfer'
export type Field = 'amount' | 'email' | 'card_number' | 'expiry' | 'cvc' | 'network' | 'phone' | 'otp'
export type Notice = Extract<keyof Messages, `notice${string}`>
export type Reason = keyof Messages['reasons']

export interface Choice {
  kind: 'choose'
  csrf: string
  version: number
  rateId: string | undefined
  /** Asked for where the payer decides about it, in this currency. */
  openAmount: { currency: string } | undefined
  asksEmail: boolean
  methods: readonly { method: MethodName; takesCard: boolean }[]
  networks: readonly { value: string; name: string }[]
  country: string
  /** To choose from; one where there is no choice. */
  countries: readonly string[]
  selected: MethodName
  /** What the payer typed before; never a card's. */
  values: Partial<Record<Field, string>>
  invalid: readonly Field[]
  notice: Notice | undefined
  live: Live
}

interface UnderWay {
  live: Live
  /** Set where the payer may withdraw this payment and choose again. */
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
  | ({ kind: 'redirect'; url: string; isAutomatic: boolean } & UnderWay)
  | ({
      kind: 'otp'
      csrf: string
      hint: string | undefined
      triesLeft: number | undefined
      isInvalid: boolean
    } & UnderWay)
  | ({ kind: 'prompt'; hint: string | undefined } & UnderWay)
  | ({ kind: 'transfer'; details: TransferDetails } & UnderWay)
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

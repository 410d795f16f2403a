import type { Amount } from './format.ts'
import type { Language } from './languages.ts'
import type { Messages } from './messages/en.ts'

/** The data from which a page is rendered; nothing in it is formatted or escaped. */
export interface Page {
  language: Language
  merchant: { name: string; logoUrl: string | undefined; color: string | null }
  /** The page's URL without a query. */
  path: string
  /** The payer's country, if it is known. */
  country?: string | undefined
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
    | { receives: Amount | undefined; from: string; to: string; rate: string; until: string }
    | undefined
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
  /** `prefixes` are the prefixes of the network's numbers, separated by spaces. */
  networks: readonly { value: string; name: string; prefixes: string }[]
  /** The calling code of the country, such as `+254`. */
  callingCode: string | undefined
  country: string
  /** The countries to choose from; only one if there is no choice. */
  countries: readonly string[]
  selected: MethodName
  /** The payer's previous input, never that of card fields. */
  values: Partial<Record<Field, string>>
  invalid: readonly Field[]
  /** The invalid fields that were left empty. */
  missing: readonly Field[]
  notice: Notice | undefined
  /** A QR code of this page's URL, to continue on a phone. */
  qrUrl: string | undefined
  live: Live
}

/** The receipt, which the payer can have sent by email; only in the browser that paid. */
export interface ReceiptForm {
  csrf: string
  /** The payer's previous input. */
  email: string | undefined
  /** The email address of the payment link, masked. It is used if the payer enters none. */
  fallback: string | undefined
  isSent: boolean
  isInvalid: boolean
}

/** How the payer paid; `detail` is the masked card or phone number. */
export interface PaidMethod {
  method: MethodName
  detail: string | undefined
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
  | ({
      kind: 'prompt'
      hint: string | undefined
      /** The phone that the request was sent to; the number is masked. */
      phone: string | undefined
      network: { brand: string; name: string } | undefined
    } & InProgress)
  | ({ kind: 'transfer'; details: TransferDetails } & InProgress)
  | { kind: 'checking'; live: Live }
  | { kind: 'elsewhere'; live: Live }
  | {
      kind: 'done'
      amount: Amount | undefined
      description: string
      reference: string | undefined
      method: PaidMethod | undefined
      at: string | undefined
      returnUrl: string | undefined
      receipt: ReceiptForm | undefined
      notice: Notice | undefined
    }
  | { kind: 'failed'; reason: Reason; retryUrl: string | undefined; returnUrl: string | undefined }
  | { kind: 'expired'; at: string }
  | { kind: 'canceled' }
  | { kind: 'none' }
  | { kind: 'missing' }
  | { kind: 'busy' }
  | { kind: 'trouble' }

export const isReason = (messages: Messages, code: string): code is Reason =>
  Object.hasOwn(messages.reasons, code)

import { centsOf } from './core/money.ts'
import type { CallFault } from './core/fault-names.ts'
import type { Failure } from './core/transaction.ts'

export const DECLINE_REASONS = ['temporarily_unavailable', 'insufficient_funds', 'declined'] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

/** Why a transaction failed; each protocol maps it to its provider's codes. */
export type FailureReason = DeclineReason | 'not_approved' | 'reversed'

export type Outcome =
  | 'succeeds'
  | 'fails'
  | 'stays_pending'
  | 'needs_otp'
  | 'succeeds_then_reversed'
  | 'fails_then_succeeds'

/** The behaviour of one charge, payout or refund. */
export interface Behaviour {
  readonly outcome: Outcome
  readonly webhooks: 'once' | 'never' | 'twice' | 'before_answer'
  readonly decline?: DeclineReason
  readonly fault?: Exclude<CallFault, 'decline'>
  /** The provider's failure, if a documented test value defines one. */
  readonly failure?: Failure
}

interface Sentinel {
  readonly digits: string
  readonly means: string
  readonly behaviour: Behaviour
}

export const SUCCESS: Behaviour = { outcome: 'succeeds', webhooks: 'once' }

/** The only correct one-time password, in all protocols. */
export const RIGHT_OTP = '123456'
export const MAX_OTP_TRIES = 3

export const SENTINELS: readonly Sentinel[] = [
  sentinel('00', 'succeeds', {}),
  sentinel('11', 'declined: the provider is temporarily unavailable; another provider may be tried', {
    decline: 'temporarily_unavailable',
  }),
  sentinel('12', 'declined: insufficient funds', { decline: 'insufficient_funds' }),
  sentinel('13', 'accepted, then stays pending', { outcome: 'stays_pending' }),
  sentinel('14', 'accepted, pending, then failed: the payer did not approve', { outcome: 'fails' }),
  sentinel('15', 'accepted, then requires a one-time password (123456), or as 00 without passwords', {
    outcome: 'needs_otp',
  }),
  sentinel('16', 'accepted, but the call is never answered; succeeds', { fault: 'timeout_after' }),
  sentinel('17', 'not accepted, and the call is never answered', { fault: 'timeout_before' }),
  sentinel('18', 'accepted, but the call is answered with 500; succeeds', { fault: 'error_500_accepted' }),
  sentinel('19', 'accepted, but the answer is cut in half; succeeds', { fault: 'cut_answer' }),
  sentinel('20', 'accepted, but the 200 answer is not JSON; succeeds', { fault: 'malformed_200' }),
  sentinel('21', 'not accepted, answered with 500', { fault: 'error_500' }),
  sentinel('22', 'succeeds, but no webhook is ever sent', { webhooks: 'never' }),
  sentinel('23', 'succeeds, and each webhook is sent twice', { webhooks: 'twice' }),
  sentinel('24', 'succeeds, and the webhook arrives before the answer to the call', {
    webhooks: 'before_answer',
  }),
  sentinel('25', 'succeeds, and is reversed later', { outcome: 'succeeds_then_reversed' }),
  sentinel('26', 'declined permanently: the account or card is refused', { decline: 'declined' }),
  sentinel('27', 'not accepted, answered with 429', { fault: 'rate_limit' }),
  sentinel('28', 'not accepted, the connection is closed without an answer', { fault: 'down' }),
  sentinel('29', 'fails, then succeeds later', { outcome: 'fails_then_succeeds' }),
]

const BY_DIGITS = new Map(SENTINELS.map((entry) => [entry.digits, entry]))

interface SentinelInput {
  /** Decimal text in the major unit: `100`, `100.5`, `100.16`. */
  readonly amount: string
  /** Bank account or phone number. Absent for cards, which have the provider's documented test numbers. */
  readonly account?: string | undefined
}

/** The cents decide first, then the last two digits of the account or phone number; otherwise it succeeds. */
export function behaviourFor(input: SentinelInput): Behaviour {
  return behaviourOfDigits(centsOf(input.amount)) ?? behaviourOfDigits(lastDigits(input.account)) ?? SUCCESS
}

function behaviourOfDigits(digits: string): Behaviour | undefined {
  return digits === '00' ? undefined : BY_DIGITS.get(digits)?.behaviour
}

function lastDigits(account: string | undefined): string {
  return (account ?? '').replaceAll(/\D/g, '').slice(-2)
}

function sentinel(digits: string, means: string, behaviour: Partial<Behaviour>): Sentinel {
  return { digits, means, behaviour: { outcome: 'succeeds', webhooks: 'once', ...behaviour } }
}

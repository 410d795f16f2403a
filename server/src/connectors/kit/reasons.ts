import type { Outcome } from './connector.ts'
import { failureOf, type FailureCode } from './failures.ts'

/** `final`: another provider would refuse the payment too. */
type Reason = readonly [Pick<RegExp, 'test'>, FailureCode, 'fallback' | 'final']

/** Like /first.*second/i, which takes quadratic time if the first word is repeated. */
export const inOrder = (first: RegExp, second: RegExp): Pick<RegExp, 'test'> => ({
  test: (text) => {
    const found = first.exec(text)
    return found !== null && second.test(text.slice(found.index + found[0].length))
  },
})

/** Patterns for English codes and messages of providers; the first match counts. */
const reasons: readonly Reason[] = [
  [/balance is not enough|insufficient_balance/i, 'PROVIDER_OUT_OF_FUNDS', 'fallback'],
  [inOrder(/insufficient/i, /wallet/i), 'PROVIDER_OUT_OF_FUNDS', 'fallback'],
  [/unavailable/i, 'PROVIDER_UNAVAILABLE', 'fallback'],
  [/insufficient/i, 'INSUFFICIENT_FUNDS', 'final'],
  [/\b(otp|voucher|pin)\b/i, 'AUTHENTICATION_FAILED', 'final'],
  [/expired card/i, 'CARD_EXPIRED', 'final'],
  [/expire|timed? ?out/i, 'EXPIRED', 'final'],
  [/not (authori[sz]e|approve)|cancel/i, 'NOT_APPROVED', 'final'],
  [/fraud|security|restricted/i, 'SUSPECTED_FRAUD', 'final'],
  [/do not honou?r/i, 'CARD_DECLINED', 'final'],
  [/recipient_blocked|to this account|watchlist|account.number|phone/i, 'ACCOUNT_INVALID', 'final'],
  [/refund|reversed|transaction_not/i, 'NOT_REFUNDABLE', 'final'],
  [/bank.code|account.bank|mobile money provider|network/i, 'NETWORK_NOT_SUPPORTED', 'fallback'],
  [/currency/i, 'CURRENCY_NOT_SUPPORTED', 'fallback'],
  [/amount|spend/i, 'AMOUNT_NOT_ALLOWED', 'fallback'],
]

export const reasonIn = (text: string): Reason | undefined => reasons.find(([pattern]) => pattern.test(text))

export type Refusal = readonly [FailureCode, 'fallback' | 'final']

/** A provider's codes; codes with the same meaning stand in one row. */
export function refusalTable(rows: readonly (readonly [...Refusal, string])[]): ReadonlyMap<string, Refusal> {
  const table = new Map<string, Refusal>()
  for (const [code, next, words] of rows)
    for (const word of words.split(' ')) {
      if (table.has(word)) throw new Error(`the code ${word} is listed twice`)
      table.set(word, [code, next])
    }
  return table
}

export function declined(code: FailureCode, next: 'fallback' | 'final' = 'fallback'): Outcome {
  return { kind: 'declined', failure: failureOf(code), fallback: next === 'fallback' }
}

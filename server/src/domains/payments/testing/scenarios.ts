import fc from 'fast-check'
import type { DisputeWord, ModelFact, Terms } from './model.ts'

/** Facts that prove that the provider has the payment. */
export type AcceptanceFact = Extract<ModelFact, 'waits' | 'works' | 'paid' | 'failed' | 'canceled'>

export interface Answer {
  fact: ModelFact
  /** The customer's next step, as an acceptance may name it. */
  action?: string | undefined
}

export type InquiryAnswer = Answer | { fact: 'missing' }

/** The outcome of sending to one provider. */
interface Send {
  answer: Answer
  /** A webhook that overtakes the answer. */
  early: AcceptanceFact | null
  /** The process dies before the provider is called, or before it can write the outcome. */
  dies: 'before' | 'after' | null
}

export type Step =
  | {
      do: 'hook'
      route: number
      key: number
      fact: AcceptanceFact
      verdict: 'verified' | 'unsigned' | 'forged'
      amount: 'right' | 'wrong' | 'none'
      inquiry: InquiryAnswer
    }
  | ClosingStep
  | { do: 'advance'; inquiry: InquiryAnswer }
  | { do: 'cancel'; answer: Answer }
  | { do: 'review'; by: Reviewer; decision: 'approve' | 'reject' }
  | { do: 'password'; answer: Answer | { fact: 'wrong' } }
  | { do: 'confirm'; outcome: 'completed' | 'failed' }
  | { do: 'resolve'; outcome: 'paid' | 'failed' | 'returned' }
  | { do: 'refund'; percent: number; answer: Answer }
  | { do: 'refund hook'; nth: number; key: number; fact: AcceptanceFact }
  | { do: 'refund advance'; nth: number; inquiry: InquiryAnswer }
  | { do: 'dispute'; route: number; nth: number; word: DisputeWord; round: 1 | 2; inquiry: InquiryAnswer }

/** What is decided elsewhere while the payment is under way. */
export type ClosingStep =
  | { do: 'close'; route: number; how: 'retired' | 'suspended' }
  | { do: 'reopen'; route: number }
  | { do: 'match'; status: 'open' | 'cleared' | 'confirmed' }

const reviewers = ['initiator', 'colleague', 'admin', 'other admin'] as const
export type Reviewer = (typeof reviewers)[number]

/** Time passes, then one thing happens, or two at the same moment. */
interface ScenarioTurn {
  passMs: number
  steps: Step[]
}

export interface Scenario extends Terms {
  org: number
  needsReview: boolean
  sends: Send[]
  turns: ScenarioTurn[]
}

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The attempt's deadline and the connector's timeout are between these. */
export const sendDeadlineMs = 45 * second

export const priceSettings = {
  quoteLifetimeMs: 60_000,
  rateLimits: { perQuoteUsd: 1_000_000, perPairUsd: 1_000_000 },
  // market-rate.test.ts has the refunds that are priced at another rate than the payment's.
  ownRateMs: Number.POSITIVE_INFINITY,
}
export const notFoundFinalAfterMs = 15 * minute
const passes = [0, 0, second, sendDeadlineMs + second, notFoundFinalAfterMs, 25 * hour, 8 * 24 * hour]

const acceptanceFact = fc.constantFrom<AcceptanceFact>(
  'waits',
  'waits',
  'works',
  'paid',
  'paid',
  'paid',
  'failed',
  'canceled',
)
const action = fc.constantFrom(undefined, undefined, 'wait', 'collect_otp', 'redirect', 'check_status')
const accepted: fc.Arbitrary<Answer> = fc.record({ fact: acceptanceFact, action })
const answer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 5, arbitrary: accepted },
  {
    weight: 5,
    arbitrary: fc.record({
      fact: fc.constantFrom<ModelFact>(
        'refused',
        'try elsewhere',
        'try elsewhere',
        'unsent',
        'unclear',
        'unclear',
      ),
    }),
  },
)
const inquiry: fc.Arbitrary<InquiryAnswer> = fc.oneof(
  accepted,
  fc.constant({ fact: 'missing' as const }),
  fc.constant({ fact: 'missing' as const }),
  fc.constant<Answer>({ fact: 'unclear' }),
)

const rarely = <T>(what: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: what })

const send: fc.Arbitrary<Send> = fc.record({
  answer,
  early: rarely(acceptanceFact),
  dies: rarely(fc.constantFrom('before' as const, 'after' as const)),
})

const hook: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('hook' as const),
  route: fc.constantFrom(0, 0, 0, 1, 2),
  key: fc.nat(4),
  fact: acceptanceFact,
  verdict: fc.constantFrom('verified', 'verified', 'verified', 'verified', 'unsigned', 'forged'),
  amount: fc.constantFrom('right', 'right', 'none', 'wrong'),
  inquiry,
})
const advance: fc.Arbitrary<Step> = fc.record({ do: fc.constant('advance' as const), inquiry })
const refund: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('refund' as const),
  percent: fc.constantFrom(1, 40, 60, 100, 100),
  answer: fc.oneof(fc.constant<Answer>({ fact: 'paid' }), answer),
})
const refundHook: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('refund hook' as const),
  nth: fc.nat(1),
  key: fc.nat(3),
  fact: acceptanceFact,
})
const refundAdvance: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('refund advance' as const),
  nth: fc.nat(1),
  inquiry,
})
const dispute: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('dispute' as const),
  route: fc.constantFrom(0, 0, 0, 1, 2),
  nth: fc.constantFrom(0, 0, 1),
  word: fc.constantFrom<DisputeWord>('warned', 'asked', 'asked', 'reviewed', 'won', 'lost'),
  round: fc.constantFrom(1 as const, 1 as const, 1 as const, 2 as const),
  inquiry,
})
const review: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('review' as const),
  by: fc.constantFrom(...reviewers),
  decision: fc.constantFrom('approve', 'approve', 'approve', 'reject'),
})
const cancel: fc.Arbitrary<Step> = fc.record({ do: fc.constant('cancel' as const), answer })
const password: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('password' as const),
  answer: fc.oneof(answer, fc.constant({ fact: 'wrong' as const })),
})
const confirm: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('confirm' as const),
  outcome: fc.constantFrom('completed' as const, 'failed' as const),
})

const resolve: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('resolve' as const),
  outcome: fc.constantFrom('paid' as const, 'failed' as const, 'returned' as const),
})

const closing: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('close' as const),
    route: fc.nat(2),
    how: fc.constantFrom('retired' as const, 'suspended' as const),
  }),
  fc.record({ do: fc.constant('reopen' as const), route: fc.nat(2) }),
  fc.record({
    do: fc.constant('match' as const),
    status: fc.constantFrom('open' as const, 'open' as const, 'cleared' as const, 'confirmed' as const),
  }),
)

const alone = (step: fc.Arbitrary<Step>): fc.Arbitrary<Step[]> => step.map((one) => [one])
const atOnce = (one: fc.Arbitrary<Step>, two: fc.Arbitrary<Step>): fc.Arbitrary<Step[]> =>
  fc.tuple(one, two).map((pair) => [...pair])
const turn = (steps: fc.Arbitrary<Step[]>): fc.Arbitrary<ScenarioTurn> =>
  fc.record({ passMs: fc.constantFrom(...passes), steps })

/** After the first answer anything may follow; the last turns are about giving money back. */
const laterTurn = turn(
  fc.oneof(
    { weight: 6, arbitrary: alone(hook) },
    { weight: 6, arbitrary: alone(advance) },
    { weight: 2, arbitrary: alone(cancel) },
    { weight: 3, arbitrary: alone(closing) },
    { weight: 2, arbitrary: alone(password) },
    { weight: 1, arbitrary: alone(confirm) },
    { weight: 3, arbitrary: alone(resolve) },
    { weight: 1, arbitrary: atOnce(resolve, hook) },
    { weight: 1, arbitrary: atOnce(resolve, resolve) },
    { weight: 1, arbitrary: atOnce(resolve, advance) },
    { weight: 1, arbitrary: atOnce(hook, hook) },
    { weight: 1, arbitrary: atOnce(hook, advance) },
    { weight: 1, arbitrary: atOnce(advance, advance) },
  ),
)
const reviewTurn = turn(
  fc.oneof(
    { weight: 5, arbitrary: alone(review) },
    { weight: 1, arbitrary: atOnce(review, review) },
    { weight: 1, arbitrary: atOnce(review, cancel) },
    { weight: 2, arbitrary: alone(closing) },
  ),
)
const refundTurn = turn(
  fc.oneof(
    { weight: 3, arbitrary: alone(refund) },
    { weight: 2, arbitrary: alone(refundHook) },
    { weight: 2, arbitrary: alone(refundAdvance) },
    { weight: 1, arbitrary: atOnce(refund, refund) },
    { weight: 6, arbitrary: alone(dispute) },
    { weight: 1, arbitrary: atOnce(dispute, dispute) },
    { weight: 1, arbitrary: atOnce(dispute, refund) },
    { weight: 1, arbitrary: alone(closing) },
  ),
)

const currencies = ['UGX', 'NGN', 'GBP']
/** The one pair with a locked rate, at a whole number so that every amount fits. */
export const exchange = { from: 'GBP', to: 'NGN', rate: 2_000n }
export const orgCount = 4
const providerNames = ['pawapay', 'paystack', 'stripe', 'flutterwave', 'mpesa', 'manual']

const terms = fc
  .record({
    direction: fc.constantFrom('inbound' as const, 'outbound' as const),
    method: fc.constantFrom('card', 'mobile_money', 'bank_transfer'),
    currency: fc.constantFrom(...currencies),
    isExchanged: fc.integer({ min: 0, max: 3 }).map((dice) => dice === 0),
    amountMinor: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    providers: fc.shuffledSubarray(providerNames, { minLength: 1, maxLength: 3 }),
    fee: fc.oneof(
      fc.constant(null),
      fc.record({ rateMillionths: fc.constantFrom(1, 12_500, 333_333), isReturned: fc.boolean() }),
    ),
  })
  .map(({ currency, isExchanged, amountMinor, method, ...rest }): Terms => {
    const source = { amountMinor, currency: isExchanged ? exchange.from : currency }
    const target = isExchanged ? { amountMinor: amountMinor * exchange.rate, currency: exchange.to } : source
    // Cards cannot be paid out to.
    return {
      ...rest,
      source,
      target,
      method: rest.direction === 'outbound' && method === 'card' ? 'mobile_money' : method,
    }
  })

export const scenario: fc.Arbitrary<Scenario> = fc
  .record({
    terms,
    org: fc.nat(orgCount - 1),
    needsReview: fc.integer({ min: 0, max: 2 }).map((dice) => dice === 0),
    sends: fc.array(send, { minLength: 3, maxLength: 3 }),
    reviews: fc.array(reviewTurn, { minLength: 2, maxLength: 4 }),
    later: fc.array(laterTurn, { maxLength: 4 }),
    refunds: fc.array(refundTurn, { minLength: 1, maxLength: 6 }),
  })
  .map(({ terms: agreed, org, needsReview, sends, reviews, later, refunds }) => {
    const isReviewed = needsReview && agreed.direction === 'outbound'
    const turns = [
      ...(isReviewed ? reviews : []),
      ...later,
      ...(agreed.direction === 'inbound' ? refunds : []),
    ]
    // The manual provider sends no webhooks.
    const scripted = sends.map((one, route) =>
      agreed.providers[route] === 'manual' ? { ...one, early: null } : one,
    )
    return { ...agreed, org, needsReview: isReviewed, sends: scripted, turns }
  })

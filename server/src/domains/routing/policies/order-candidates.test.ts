import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Signal } from '../signals/record.ts'
import { orderCandidates, type OrderInput } from './order-candidates.ts'
import type { PaymentFacts, PolicyDocument, Strategy } from './record.ts'
import { policyDocument } from './schema.ts'
import { accountOf, anyDocument, anyPayment, anySignals, providers } from './testing/any-policy.ts'

interface Candidate {
  provider: string
  accountId: string
}

const paystack = { provider: 'paystack', accountId: accountOf(0) }
const stripe = { provider: 'stripe', accountId: accountOf(1) }
const adyen = { provider: 'adyen', accountId: accountOf(2) }
const all = [paystack, stripe, adyen]

const payment: PaymentFacts = {
  seed: 'payment 1',
  at: new Date('2026-03-01T12:00:00Z'),
  direction: 'payin',
  method: 'card',
  country: 'NG',
  source: { amountMinor: 100_000n, currency: 'NGN' },
  carried: { amountMinor: 100_000n, currency: 'NGN' },
  cardBrand: 'visa',
  issuerCountry: 'NG',
  network: null,
  metadata: null,
}

const inputOf = (
  document: PolicyDocument,
  changes: Partial<OrderInput<Candidate>> = {},
): OrderInput<Candidate> => ({
  policy: { owner: 'organization', version: 3, document },
  payment,
  healthy: all,
  unhealthy: [],
  signalOf: () => undefined,
  leaderOf: () => undefined,
  explorations: 0,
  ...changes,
})

const by = (strategy: Strategy, changes: Partial<PolicyDocument> = {}): PolicyDocument => ({
  rules: [],
  otherwise: strategy,
  ...changes,
})

const namesOf = (input: OrderInput<Candidate>): string[] =>
  orderCandidates(input).ordered.map(({ provider }) => provider)

const signal = (successWeight: number, totalWeight: number): Signal => ({
  successWeight,
  totalWeight,
  unknownWeight: 0,
  medianMs: null,
  costShare: null,
  health: 'healthy',
  since: null,
})

const learning = (changes: Partial<Extract<Strategy, { type: 'success_rate' }>> = {}): Strategy => ({
  type: 'success_rate',
  exploration_percent: 0,
  daily_limit: 100,
  hysteresis_percent: 2,
  ...changes,
})

/** The shares of the payments whose first candidate each provider is. */
function firstOf(payments: number, input: OrderInput<Candidate>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (let number = 0; number < payments; number++) {
    const [first] = namesOf({ ...input, payment: { ...payment, seed: `payment ${number}` } })
    if (first !== undefined) counts[first] = (counts[first] ?? 0) + 1 / payments
  }
  return counts
}

const anyInput = fc
  .record({
    document: anyDocument,
    payment: anyPayment,
    signals: anySignals,
    accounts: fc.uniqueArray(fc.integer({ min: 0, max: 7 }), { maxLength: 8 }),
    unhealthyFrom: fc.integer({ min: 0, max: 8 }),
    leader: fc.option(fc.integer({ min: 0, max: 7 }).map(accountOf), { nil: undefined }),
    explorations: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ document, signals, accounts, unhealthyFrom, leader, ...rest }) => {
    const candidates = accounts.map((index) => ({
      provider: providers[index % providers.length] ?? 'stripe',
      accountId: accountOf(index),
    }))
    return inputOf(document, {
      ...rest,
      healthy: candidates.slice(0, unhealthyFrom),
      unhealthy: candidates.slice(unhealthyFrom),
      signalOf: ({ accountId }) => signals.get(accountId),
      leaderOf: () => leader,
    })
  })

describe('every policy', () => {
  it('keeps exactly the candidates that it was given, the unhealthy ones last', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { ordered, decision } = orderCandidates(input)
        const healthy = ordered.slice(0, input.healthy.length)
        expect(new Set(healthy)).toEqual(new Set(input.healthy))
        expect(new Set(ordered.slice(healthy.length))).toEqual(new Set(input.unhealthy))
        expect(ordered).toHaveLength(input.healthy.length + input.unhealthy.length)
        expect(decision.version).toBe(3)
      }),
      { numRuns: 1_000 },
    )
  })

  it('gives the same order for the same input', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const [one, other] = [orderCandidates(input), orderCandidates(structuredCloneOf(input))]
        expect(other.ordered).toEqual(one.ordered)
        expect(other.decision).toEqual(one.decision)
        expect(other.leader).toBe(one.leader)
      }),
    )
  })

  it('that is generated here is one that the API accepts, and storing it changes nothing', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const parsed = policyDocument.parse(document)
        expect(policyDocument.parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed)
      }),
    )
  })
})

const structuredCloneOf = (input: OrderInput<Candidate>): OrderInput<Candidate> => ({
  ...input,
  policy: structuredClone(input.policy),
  payment: structuredClone(input.payment),
})

describe('priority', () => {
  it('keeps the order of the configurations', () => {
    expect(namesOf(inputOf(by({ type: 'priority' })))).toEqual(['paystack', 'stripe', 'adyen'])
  })

  it('puts the named ones first', () => {
    const order = [{ provider: 'adyen' }, { account: stripe.accountId }]
    expect(namesOf(inputOf(by({ type: 'priority', order })))).toEqual(['adyen', 'stripe', 'paystack'])
  })
})

describe('split', () => {
  const shares = [
    { provider: 'paystack', percent: 70 },
    { provider: 'stripe', percent: 20 },
    { account: adyen.accountId, percent: 10 },
  ]
  const split = by({ type: 'split', shares })

  it('converges to the shares', () => {
    const counts = firstOf(20_000, inputOf(split))
    expect(counts['paystack']).toBeCloseTo(0.7, 1.7)
    expect(counts['stripe']).toBeCloseTo(0.2, 1.7)
    expect(counts['adyen']).toBeCloseTo(0.1, 1.7)
  })

  it('sends a repetition of a payment the same way', () => {
    const repeated = { ...payment, at: new Date('2026-03-02T00:00:00Z') }
    expect(namesOf(inputOf(split, { payment: repeated }))).toEqual(namesOf(inputOf(split)))
  })

  it('moves only the payments of an account that drops out, by the shares of the others', () => {
    const counts = firstOf(10_000, inputOf(split, { healthy: [stripe, adyen], unhealthy: [paystack] }))
    expect(counts['stripe']).toBeCloseTo(2 / 3, 1.5)
    for (let number = 0; number < 500; number++) {
      const one = { ...payment, seed: `payment ${number}` }
      const [before] = namesOf(inputOf(split, { payment: one }))
      const [after] = namesOf(
        inputOf(split, { payment: one, healthy: [stripe, adyen], unhealthy: [paystack] }),
      )
      if (before !== 'paystack') expect(after).toBe(before)
    }
  })

  it('never sends first to an account with a share of zero while another one has a share', () => {
    const none = by({
      type: 'split',
      shares: [
        { provider: 'paystack', percent: 0 },
        { provider: 'stripe', percent: 100 },
      ],
    })
    expect(firstOf(500, inputOf(none))).toEqual({ stripe: expect.closeTo(1) })
  })
})

describe('cost', () => {
  it('takes the cheapest by contract or by what was charged lately, and the unknown last', () => {
    const costs = [
      { provider: 'paystack', percent: 1.5, fixed: 100, currency: 'NGN' },
      { provider: 'stripe', percent: 1, country: ['KE'] },
    ]
    const { ordered, figuresOf } = orderCandidates(
      inputOf(by({ type: 'cost' }, { costs }), {
        signalOf: ({ provider }) => (provider === 'adyen' ? { ...signal(1, 1), costShare: 0.02 } : undefined),
      }),
    )
    expect(ordered).toEqual([adyen, paystack, stripe])
    expect(ordered.map(figuresOf)).toEqual([{ cost: '20.00' }, { cost: '115.00' }, {}])
  })
})

describe('success_rate', () => {
  const rates: Record<string, Signal> = {
    paystack: signal(90, 100),
    stripe: signal(95, 100),
    adyen: signal(70, 100),
  }
  const signalOf = ({ provider }: Candidate): Signal | undefined => rates[provider]

  it('puts the highest rate first', () => {
    expect(namesOf(inputOf(by(learning()), { signalOf }))).toEqual(['stripe', 'paystack', 'adyen'])
  })

  it('keeps the leader until another one is better by more than the hysteresis', () => {
    const leaderOf = (): string => paystack.accountId
    const kept = orderCandidates(inputOf(by(learning({ hysteresis_percent: 10 })), { signalOf, leaderOf }))
    expect(kept.ordered[0]).toBe(paystack)
    expect(kept.leader).toBe(paystack.accountId)
    const taken = orderCandidates(inputOf(by(learning({ hysteresis_percent: 1 })), { signalOf, leaderOf }))
    expect(taken.leader).toBe(stripe.accountId)
  })

  it('trusts a few attempts little', () => {
    const few = (candidate: Candidate): Signal | undefined =>
      candidate === adyen ? signal(3, 3) : signalOf(candidate)
    expect(namesOf(inputOf(by(learning()), { signalOf: few }))[0]).toBe('stripe')
  })

  it('explores as often as it may, and least-known accounts first', () => {
    const document = by(learning({ exploration_percent: 10 }))
    const counts = firstOf(5_000, inputOf(document, { signalOf }))
    expect(counts['stripe']).toBeCloseTo(0.9, 1.5)
    const unknown = firstOf(
      5_000,
      inputOf(document, {
        signalOf: (candidate) => (candidate === adyen ? undefined : signalOf(candidate)),
      }),
    )
    expect(unknown['adyen']).toBeCloseTo(0.1, 1.5)
    expect(unknown['paystack']).toBeUndefined()
  })

  it('explores no more once the day’s limit is reached, and says when it does', () => {
    const document = by(learning({ exploration_percent: 20, daily_limit: 7 }))
    const decisions = (explorations: number): boolean[] =>
      Array.from({ length: 200 }, (_, number) => {
        const one = { ...payment, seed: `payment ${number}` }
        return orderCandidates(inputOf(document, { signalOf, explorations, payment: one })).decision
          .isExploration
      })
    expect(decisions(6)).toContain(true)
    expect(decisions(7)).not.toContain(true)
  })
})

describe('the decision', () => {
  it('names the first rule that matches', () => {
    const document: PolicyDocument = {
      rules: [
        { name: 'Ghana', when: { country: ['GH'] }, strategy: { type: 'cost' } },
        { name: 'Visa', when: { card_brand: ['visa'] }, strategy: { type: 'priority' } },
        { name: 'Cards', when: { method: ['card'] }, strategy: { type: 'cost' } },
      ],
      otherwise: { type: 'cost' },
    }
    expect(orderCandidates(inputOf(document)).decision).toEqual({
      policy: 'organization',
      version: 3,
      rule: 'Visa',
      strategy: 'priority',
      isExploration: false,
      currency: 'NGN',
    })
  })
})

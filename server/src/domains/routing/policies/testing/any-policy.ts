import fc from 'fast-check'
import type { Signal } from '../../signals/record.ts'
import type { Conditions, PaymentFacts, PolicyDocument, RouteName, Strategy } from '../record.ts'

export const providers = ['paystack', 'flutterwave', 'stripe', 'adyen'] as const
export const accountOf = (index: number): string => `0198c0de-7a1b-7c3d-9e4f-00000000000${index}`

const anyRouteName: fc.Arbitrary<RouteName> = fc.oneof(
  fc.constantFrom(...providers).map((provider) => ({ provider })),
  fc.integer({ min: 0, max: 7 }).map((index) => ({ account: accountOf(index) })),
)
const labelOf = ({ provider, account }: RouteName): string => account ?? provider ?? ''
const anyOrder = fc.uniqueArray(anyRouteName, { maxLength: 4, selector: labelOf })

const anyShares = fc
  .uniqueArray(anyRouteName, { minLength: 1, maxLength: 4, selector: labelOf })
  .chain((names) =>
    fc
      .array(fc.integer({ min: 0, max: 100 }), { minLength: names.length, maxLength: names.length })
      .map((cuts) => {
        const edges = [...cuts.slice(1).toSorted((a, b) => a - b), 100]
        return names.map((name, index) => ({
          ...name,
          percent: (edges[index] ?? 0) - (index === 0 ? 0 : (edges[index - 1] ?? 0)),
        }))
      }),
  )

const anyStrategy: fc.Arbitrary<Strategy> = fc.oneof(
  fc.record({ type: fc.constant('priority' as const), order: anyOrder }),
  fc.record({ type: fc.constant('split' as const), shares: anyShares, order: anyOrder }),
  fc.record({ type: fc.constant('cost' as const), order: anyOrder }),
  fc.record({
    type: fc.constant('success_rate' as const),
    exploration_percent: fc.integer({ min: 0, max: 20 }),
    daily_limit: fc.integer({ min: 0, max: 100 }),
    hysteresis_percent: fc.integer({ min: 0, max: 50 }),
    order: anyOrder,
  }),
)

const countries = ['NG', 'KE', 'GH']
const anyConditions: fc.Arbitrary<Conditions> = fc.record(
  {
    direction: fc.constantFrom('payin' as const, 'payout' as const),
    method: fc.constantFrom(['card'], ['mobile_money'], ['bank_transfer', 'card']),
    country: fc.subarray(countries, { minLength: 1 }),
    currency: fc.constantFrom(['NGN'], ['KES'], ['GHS', 'NGN']),
    amount: fc.record(
      { currency: fc.constantFrom('NGN', 'KES'), min: fc.integer({ min: 0, max: 500 }) },
      { requiredKeys: ['currency'] },
    ),
    card_brand: fc.constantFrom(['visa'], ['mastercard', 'visa']),
    issuer_country: fc.constantFrom(['NG'], ['GB']),
    metadata: fc.constantFrom({ tier: 'gold' }, { tier: ['gold', 1] }),
    time_of_day: fc.constantFrom(
      { from: '22:00', to: '06:00', zone: 'Africa/Lagos' },
      { from: '08:00', to: '17:30', zone: 'UTC' },
    ),
  },
  { requiredKeys: [] },
)

export const anyDocument: fc.Arbitrary<PolicyDocument> = fc.record(
  {
    rules: fc
      .array(fc.record({ when: anyConditions, strategy: anyStrategy }), { maxLength: 5 })
      .map((rules) => rules.map((rule, index) => ({ name: `Rule ${index + 1}`, ...rule }))),
    otherwise: anyStrategy,
    costs: fc.array(
      fc
        .tuple(anyRouteName, fc.integer({ min: 0, max: 10 }))
        .map(([name, percent]) => ({ ...name, percent })),
      { maxLength: 4 },
    ),
  },
  { requiredKeys: ['rules', 'otherwise'] },
)

export const anyPayment: fc.Arbitrary<PaymentFacts> = fc
  .record({
    seed: fc.uuid(),
    at: fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }),
    direction: fc.constantFrom('payin' as const, 'payout' as const),
    method: fc.constantFrom('card', 'mobile_money', 'bank_transfer'),
    country: fc.constantFrom(...countries),
    currency: fc.constantFrom('NGN', 'KES', 'GHS'),
    amountMinor: fc.bigInt({ min: 1n, max: 10_000_000n }),
    cardBrand: fc.constantFrom('visa', 'mastercard', null),
    issuerCountry: fc.constantFrom('NG', 'GB', null),
    network: fc.constantFrom('MTN', null),
    metadata: fc.constantFrom(null, { tier: 'gold' }, { tier: 1 }),
  })
  .map(({ currency, amountMinor, ...rest }) => ({
    ...rest,
    source: { currency, amountMinor },
    carried: { currency, amountMinor },
  }))

const anySignal: fc.Arbitrary<Signal> = fc
  .record({
    totalWeight: fc.double({ min: 0, max: 1_000, noNaN: true }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    costShare: fc.option(fc.double({ min: 0, max: 0.1, noNaN: true })),
    health: fc.constantFrom('healthy' as const, 'degraded' as const, 'down' as const),
  })
  .map(({ totalWeight, part, ...rest }) => ({
    ...rest,
    totalWeight,
    successWeight: totalWeight * part,
    unknownWeight: 0,
    medianMs: null,
    since: null,
  }))

/** By account; some accounts have no signal. */
export const anySignals: fc.Arbitrary<ReadonlyMap<string, Signal>> = fc
  .array(fc.option(anySignal), { minLength: 8, maxLength: 8 })
  .map((signals) => new Map(signals.flatMap((one, index) => (one ? [[accountOf(index), one] as const] : []))))

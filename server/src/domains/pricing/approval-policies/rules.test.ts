import { describe, expect, it } from 'vitest'
import type { ApprovalPolicy, DailyLimit, Outflow, OutflowKind, OutflowPolicy } from './record.ts'
import {
  dailyLimits,
  dailyValueOf,
  describeCause,
  describePolicies,
  findReachedPolicy,
  isLoosened,
  policiesFor,
  type MarketRates,
} from './rules.ts'

const policyOf = (
  currency: string,
  fromMinor: bigint,
  dailyFromMinor: bigint | null = null,
  kind: OutflowKind = 'payout',
): OutflowPolicy => ({ kind, currency, fromMinor, dailyFromMinor })
/** What an organisation sets for a currency: payouts from this amount, refunds from another. */
const setOf = (
  currency: string,
  payout: [fromMinor: bigint, dailyFromMinor?: bigint | null],
  [refundFromMinor, refundDailyFromMinor]: [fromMinor?: bigint | null, dailyFromMinor?: bigint | null] = [],
): ApprovalPolicy => ({
  currency,
  payoutFromMinor: payout[0],
  dailyFromMinor: payout[1] ?? null,
  refundFromMinor: refundFromMinor ?? null,
  refundDailyFromMinor: refundDailyFromMinor ?? null,
})
const outflowOf = (amountMinor: bigint, currency: string): Outflow => ({
  source: { amountMinor, currency },
  target: { amountMinor, currency },
})
/** Units per US dollar; the shilling has no minor unit. */
const rates: MarketRates = new Map([
  ['USD', '1'],
  ['GBP', '0.8'],
  ['UGX', '4000'],
])
const gbp = policyOf('GBP', 10_000n)

describe('the policy that an outflow reaches', () => {
  const reached = (policies: OutflowPolicy[], outflow: Outflow, known = rates): string | undefined => {
    const cause = findReachedPolicy(policies, outflow, known)
    return cause && `${cause.kind} ${cause.policy.currency}`
  }

  it('is reached from its amount on', () => {
    expect(reached([gbp], outflowOf(9_999n, 'GBP'))).toBeUndefined()
    expect(reached([gbp], outflowOf(10_000n, 'GBP'))).toBe('amount GBP')
    expect(reached([], outflowOf(10_000n, 'GBP'))).toBeUndefined()
  })

  it('counts other currencies by the market rate and by their minor units', () => {
    expect(reached([gbp], outflowOf(12_499n, 'USD'))).toBeUndefined()
    expect(reached([gbp], outflowOf(12_500n, 'USD'))).toBe('amount GBP')
    expect(reached([gbp], outflowOf(499_999n, 'UGX'))).toBeUndefined()
    expect(reached([gbp], outflowOf(500_000n, 'UGX'))).toBe('amount GBP')
  })

  it('counts either side of an exchange', () => {
    const small = { amountMinor: 1n, currency: 'GBP' }
    const large = { amountMinor: 20_000n, currency: 'USD' }
    expect(reached([gbp], { source: small, target: large })).toBe('amount GBP')
    expect(reached([gbp], { source: large, target: small })).toBe('amount GBP')
  })

  it('is that of the currency alone where it has one of its own', () => {
    const both = [gbp, policyOf('USD', 1_000_000n)]
    expect(reached(both, outflowOf(999_999n, 'USD'))).toBeUndefined()
    expect(reached(both, outflowOf(1_000_000n, 'USD'))).toBe('amount USD')
  })

  it('is reached by an amount that no rate converts, because it could be any sum', () => {
    expect(reached([gbp], outflowOf(1n, 'KES'))).toBe('rate GBP')
    expect(reached([gbp], outflowOf(1n, 'USD'), new Map([['USD', '1']]))).toBe('rate GBP')
    expect(reached([policyOf('KES', 100n)], outflowOf(1n, 'GBP'))).toBe('rate KES')
  })
})

describe('daily limits', () => {
  const daily = policyOf('GBP', 10_000n, 50_000n)
  const limitsFor = (policies: OutflowPolicy[], outflow = outflowOf(1n, 'GBP')): DailyLimit[] =>
    dailyLimits(policies, outflow, rates)

  it('are those of the policies that have one', () => {
    expect(limitsFor([gbp, daily])).toHaveLength(1)
    expect(limitsFor([daily])[0]).toMatchObject({ policy: daily, limitMinor: 50_000n })
  })

  it('weigh every currency that there is a rate for, and the currencies of the outflow', () => {
    const [limit] = limitsFor([daily])
    expect(Object.fromEntries(limit?.weights ?? [])).toEqual({ GBP: '1', UGX: '0.02', USD: '0.8' })
    const odd = dailyLimits([daily], outflowOf(1n, 'GBP'), new Map([...rates, ['POINTS', '3']]))
    expect(odd[0]?.weights.has('POINTS')).toBe(false)
    const coins = dailyLimits([daily], outflowOf(1n, 'GBP'), new Map([...rates, ['USDC', '1']]))
    expect(coins[0]?.weights.get('USDC')).toBe('0.00008')
  })

  it('weigh a currency of the outflow or of another policy that has no rate', () => {
    const kes = policyOf('KES', 1n, 10n)
    const [own] = dailyLimits([kes], outflowOf(1n, 'KES'), new Map())
    expect([...(own?.weights ?? [])]).toEqual([['KES', '1']])
    const [mixed] = dailyLimits([daily, kes], outflowOf(1n, 'TZS'), new Map())
    expect([...(mixed?.weights ?? [])]).toEqual([
      ['GBP', '1'],
      ['KES', '0'],
    ])
    const sides = {
      source: { amountMinor: 1n, currency: 'GBP' },
      target: { amountMinor: 1n, currency: 'ZMW' },
    }
    const [target] = dailyLimits([daily], sides, new Map([...rates, ['ZMW', '20']]))
    expect(target?.weights.get('ZMW')).toBe('0.04')
  })

  it('weigh with no more digits than they need', () => {
    const [limit] = dailyLimits([daily], outflowOf(1n, 'GBP'), new Map([...rates, ['KES', '3']]))
    expect(limit?.weights.get('KES')).toBe('0.266666666666666666666666666667')
  })

  it('add the larger side of an outflow, rounded up', () => {
    const [limit] = limitsFor([daily])
    if (!limit) throw new Error('the policy has a daily limit')
    const sides = (source: bigint, target: bigint): Outflow => ({
      source: { amountMinor: source, currency: 'GBP' },
      target: { amountMinor: target, currency: 'USD' },
    })
    expect(dailyValueOf(limit, sides(100n, 1n))).toBe(100n)
    expect(dailyValueOf(limit, sides(1n, 101n))).toBe(81n)
    expect(dailyValueOf(limit, sides(80n, 100n))).toBe(80n)
    expect(dailyValueOf(limit, outflowOf(5n, 'KES'))).toBeUndefined()
    const half = {
      source: { amountMinor: 5n, currency: 'GBP' },
      target: { amountMinor: 5n, currency: 'KES' },
    }
    expect(dailyValueOf(limit, half)).toBeUndefined()
    expect(dailyValueOf(limit, { source: half.target, target: half.source })).toBeUndefined()
  })
})

describe('what people read', () => {
  const policy = policyOf('UGX', 1_000n, 5_000n)

  it('about a payout that waits', () => {
    expect(describeCause({ kind: 'rate', policy })).toBe(
      'No rate converts the amount into UGX, so your policy for UGX requires approval.',
    )
    expect(describeCause({ kind: 'daily', policy })).toBe(
      'With this payment, what left in the last 24 hours reaches 5000.0 UGX, from which your policy requires approval.',
    )
    const amount = 'Your policy requires approval from 1000.0 UGX on.'
    expect(describeCause({ kind: 'amount', policy })).toBe(amount)
    expect(describeCause({ kind: 'daily', policy: { ...policy, dailyFromMinor: null } })).toBe(amount)
  })

  it('about a refund that waits', () => {
    const refunds = { ...policy, kind: 'refund' } as const
    expect(describeCause({ kind: 'daily', policy: refunds })).toBe(
      'With this refund, the refunds of the last 24 hours reach 5000.0 UGX, from which your policy requires approval.',
    )
    expect(describeCause({ kind: 'amount', policy: refunds })).toBe(
      'Your policy requires approval of refunds from 1000.0 UGX on.',
    )
  })

  it('about the policies', () => {
    expect(describePolicies([])).toBe('none')
    const policies = [setOf('UGX', [1_000n, 5_000n]), setOf('GBP', [10_000n], [20_000n, 30_000n])]
    expect(describePolicies(policies)).toBe(
      'GBP from 100.00 refunds from 200.00 refunds of 300.00 in 24 hours, UGX from 1000.0 or 5000.0 in 24 hours',
    )
  })
})

describe('the policies about refunds', () => {
  it('are those that name an amount or a sum for them', () => {
    const policies = [
      setOf('GBP', [100n, 500n], [200n, 600n]),
      setOf('USD', [1n]),
      setOf('UGX', [1n], [null, 9n]),
    ]
    expect(policiesFor(policies, 'refund')).toEqual([
      policyOf('GBP', 200n, 600n, 'refund'),
      policyOf('UGX', 9n, 9n, 'refund'),
    ])
    expect(policiesFor(policies, 'payout').map(({ fromMinor }) => fromMinor)).toEqual([100n, 1n, 1n])
  })
})

describe('policies are loosened', () => {
  const before = [setOf('GBP', [100n, 500n])]

  it.each<[string, ApprovalPolicy[], ApprovalPolicy[], boolean]>([
    ['not by keeping them', before, before, false],
    ['not by keeping several', [setOf('USD', [1n]), ...before], [setOf('USD', [1n]), ...before], false],
    ['not by the first policy', [], before, false],
    ['not by lower amounts', before, [setOf('GBP', [99n, 499n])], false],
    ['by taking one away', before, [], true],
    ['by a higher amount', before, [setOf('GBP', [101n, 500n])], true],
    ['by a higher daily amount', before, [setOf('GBP', [100n, 501n])], true],
    ['by taking the daily amount away', before, [setOf('GBP', [100n])], true],
    ['not by adding a daily amount', [setOf('GBP', [100n])], [setOf('GBP', [100n, 1n])], false],
    ['not by having no daily amount as before', [setOf('GBP', [100n])], [setOf('GBP', [100n])], false],
    ['by exempting a currency from the others', before, [...before, setOf('USD', [1n])], true],
    ['not by the first amount for refunds', before, [setOf('GBP', [100n, 500n], [1_000n])], false],
    ['by a higher amount for refunds', [setOf('GBP', [1n], [5n])], [setOf('GBP', [1n], [6n])], true],
    ['by no amount for refunds', [setOf('GBP', [1n], [5n])], [setOf('GBP', [1n])], true],
    ['by a higher sum for refunds', [setOf('GBP', [1n], [5n, 9n])], [setOf('GBP', [1n], [5n, 10n])], true],
    ['by a sum in place of an amount', [setOf('GBP', [1n], [5n])], [setOf('GBP', [1n], [null, 9n])], true],
    [
      'not by a lower sum for refunds',
      [setOf('GBP', [1n], [null, 9n])],
      [setOf('GBP', [1n], [5n, 9n])],
      false,
    ],
    [
      'by exempting the refunds of a currency from the others',
      [setOf('GBP', [1n], [5n]), setOf('USD', [1n])],
      [setOf('GBP', [1n], [5n]), setOf('USD', [1n], [9n])],
      true,
    ],
    ['by one of several', [setOf('USD', [1n]), ...before], [setOf('USD', [1n]), setOf('GBP', [200n])], true],
  ])('%s', (_promise, was, becomes, isLoose) => {
    expect(isLoosened(was, becomes)).toBe(isLoose)
  })
})

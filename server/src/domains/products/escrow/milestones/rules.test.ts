import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exponentOf, parseMinor } from '../../../../lib/money/money.ts'
import {
  canMove,
  coverInOrder,
  excessOf,
  formatPercent,
  fundingStatusOf,
  incompletenessOf,
  mergeSplits,
  milestoneStatuses,
  parsePercent,
  shareOut,
  transitions,
  type Split,
} from './rules.ts'

const whole = 100_000_000n
const currencies = ['NGN', 'UGX', 'KWD', 'GBP', 'JPY', 'CLF', 'ETH', 'USDC']
const sum = (values: Iterable<bigint>): bigint => [...values].reduce((total, value) => total + value, 0n)

/** Any amount of any currency, from one minor unit up to fifteen digits before the decimal point. */
const amounts = fc
  .record({ currency: fc.constantFrom(...currencies), major: fc.bigInt({ min: 0n, max: 10n ** 15n }) })
  .chain(({ currency, major }) =>
    fc.bigInt({ min: 0n, max: 10n ** BigInt(exponentOf(currency)) - 1n }).map((rest) => {
      const minor = major * 10n ** BigInt(exponentOf(currency)) + rest
      return minor > 0n ? minor : 1n
    }),
  )

/** A total divided at random places; parts may be zero. */
const partsOf = (total: bigint, count: number): fc.Arbitrary<bigint[]> =>
  fc.array(fc.bigInt({ min: 0n, max: total }), { minLength: count - 1, maxLength: count - 1 }).map((cuts) => {
    const edges = [0n, ...cuts.toSorted((a, b) => (a < b ? -1 : Number(a > b))), total]
    return edges.slice(1).map((edge, place) => edge - (edges[place] ?? 0n))
  })

/** Complete splits: percentages that add up to 100 with fixed amounts, or fixed amounts only. */
const cases = fc
  .record({
    amountMinor: amounts,
    percentages: fc.integer({ min: 0, max: 12 }),
    fixed: fc.integer({ min: 1, max: 6 }),
  })
  .chain(({ amountMinor, percentages, fixed }) => {
    const fixedParts = partsOf(amountMinor, fixed + 1).map((parts) => parts.slice(0, fixed))
    return fc.record({
      amountMinor: fc.constant(amountMinor),
      ids: fc.uniqueArray(fc.uuid(), { minLength: percentages + fixed, maxLength: percentages + fixed }),
      percentages: percentages === 0 ? fc.constant<bigint[]>([]) : partsOf(whole, percentages),
      fixed: percentages === 0 ? partsOf(amountMinor, fixed) : fixedParts,
    })
  })
  .map(({ amountMinor, ids, percentages, fixed }) => ({
    amountMinor,
    splits: [
      ...percentages.map((value): Omit<Split, 'partyId'> => ({ type: 'percentage', value })),
      ...fixed.map((value): Omit<Split, 'partyId'> => ({ type: 'fixed', value })),
    ].map((split, place): Split => ({ ...split, partyId: ids[place] ?? '' })),
  }))

describe('shares', () => {
  it('conserve every minor unit and are never negative', () => {
    fc.assert(
      fc.property(cases, ({ amountMinor, splits }) => {
        expect(incompletenessOf(amountMinor, splits)).toBeUndefined()
        const shares = shareOut(amountMinor, splits)
        expect(sum(shares.values())).toBe(amountMinor)
        expect([...shares.values()].every((share) => share >= 0n)).toBe(true)
        expect([...shares.keys()].toSorted()).toEqual(splits.map(({ partyId }) => partyId).toSorted())
      }),
      { numRuns: 1_000 },
    )
  })

  it('are exact for fixed amounts and within one minor unit for percentages', () => {
    fc.assert(
      fc.property(cases, ({ amountMinor, splits }) => {
        const shares = shareOut(amountMinor, splits)
        const fixed = splits.filter(({ type }) => type === 'fixed')
        const rest = amountMinor - sum(fixed.map(({ value }) => value))
        for (const { partyId, type, value } of splits) {
          const share = shares.get(partyId) ?? -1n
          if (type === 'fixed') expect(share).toBe(value)
          else expect([0n, 1n]).toContain(share - (rest * value) / whole)
          if (type === 'percentage' && (rest * value) % whole === 0n) expect(share * whole).toBe(rest * value)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('do not depend on the order of the splits', () => {
    const shuffled = cases.chain(({ amountMinor, splits }) =>
      fc.record({
        amountMinor: fc.constant(amountMinor),
        splits: fc.constant(splits),
        others: fc.shuffledSubarray(splits, { minLength: splits.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ amountMinor, splits, others }) => {
        expect(Object.fromEntries(shareOut(amountMinor, others))).toEqual(
          Object.fromEntries(shareOut(amountMinor, splits)),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('give rounding remainders to the largest remainder, then to the smaller id', () => {
    const third = (partyId: string, value: bigint): Split => ({ partyId, type: 'percentage', value })
    const splits = [third('c', 33_333_334n), third('b', 33_333_333n), third('a', 33_333_333n)]
    expect(Object.fromEntries(shareOut(100n, splits))).toEqual({ a: 33n, b: 33n, c: 34n })
    const halves = [third('b', 50_000_000n), third('a', 50_000_000n)]
    expect(Object.fromEntries(shareOut(1n, halves))).toEqual({ a: 1n, b: 0n })
  })
})

describe('updates', () => {
  const update = fc.record({
    partyId: fc.uuid(),
    type: fc.constantFrom('percentage' as const, 'fixed' as const),
    value: fc.bigInt({ min: 0n, max: whole }),
  })

  it('of different parties lead to the same splits in any order, together or one by one', () => {
    const updates = fc.uniqueArray(update, { selector: ({ partyId }) => partyId, maxLength: 10 })
    const orders = fc
      .record({
        before: fc.uniqueArray(update, { selector: ({ partyId }) => partyId, maxLength: 5 }),
        updates,
      })
      .chain(({ before, updates: made }) =>
        fc.record({
          before: fc.constant(before),
          made: fc.constant(made),
          shuffled: fc.shuffledSubarray(made, { minLength: made.length }),
        }),
      )
    fc.assert(
      fc.property(orders, ({ before, made, shuffled }) => {
        const atOnce = mergeSplits(before, made)
        expect(mergeSplits(before, shuffled)).toEqual(atOnce)
        expect(shuffled.reduce<Split[]>((splits, one) => mergeSplits(splits, [one]), before)).toEqual(
          shuffled.length === 0 ? before : atOnce,
        )
      }),
      { numRuns: 500 },
    )
  })

  it('may leave percentages below 100 but never above', () => {
    const at = (value: bigint): Split[] => [{ partyId: 'a', type: 'percentage', value }]
    expect(excessOf(100n, at(whole))).toBeUndefined()
    expect(excessOf(100n, at(whole + 1n))).toBe('percentages_over_100')
    expect(incompletenessOf(100n, at(whole - 1n))).toBe('percentages_not_100')
    expect(excessOf(100n, [{ partyId: 'a', type: 'fixed', value: 101n }])).toBe('fixed_over_amount')
    expect(incompletenessOf(100n, [{ partyId: 'a', type: 'fixed', value: 99n }])).toBe('fixed_not_amount')
    expect(incompletenessOf(100n, [])).toBe('fixed_not_amount')
  })
})

describe('percentages', () => {
  it('keep up to six decimals exactly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (millionths) => {
        const text = formatPercent(BigInt(millionths))
        expect(text).toMatch(/^\d+\.\d{1,6}$/)
        expect(parsePercent(Number(text))).toBe(BigInt(millionths))
      }),
    )
    expect([50n * 10n ** 6n, 33_333_333n, 0n].map(formatPercent)).toEqual(['50.0', '33.333333', '0.0'])
    expect(parsePercent(0.0000001)).toBeUndefined()
  })
})

describe('coverage', () => {
  it('covers milestones in sequence and loses nothing', () => {
    const milestones = fc.array(fc.bigInt({ min: 1n, max: 10n ** 12n }), { maxLength: 20 })
    fc.assert(
      fc.property(milestones, fc.bigInt({ min: 0n, max: 10n ** 13n }), (expected, pool) => {
        const covered = coverInOrder(
          pool,
          expected.map((expectedMinor) => ({ expectedMinor })),
        )
        expect(covered === undefined).toBe(pool > sum(expected))
        if (!covered) return
        expect(sum(covered)).toBe(pool)
        const partly = covered.findIndex((part, place) => part < (expected[place] ?? 0n))
        if (partly >= 0) expect(covered.slice(partly + 1).every((part) => part === 0n)).toBe(true)
      }),
    )
  })

  it.each([
    [0n, 'unfunded'],
    [1n, 'partially_funded'],
    [100n, 'funded'],
  ] as const)('of %s of 100 is %s', (coveredMinor, status) => {
    expect(fundingStatusOf({ expectedMinor: 100n, coveredMinor })).toBe(status)
  })
})

describe('statuses', () => {
  it('follow the transition table only', () => {
    const allowed = milestoneStatuses.flatMap((from) => transitions[from].map((to) => `${from} ${to}`))
    expect(allowed).toEqual([
      'pending submitted',
      'pending canceled',
      'submitted approved',
      'submitted canceled',
      'approved disbursing',
      'approved canceled',
      'disbursing disbursed',
      'disbursing canceled',
      'disbursed disbursing',
    ])
    for (const from of milestoneStatuses)
      for (const to of milestoneStatuses) expect(canMove(from, to)).toBe(allowed.includes(`${from} ${to}`))
  })

  it('amounts of all currencies are parsed exactly', () => {
    expect(currencies.map((currency) => parseMinor('1', currency))).toEqual(
      currencies.map((currency) => 10n ** BigInt(exponentOf(currency))),
    )
  })
})

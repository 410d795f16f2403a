import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toRate } from '../../../lib/money/decimal.ts'
import type { Fact } from '../../payments/lifecycle/rules.ts'
import { appliedRate, cryptoAmount, decideLeg, hasDrifted, nextLegKind, type Situation } from './rules.ts'

describe('the drift of a rate', () => {
  it.each([
    ['1.005', false],
    ['0.995', false],
    ['1.00500000001', true],
    ['0.99499999999', true],
    ['1', false],
  ])('a rate of %s against a live rate of 1: has drifted %s', (client, drifted) => {
    expect(hasDrifted(toRate(client), toRate('1'))).toBe(drifted)
  })

  it('a rate and its inverse fit each other only around one', () => {
    fc.assert(
      fc.property(fc.double({ min: 1.01, max: 1e9, noNaN: true }), (value) => {
        const rate = toRate(String(value))
        return hasDrifted(toRate('1').div(rate), rate) && hasDrifted(rate, toRate('1').div(rate))
      }),
    )
  })

  it('the customer never gets more than the market gives', () => {
    expect(appliedRate(toRate('1.004'), toRate('1')).toFixed()).toBe('1')
    expect(appliedRate(toRate('0.996'), toRate('1')).toFixed()).toBe('0.996')
  })
})

describe('the amount of crypto', () => {
  it('is rounded down, so that it is never worth more than the fiat', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 14n }),
        fc.integer({ min: 1, max: 10 ** 9 }),
        (amountMinor, parts) => {
          const fiat = { amountMinor, currency: 'NGN' }
          const rate = toRate(String(parts)).div(1_000_000)
          const bought = cryptoAmount('on_ramp', fiat, rate, 'USDC')
          const worth = toRate(bought.amountMinor.toString())
            .div(10 ** 6)
            .div(rate)
          return worth.lte(toRate(amountMinor.toString()).div(100))
        },
      ),
    )
    const fiat = { amountMinor: 369_550n, currency: 'UGX' }
    expect(cryptoAmount('off_ramp', fiat, toRate('3695.5'), 'USDC').amountMinor).toBe(100_000_000n)
  })

  it('is the fiat in whole units times the rate when crypto is bought', () => {
    const fiat = { amountMinor: 1_234_50n, currency: 'NGN' }
    expect(cryptoAmount('on_ramp', fiat, toRate('0.002'), 'USDC')).toEqual({
      amountMinor: 2_469_000n,
      currency: 'USDC',
    })
  })

  it('is rounded down when crypto is sold, too', () => {
    const fiat = { amountMinor: 2n, currency: 'UGX' }
    // 2 / 3 is 0.666666…, which is closer to 666667 millionths than to 666666.
    expect(cryptoAmount('off_ramp', fiat, toRate('3'), 'USDC').amountMinor).toBe(666_666n)
  })
})

const failure = { code: 'X', message: 'no' }
const accepted = (state: Extract<Fact, { kind: 'accepted' }>['state']): Fact => ({
  kind: 'accepted',
  providerRef: null,
  providerStatus: 'x',
  state,
})
const facts: Record<string, Fact> = {
  pending: accepted({ state: 'pending' }),
  processing: accepted({ state: 'processing' }),
  completed: accepted({ state: 'completed' }),
  canceled: accepted({ state: 'canceled' }),
  failed: accepted({ state: 'failed', failure }),
  declined: { kind: 'declined', failure, fallback: false },
  refusedForNow: { kind: 'declined', failure, fallback: true },
  not_sent: { kind: 'not_sent', reason: 'x' },
  unknown: { kind: 'unknown', reason: 'x' },
}
const kinds = ['collection', 'delivery', 'refund', 'whole'] as const
const states = ['sending', 'accepted', 'unknown', 'succeeded', 'failed', 'declined', 'not_sent'] as const
const phases = ['collecting', 'delivering', 'refunding', 'watching', 'closed'] as const

it('only a ramp that is delivering pays out', () => {
  expect(phases.map((phase) => [phase, nextLegKind(phase)])).toEqual([
    ['collecting', undefined],
    ['delivering', 'delivery'],
    ['refunding', 'refund'],
    ['watching', undefined],
    ['closed', undefined],
  ])
  expect(nextLegKind('a phase of a newer release' as 'closed')).toBeUndefined() // not a phase of this release
})

const situations = kinds.flatMap((kind) =>
  states.flatMap((state) =>
    phases.flatMap((phase) =>
      [true, false].flatMap((flag) =>
        [0n, 40n, 100n].map((receivedMinor): Situation => ({
          kind,
          state,
          phase,
          hasNextRoute: flag,
          reachedCustomer: !flag,
          expectedMinor: 100n,
          currency: 'UGX',
          receivedMinor,
        })),
      ),
    ),
  ),
)
const every = situations.flatMap((situation) =>
  Object.entries(facts).map(([name, fact]) => ({ situation, name, decision: decideLeg(situation, fact) })),
)

describe('what a fact about a leg means, over every combination', () => {
  const offending = (test: (one: (typeof every)[number]) => boolean): string[] =>
    every
      .filter((one) => !test(one))
      .map(
        ({ situation, name }) =>
          `${JSON.stringify({ ...situation, expectedMinor: 0, receivedMinor: Number(situation.receivedMinor) })} ${name}`,
      )

  it('unknown never ends anything, and is never a reason to try elsewhere', () => {
    expect(
      offending(
        ({ name, decision }) => name !== 'unknown' || ['unchanged', 'wait'].includes(decision.step.kind),
      ),
    ).toEqual([])
  })

  it('a closed leg never changes: it raises an exception, or nothing happens', () => {
    expect(
      offending(
        ({ situation, decision }) =>
          ['sending', 'accepted', 'unknown'].includes(situation.state) ||
          (decision.state === situation.state && ['unchanged', 'raise'].includes(decision.step.kind)),
      ),
    ).toEqual([])
  })

  it('the received amount never shrinks', () => {
    expect(offending(({ situation, decision }) => decision.receivedMinor >= situation.receivedMinor)).toEqual(
      [],
    )
    expect(
      offending(
        ({ situation, decision }) =>
          situation.kind !== 'collection' ||
          situation.phase !== 'collecting' ||
          decision.step.kind !== 'fail' ||
          decision.receivedMinor === 0n ||
          ['declined', 'not_sent'].includes(decision.state),
      ),
    ).toEqual([])
  })

  it('a ramp completes by its delivery alone, and goes back only after that has failed for good', () => {
    const delivers = ['delivery', 'whole']
    expect(
      offending(
        ({ situation, decision }) => decision.step.kind !== 'complete' || delivers.includes(situation.kind),
      ),
    ).toEqual([])
    expect(
      offending(
        ({ situation, decision }) => decision.step.kind !== 'return' || situation.kind === 'delivery',
      ),
    ).toEqual([])
  })

  it('after the customer has payment instructions, no other provider asks them', () => {
    expect(
      offending(
        ({ situation, decision }) =>
          decision.step.kind !== 'try_next' ||
          !situation.reachedCustomer ||
          ['delivery', 'refund'].includes(situation.kind),
      ),
    ).toEqual([])
  })

  it('money after the end of a ramp is never paid out', () => {
    expect(
      offending(
        ({ situation, decision }) =>
          situation.phase !== 'watching' ||
          situation.kind !== 'collection' ||
          decision.step.kind !== 'collected',
      ),
    ).toEqual([])
  })
})

describe('a collection that is watched after its end', () => {
  const watched: Situation = {
    kind: 'collection',
    state: 'accepted',
    phase: 'watching',
    hasNextRoute: true,
    reachedCustomer: false,
    expectedMinor: 100n,
    currency: 'UGX',
    receivedMinor: 40n,
  }
  const seen = (amountMinor: bigint) =>
    decideLeg(watched, {
      ...accepted({ state: 'pending' }),
      received: { amountMinor, currency: 'UGX' },
    })

  it('changes nothing while the received total is the same', () => {
    expect(seen(40n)).toEqual({ state: 'accepted', step: { kind: 'unchanged' }, receivedMinor: 40n })
  })

  it('moves each further arrival to suspense, from the smallest unit on', () => {
    expect(seen(41n)).toMatchObject({
      state: 'accepted',
      step: { kind: 'suspend', exception: 'ramp_paid_late' },
      receivedMinor: 41n,
    })
  })

  it.each(['declined', 'not_sent'] as const)('ends without a second failure when it is %s', (name) => {
    const fact: Fact =
      name === 'declined' ? { kind: 'declined', failure, fallback: true } : { kind: 'not_sent', reason: 'x' }
    const { state, step } = decideLeg({ ...watched, state: 'unknown', receivedMinor: 0n }, fact)
    expect([state, step]).toEqual([name, { kind: 'unchanged' }])
  })
})

describe('the amount that a provider reports', () => {
  const open = (kind: Situation['kind']): Situation => ({
    kind,
    state: 'accepted',
    phase: kind === 'delivery' ? 'delivering' : 'collecting',
    hasNextRoute: false,
    reachedCustomer: true,
    expectedMinor: 100n,
    currency: 'UGX',
    receivedMinor: 0n,
  })
  const reporting = (
    state: 'pending' | 'processing' | 'completed',
    amountMinor: bigint,
    currency = 'UGX',
  ) => ({
    ...accepted({ state }),
    amount: { amountMinor, currency },
  })

  it.each(['pending', 'processing'] as const)('of a collection that is %s is no money yet', (state) => {
    expect(decideLeg(open('collection'), reporting(state, 100n)).receivedMinor).toBe(0n)
  })

  it('of a completed collection counts, be it less or more than was asked for', () => {
    const less = decideLeg(open('collection'), reporting('completed', 40n))
    expect(less).toMatchObject({
      receivedMinor: 40n,
      step: { kind: 'suspend', exception: 'ramp_underpaid' },
    })
    const more = decideLeg(open('collection'), reporting('completed', 130n))
    expect(more).toMatchObject({ receivedMinor: 130n, step: { kind: 'collected' } })
  })

  it.each([
    ['collection', 100n, 'KES'],
    ['delivery', 99n, 'UGX'],
    ['delivery', 100n, 'KES'],
    ['refund', 99n, 'UGX'],
    ['whole', 101n, 'UGX'],
  ] as const)(
    'of a completed %s is %s %s and not 100 UGX: an exception is raised, nothing else changes',
    (...reported) => {
      const [kind, amountMinor, currency] = reported
      expect(decideLeg(open(kind), reporting('completed', amountMinor, currency))).toEqual({
        state: 'accepted',
        step: { kind: 'raise', exception: 'ramp_amount_differs' },
        receivedMinor: 0n,
      })
    },
  )
})

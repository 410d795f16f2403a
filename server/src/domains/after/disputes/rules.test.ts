import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { disputeStates, type DisputeState } from '../../../connectors/kit/disputes.ts'
import { account } from '../../../kernel/ledger/transfers.ts'
import { bookMove, moveTransfers } from './build-postings.ts'
import {
  awaitsResponse,
  demandedMinor,
  isOpenState,
  isWithdrawal,
  newMoves,
  nextState,
  reminderAt,
  roundOfMove,
} from './rules.ts'
import { noSums } from '../../payments/sums/record.ts'

const known = (state: DisputeState, round: 1 | 2 = 1, reportedAt: Date | null = null) => ({
  state,
  round,
  reportedAt,
  moves: 0,
})
const early = new Date('2030-01-01T00:00:00Z')
const late = new Date('2030-01-02T00:00:00Z')
const order = ['warning', 'needs_response', 'under_review', 'ended']
const placeOf = (state: DisputeState): number => order.indexOf(isOpenState(state) ? state : 'ended')

describe('nextState', () => {
  it('over every pair of states: only forwards, and two results contradict each other', () => {
    for (const from of disputeStates)
      for (const to of disputeStates) {
        const { kind } = nextState(known(from), { state: to, round: 1 })
        const isLoss = [from, to].every((state) => state === 'lost' || state === 'accepted')
        const expected =
          from === to || isLoss
            ? 'same'
            : placeOf(to) > placeOf(from)
              ? 'changes'
              : placeOf(to) === placeOf(from)
                ? 'contradicts'
                : 'older'
        expect([from, to, kind]).toEqual([from, to, expected])
      }
  })

  it('a later time decides between two results, and lets a bank ask again', () => {
    const told = { state: 'lost', round: 1, reportedAt: late } as const
    expect(nextState(known('won', 1, early), told).kind).toBe('changes')
    expect(nextState(known('won', 1, late), { ...told, reportedAt: early }).kind).toBe('contradicts')
    const asked = { state: 'needs_response', round: 1, reportedAt: late } as const
    expect(nextState(known('under_review', 1, early), asked).kind).toBe('changes')
    expect(nextState(known('lost', 1, early), asked).kind).toBe('older')
  })

  it('without a time on both sides, or at the same time, two results contradict each other', () => {
    const told = { state: 'lost', round: 1 } as const
    expect(nextState(known('won', 1, null), { ...told, reportedAt: late }).kind).toBe('contradicts')
    expect(nextState(known('won', 1, early), told).kind).toBe('contradicts')
    expect(nextState(known('won', 1, early), { ...told, reportedAt: early }).kind).toBe('contradicts')
  })

  it('a report about the money alone changes no state', () => {
    expect(nextState(known('won'), { state: undefined, round: 2 })).toEqual({ kind: 'same' })
  })

  it('a second round always follows the first, and the first never the second', () => {
    for (const from of disputeStates)
      for (const to of disputeStates) {
        expect(nextState(known(from, 1), { state: to, round: 2 }).kind).toBe('changes')
        expect(nextState(known(from, 2), { state: to, round: 1 }).kind).toBe('older')
      }
  })

  it('whatever the order of arrival, the furthest state of a round remains', () => {
    const path = ['needs_response', 'under_review', 'won'] as const
    fc.assert(
      fc.property(fc.shuffledSubarray([...path], { minLength: 3 }), (arrivals) => {
        let state: DisputeState = arrivals[0] ?? 'warning'
        for (const told of arrivals.slice(1)) {
          const next = nextState(known(state), { state: told, round: 1 })
          if (next.kind === 'changes') state = next.state
        }
        expect(state).toBe('won')
      }),
    )
  })
})

describe('newMoves', () => {
  const amount = { amountMinor: 100n, currency: 'GBP' }
  it('every movement is booked once, whatever the order of the reports', () => {
    const report = (count: number) => ({ moves: Array.from({ length: count }, () => ({ amount })) })
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1 }), (counts) => {
        let booked = 0
        for (const count of counts) booked += newMoves(booked, report(count), 'GBP').length
        expect(booked).toBe(Math.max(...counts))
      }),
    )
  })

  it('a report about the state alone moves nothing', () => {
    expect(newMoves(0, undefined, 'GBP')).toEqual([])
  })

  it('in a second round the money leaves and comes back once more', () => {
    expect(newMoves(2, { isWithdrawn: true, amount }, 'GBP')).toHaveLength(1)
    expect(newMoves(2, { isWithdrawn: false, amount }, 'GBP')).toEqual([])
    expect(newMoves(3, { isWithdrawn: true, amount }, 'GBP')).toEqual([])
    expect(newMoves(3, { isWithdrawn: false, amount }, 'GBP')).toHaveLength(1)
  })

  it('each round is a withdrawal and its return', () => {
    const moves = [1, 2, 3, 4]
    expect(moves.map(isWithdrawal)).toEqual([true, false, true, false])
    expect(moves.map(roundOfMove)).toEqual([1, 1, 2, 2])
  })

  it('a report of where the money is moves it at most once', () => {
    expect(newMoves(0, { isWithdrawn: false, amount }, 'GBP')).toEqual([])
    expect(newMoves(0, { isWithdrawn: true, amount }, 'GBP')).toHaveLength(1)
    expect(newMoves(1, { isWithdrawn: true, amount }, 'GBP')).toEqual([])
    expect(newMoves(1, { isWithdrawn: false, amount }, 'GBP')).toHaveLength(1)
    expect(newMoves(0, { isWithdrawn: true, amount: { decimal: '12.34' } }, 'GBP')).toEqual([
      { amount: { amountMinor: 1_234n, currency: 'GBP' } },
    ])
  })
})

describe('an exchanged payin', () => {
  const positive = fc.bigInt({ min: 1n, max: 10n ** 12n })
  it('a withdrawal and its return leave the source currency as it was', () => {
    const dispute = {
      orgId: '',
      disputeId: '',
      provider: 'stripe',
      accountId: 'a',
      custody: 'pooled',
    } as const
    fc.assert(
      fc.property(positive, positive, positive, (amountMinor, sourceMinor, targetMinor) => {
        const payment = {
          source: { amountMinor: sourceMinor, currency: 'GBP' },
          target: { amountMinor: targetMinor, currency: 'EUR' },
          sums: noSums,
        }
        const amount = { amountMinor: (amountMinor % sourceMinor) + 1n, currency: 'GBP' }
        for (const moveNo of [1, 2, 3]) {
          const cost = { amountMinor: 15n, currency: 'GBP' }
          const move = bookMove(moveNo, { amount, cost }, payment)
          const sums = moveTransfers(dispute, move).filter(({ currency }) => currency === 'GBP')
          const name = account.available('pooled')
          const net = sums.reduce(
            (sum, { debit, credit, amountMinor: minor }) =>
              sum + (credit === name ? minor : 0n) - (debit === name ? minor : 0n),
            0n,
          )
          expect(net).toBe(0n)
        }
      }),
    )
  })
})

describe('what a dispute may still withdraw', () => {
  it.each([
    ['warning', 0n, 0n],
    ['needs_response', 0n, 100n],
    ['needs_response', 40n, 60n],
    ['under_review', 100n, 0n],
    ['under_review', 130n, 0n],
    ['won', 0n, 0n],
    ['won', 50n, 0n],
    ['lost', 0n, 100n],
    ['lost', 1n, 0n],
    ['lost', 40n, 0n],
    ['accepted', 0n, 100n],
    ['accepted', 100n, 0n],
  ] as const)('%s with %s withdrawn of 100: %s', (state, withdrawnMinor, demanded) => {
    expect(demandedMinor({ state, withdrawnMinor, amountMinor: 100n })).toBe(demanded)
  })
})

it('a bank waits for a response to a warning and to a dispute, and not to what it reviews or has decided', () => {
  expect(disputeStates.filter(awaitsResponse)).toEqual(['warning', 'needs_response'])
})

it('members are reminded two days before the deadline', () => {
  expect(reminderAt(new Date('2030-01-03T00:00:00Z'))).toEqual(early)
})
